//! Resources on the wire: every JSON name of their list entries and contents. A name is written only where the row has it.

use base64_simd::STANDARD;

use super::definition::Definition;
use crate::era::{Fields, hint_members, icon, meta_value};
use crate::model::{Annotations, Contents, Item, Listing, Metadata, Payload};
use crate::rpc::{Json, write_array, write_string};

/// An entry of `resources/list` or `resources/templates/list`. `key` is the member that has its URI or its template.
pub(crate) fn entry(out: &mut Vec<u8>, key: &'static str, listing: &Listing, fields: &Fields) {
    let mut entry = Json::object(out);
    listing_members(&mut entry, key, listing, &listing.annotations, fields);
    if fields.meta && !listing.meta.is_empty() {
        meta_value(entry.member("_meta"), &listing.meta);
    }
    entry.end();
}

/// The members that a list entry and a link to a resource have in common.
pub(crate) fn listing_members(
    entry: &mut Json<'_>,
    key: &'static str,
    listing: &Listing,
    hints: &Annotations,
    fields: &Fields,
) {
    entry.string(key, &listing.uri);
    entry.string("name", &listing.name);
    if fields.title {
        entry.optional("title", listing.title.as_deref());
    }
    entry.optional("description", listing.description.as_deref());
    entry.optional("mimeType", listing.mime_type.as_deref());
    if let Some(size) = listing.size {
        entry.number("size", size);
    }
    hint_members(entry, hints, fields);
    if fields.icons && !listing.icons.is_empty() {
        write_array(entry.member("icons"), &listing.icons, icon);
    }
}

/// An item of `contents`.
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
pub(crate) fn encoded_payload(out: &mut Vec<u8>, payload: &Payload) {
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

/// The approximate size of an encoded item of `contents`, in bytes.
pub(super) fn item_size(item: &Item) -> usize {
    /// Bytes of the names, the URI and the metadata of a typical item.
    const AROUND: usize = 256;
    let length = item.payload.len();
    let payload = match &item.payload {
        Payload::Text(_) => length + length / 8,
        Payload::Bytes(_) => length.div_ceil(3) * 4,
        Payload::Base64(_) => length,
    };
    payload + AROUND
}

/// The `contents` member of a read's result. Items without a URI get the resource's.
pub(super) fn contents(out: &mut Vec<u8>, contents: &Contents, definition: &Definition, fields: &Fields) {
    let Definition { listing, content_meta, .. } = definition;
    out.extend_from_slice(b"\"contents\":");
    write_array(out, &contents.items, |out, each| {
        let own = each.uri.is_none();
        let uri = each.uri.as_ref().unwrap_or(&listing.uri);
        let mime_type = each.sent_mime_type(listing.mime_type.as_ref());
        let meta = if own && each.meta.is_empty() { content_meta } else { &each.meta };
        item(out, uri, mime_type.map(|mime| &**mime), meta, &each.payload, fields);
    });
}

/// The two ends of an item of `contents`: up to the colon before the payload, and after the payload.
pub(super) fn item_ends(
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
