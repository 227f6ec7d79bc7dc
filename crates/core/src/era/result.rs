//! A result as a message: the members of the row first, then those of the reply.

use bytes::Bytes;

use super::row::Era;
use crate::call::Reply;
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
    /// Encodes a result whose members are encoded already. Small members are copied into one buffer; a large one stays
    /// a slice of its own.
    pub(crate) fn write(&self, reply: Reply<'_>) -> Wire {
        let is_large = |part: &Bytes| part.len() > Wire::SLICED;
        let copied = reply.members.iter().map(Bytes::len).take_while(|length| *length <= Wire::SLICED).sum();
        let has_members = reply.members.iter().any(|part| !part.is_empty());
        let mut out = self.open(&reply, has_members, copied);
        let [first, payload, last] = reply.members;
        if is_large(&first) {
            return Wire::three(out, first, closed(&[&payload, &last]));
        }
        out.extend_from_slice(&first);
        if is_large(&payload) {
            return Wire::three(out, payload, closed(&[&last]));
        }
        out.extend_from_slice(&payload);
        out.extend_from_slice(&last);
        out.extend_from_slice(b"}}");
        Wire::one(out)
    }

    /// Encodes a result whose members `write` appends, at least one, in about `size` bytes.
    pub(crate) fn write_with(&self, reply: &Reply<'_>, size: usize, write: impl FnOnce(&mut Vec<u8>, &Era)) -> Wire {
        let mut out = self.open(reply, true, size);
        write(&mut out, self.era);
        out.extend_from_slice(b"}}");
        Wire::one(out)
    }

    /// The envelope, up to the first member of the method.
    fn open(&self, reply: &Reply<'_>, has_members: bool, size: usize) -> Vec<u8> {
        let mut out = Vec::with_capacity(192 + self.id.len() + self.server_info.len() + size);
        out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
        self.id.write(&mut out);
        out.extend_from_slice(b",\"result\":{");
        (self.era.open_result)(&mut out, reply, self.server_info, has_members);
        out
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
