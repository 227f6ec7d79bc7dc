//! A resource in the catalog. Its contents are fixed and encoded on first use, or a reader computes them (`read.rs`).

use std::future::ready;
use std::sync::{Arc, OnceLock};

use base64_simd::STANDARD;
use bytes::Bytes;

use super::builder::Resource;
use super::definition::{BoxRead, ContentSource, Definition, Reader};
use super::read::Read;
use super::wire;
use crate::call::Reply;
use crate::catalog::{Entry, Found};
use crate::era::{Era, Fields};
use crate::model::{CacheHints, CacheScope, IntoContents, Item, Listing, Payload, Text};
use crate::rpc::{Wire, is_plain, write_string};

/// A registered resource.
pub(crate) struct ResourceEntry {
    resource: Resource,
    hints: CacheHints,
    source: Source,
}

enum Source {
    Fixed(Fixed),
    Read(Reader),
}

impl ResourceEntry {
    /// Takes a definition without problems, and the cache hints for contents without their own.
    pub(crate) fn new(resource: Resource, defaults: CacheHints) -> Self {
        let definition = resource.definition();
        let hints = CacheHints {
            ttl: definition.ttl.unwrap_or(defaults.ttl),
            scope: definition.cache_scope.unwrap_or(defaults.scope),
        };
        let source = match definition.source.clone().unwrap_or_default() {
            ContentSource::Fixed(payload) => Source::Fixed(Fixed::new(payload)),
            ContentSource::Read(reader) => Source::Read(reader),
        };
        Self { resource, hints, source }
    }

    /// What decides whether a client may subscribe: the author's check, else the read.
    pub(crate) fn probe(&self, era: &Era) -> Found {
        match &self.resource.definition().check {
            Some(check) => self.task(check),
            None => self.read(era),
        }
    }

    fn task(&self, reader: &Reader) -> Found {
        Read::new(self.resource.clone(), reader.clone(), self.hints).found()
    }

    /// The contents, or the task that computes them.
    pub(crate) fn read(&self, era: &Era) -> Found {
        match &self.source {
            Source::Fixed(fixed) => {
                let members = fixed.members(self.resource.definition(), era.fields);
                Found::Reply(Reply { cache: Some(self.hints), members, ..Reply::default() })
            }
            Source::Read(reader) => self.task(reader),
        }
    }

    /// A read for another answer than that of `resources/read`. Fixed contents are read too.
    pub(crate) fn reading(&self) -> Read {
        let reader = match &self.source {
            Source::Read(reader) => reader.clone(),
            Source::Fixed(Fixed { payload, .. }) => {
                let payload = payload.clone();
                Arc::new(move |_| -> BoxRead { Box::pin(ready(Ok(Item::own(payload.clone()).into_contents()))) })
            }
        };
        Read::new(self.resource.clone(), reader, self.hints)
    }

    pub(crate) fn listing(&self) -> &Listing {
        &self.resource.definition().listing
    }
}

impl Entry for ResourceEntry {
    const LIST: &'static [u8] = b"\"resources\":[";
    const SHAPES: usize = Fields::SHAPES;

    fn key(&self) -> &Text {
        &self.resource.definition().listing.uri
    }

    fn is_public(&self) -> bool {
        self.hints.scope == CacheScope::Public
    }

    fn shape(era: &Era) -> usize {
        era.fields.slot
    }

    fn write(&self, out: &mut Vec<u8>, era: &Era) {
        wire::entry(out, "uri", &self.resource.definition().listing, era.fields);
    }
}

/// Fixed contents, and their encodings: a small item once for each row shape, a large payload once for all shapes.
struct Fixed {
    payload: Payload,
    members: [OnceLock<Box<[Bytes; 3]>>; Fields::SHAPES],
    encoded: OnceLock<Bytes>,
}

impl Fixed {
    fn new(payload: Payload) -> Self {
        Self { payload, members: Default::default(), encoded: OnceLock::new() }
    }

    /// The members of the result: head, payload, tail.
    fn members(&self, definition: &Definition, fields: &'static Fields) -> [Bytes; 3] {
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
