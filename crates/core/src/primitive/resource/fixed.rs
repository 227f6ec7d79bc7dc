//! Fixed contents, encoded on first use: a small item once for each row shape, a large payload once for all shapes.

use std::sync::OnceLock;

use base64_simd::STANDARD;
use bytes::Bytes;

use super::definition::Definition;
use super::wire;
use crate::era::Fields;
use crate::model::Payload;
use crate::rpc::{Wire, is_plain, write_string};

/// One resource's fixed contents, and their encodings.
pub(super) struct Fixed {
    payload: Payload,
    members: [OnceLock<Box<[Bytes; 3]>>; Fields::SHAPES],
    encoded: OnceLock<Bytes>,
}

impl Fixed {
    pub(super) fn new(payload: Payload) -> Self {
        Self { payload, members: Default::default(), encoded: OnceLock::new() }
    }

    /// The members of the result: head, payload, tail.
    pub(super) fn members(&self, definition: &Definition, fields: &'static Fields) -> [Bytes; 3] {
        let members = self.members[fields.slot].get_or_init(|| Box::new(self.encode(definition, fields)));
        (**members).clone()
    }

    fn encode(&self, definition: &Definition, fields: &Fields) -> [Bytes; 3] {
        const HEAD: &[u8] = b"\"contents\":[";
        let payload = &self.payload;
        let listing = &definition.listing;
        let mime_type = listing.mime_type.as_deref();
        let meta = &definition.content_meta;
        if payload.len() < Wire::SLICED {
            let mut out = HEAD.to_vec();
            wire::item(&mut out, &listing.uri, mime_type, meta, payload, fields);
            out.push(b']');
            return [out.into(), Bytes::new(), Bytes::new()];
        }
        let (start, end) = wire::item_ends(&listing.uri, mime_type, meta, payload, fields);
        let head = [HEAD, &start, b"\""].concat();
        let tail = [b"\"", end, b"]"].concat();
        [head.into(), self.encoded.get_or_init(|| encode_payload(payload)).clone(), tail.into()]
    }
}

/// A payload as a JSON string, without the quotes.
fn encode_payload(payload: &Payload) -> Bytes {
    match payload {
        Payload::Text(text) if is_plain(text) => text.to_bytes(),
        Payload::Text(text) => {
            let mut string = Vec::with_capacity(text.len() + text.len() / 8);
            write_string(&mut string, text);
            let string = Bytes::from(string);
            string.slice(1..string.len() - 1)
        }
        Payload::Bytes(bytes) => STANDARD.encode_type::<Vec<u8>>(bytes).into(),
        Payload::Base64(base64) => base64.to_bytes(),
    }
}
