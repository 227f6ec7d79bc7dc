//! The contents of a read: items, their payloads, and about how many bytes they take.

use base64_simd::STANDARD;

use super::listing::meta_value;
use crate::era::fields::Fields;
use crate::model::{Contents, Item, Listing, Metadata, Payload};
use crate::rpc::{Json, write_array, write_string};

/// An item of `contents`, whole.
pub(crate) fn item(
    out: &mut Vec<u8>,
    uri: &str,
    mime_type: Option<&str>,
    meta: &Metadata,
    payload: &Payload,
    fields: &Fields,
) {
    item_start(out, uri, mime_type, meta, payload, fields);
    encoded_payload(out, payload);
    out.push(b'}');
}

/// A payload as a JSON string.
pub(in crate::era) fn encoded_payload(out: &mut Vec<u8>, payload: &Payload) {
    match payload {
        Payload::Text(text) => write_string(out, text),
        Payload::Bytes(bytes) => {
            out.push(b'"');
            STANDARD.encode_append(bytes, out);
            out.push(b'"');
        }
        Payload::Base64(base64) => write_string(out, base64),
    }
}

/// About how many bytes an item of `contents` takes.
pub(in crate::era) fn item_size(item: &Item) -> usize {
    /// Names, URI and metadata, as most are.
    const AROUND: usize = 256;
    let length = item.payload.len();
    let payload = match &item.payload {
        Payload::Text(_) => length + length / 8,
        Payload::Bytes(_) => length.div_ceil(3) * 4,
        Payload::Base64(_) => length,
    };
    payload + AROUND
}

/// The `contents` member of a read's result. Items without a URI of their own have the resource's.
pub(in crate::era) fn contents(
    out: &mut Vec<u8>,
    contents: &Contents,
    listing: &Listing,
    content_meta: &Metadata,
    fields: &Fields,
) {
    out.extend_from_slice(b"\"contents\":");
    write_array(out, &contents.items, |out, each| {
        let own = each.uri.is_none();
        let uri = each.uri.as_ref().unwrap_or(&listing.uri);
        let listed = listing.mime_type.as_ref().filter(|_| own);
        let mime_type = each.mime_type.as_ref().or(listed);
        let meta = if own && each.meta.is_empty() { content_meta } else { &each.meta };
        item(out, uri, mime_type.map(|mime| &**mime), meta, &each.payload, fields);
    });
}

/// An item of `contents` without its payload: what comes before, up to the payload's colon, and what comes after.
pub(crate) fn item_ends(
    uri: &str,
    mime_type: Option<&str>,
    meta: &Metadata,
    payload: &Payload,
    fields: &Fields,
) -> (Vec<u8>, &'static [u8]) {
    let mut start = Vec::with_capacity(64 + uri.len());
    item_start(&mut start, uri, mime_type, meta, payload, fields);
    (start, b"}")
}

fn item_start(
    out: &mut Vec<u8>,
    uri: &str,
    mime_type: Option<&str>,
    meta: &Metadata,
    payload: &Payload,
    fields: &Fields,
) {
    let mut object = Json::object(out);
    object.string("uri", uri);
    object.optional("mimeType", mime_type);
    if fields.meta && !meta.is_empty() {
        meta_value(object.member("_meta"), meta);
    }
    match payload {
        Payload::Text(_) => object.member("text"),
        Payload::Bytes(_) | Payload::Base64(_) => object.member("blob"),
    };
}
