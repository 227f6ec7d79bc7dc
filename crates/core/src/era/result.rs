//! A result as a message: the row's own members first, then the reply's.

use bytes::Bytes;

use super::names;
use super::row::Era;
use crate::call::{Members, Reply};
use crate::rpc::{IdToken, Wire};

/// Encodes the results of one request.
#[derive(Clone, Copy)]
pub(crate) struct ReplyWriter<'a> {
    pub(crate) era: &'static Era,
    pub(crate) id: IdToken<'a>,
    /// `serverInfo`, encoded for the row.
    pub(crate) server_info: &'a [u8],
}

impl ReplyWriter<'_> {
    pub(crate) fn write(&self, reply: Reply<'_>) -> Wire {
        self.era.write_reply(self.id, reply, self.server_info)
    }
}

impl Era {
    /// Encodes a result. Small ones are copied into one buffer; a large payload stays its own slice.
    pub(crate) fn write_reply(&self, id: IdToken<'_>, reply: Reply<'_>, server_info: &[u8]) -> Wire {
        let copied = match &reply.members {
            Members::Contents { contents, .. } => contents.items.iter().map(names::item_size).sum(),
            Members::Encoded(parts) => {
                parts.iter().map(Bytes::len).take_while(|length| *length <= Wire::SLICED).sum::<usize>()
            }
        };
        let mut out = Vec::with_capacity(192 + id.len() + server_info.len() + copied);
        out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
        id.write(&mut out);
        out.extend_from_slice(b",\"result\":{");
        (self.open_result)(&mut out, &reply, server_info);
        let [first, payload, last] = match reply.members {
            Members::Encoded(parts) => parts,
            Members::Contents { contents, listing, content_meta } => {
                names::contents(&mut out, contents, listing, content_meta, self.fields);
                out.extend_from_slice(b"}}");
                return Wire::one(out);
            }
        };
        if first.len() > Wire::SLICED {
            return Wire::three(out, first, closed(&[&payload, &last]));
        }
        out.extend_from_slice(&first);
        if payload.len() > Wire::SLICED {
            return Wire::three(out, payload, closed(&[&last]));
        }
        out.extend_from_slice(&payload);
        out.extend_from_slice(&last);
        out.extend_from_slice(b"}}");
        Wire::one(out)
    }
}

fn closed(parts: &[&Bytes]) -> Bytes {
    let mut out = Vec::with_capacity(parts.iter().map(|part| part.len()).sum::<usize>() + 2);
    for part in parts {
        out.extend_from_slice(part);
    }
    out.extend_from_slice(b"}}");
    out.into()
}
