//! Every JSON name that we send, and which of them a row's clients may see. One fact, one file: grep finds all of it.

use base64_simd::STANDARD;
use serde_json::Value;

use super::Era;
use crate::model::{Annotations, Contents, Icon, Identity, Item, Listing, Metadata, Payload, Progress, Theme};
use crate::rpc::{IdToken, Json, key, write_array, write_string};

/// Which members entries, items and `serverInfo` may have. Rows that share a shape share what was encoded for it.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Fields {
    /// The place of this shape in a cache of encodings.
    pub(crate) slot: usize,
    pub(super) title: bool,
    /// `_meta` on entries and items, `lastModified` in annotations: all came in one revision.
    pub(super) meta: bool,
    /// Icons, and the longer `serverInfo`.
    pub(super) icons: bool,
}

impl Fields {
    pub(crate) const SHAPES: usize = 3;
    pub(crate) const BARE: Self = Self { slot: 0, title: false, meta: false, icons: false };
    pub(crate) const TITLED: Self = Self { slot: 1, title: true, meta: true, icons: false };
    pub(crate) const FULL: Self = Self { slot: 2, title: true, meta: true, icons: true };
}

/// The notification by which either side gives up a request.
pub(crate) const CANCELLED: &str = "notifications/cancelled";

pub(super) fn meta_value(out: &mut Vec<u8>, meta: &Metadata) {
    let mut object = Json::object(out);
    for (key, value) in meta.iter() {
        object.value(key, value);
    }
    object.end();
}

/// An entry of `resources/list`.
pub(crate) fn resource_entry(out: &mut Vec<u8>, listing: &Listing, fields: &Fields) {
    let mut entry = Json::object(out);
    listing_members(&mut entry, listing, &listing.annotations, fields);
    if fields.meta && !listing.meta.is_empty() {
        meta_value(entry.member("_meta"), &listing.meta);
    }
    entry.end();
}

/// What an entry and a link to it have in common.
pub(super) fn listing_members(entry: &mut Json<'_>, listing: &Listing, hints: &Annotations, fields: &Fields) {
    entry.string("uri", &listing.uri);
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

pub(super) fn hint_members(entry: &mut Json<'_>, hints: &Annotations, fields: &Fields) {
    let dated = fields.meta && hints.last_modified.is_some();
    if dated || !hints.audience.is_empty() || hints.priority.is_some() {
        annotations(entry.member("annotations"), hints, fields);
    }
}

fn annotations(out: &mut Vec<u8>, annotations: &Annotations, fields: &Fields) {
    let mut object = Json::object(out);
    if !annotations.audience.is_empty() {
        let audience = annotations.audience.iter();
        write_array(object.member("audience"), audience, |out, role| write_string(out, role.name()));
    }
    if let Some(priority) = annotations.priority {
        object.value("priority", &Value::from(priority));
    }
    if fields.meta {
        object.optional("lastModified", annotations.last_modified.as_deref());
    }
    object.end();
}

pub(super) fn icon(out: &mut Vec<u8>, icon: &Icon) {
    let mut object = Json::object(out);
    object.string("src", &icon.src);
    object.optional("mimeType", icon.mime_type.as_deref());
    if !icon.sizes.is_empty() {
        write_array(object.member("sizes"), &icon.sizes, |out, size| write_string(out, size));
    }
    object.optional("theme", icon.theme.map(Theme::name));
    object.end();
}

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
pub(super) fn encoded_payload(out: &mut Vec<u8>, payload: &Payload) {
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
pub(super) fn item_size(item: &Item) -> usize {
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
pub(super) fn contents(
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

/// `serverInfo`.
pub(crate) fn server_info(out: &mut Vec<u8>, identity: &Identity, fields: &Fields) {
    let mut object = Json::object(out);
    object.string("name", &identity.name);
    object.string("version", &identity.version);
    if fields.title {
        object.optional("title", identity.title.as_deref());
    }
    if fields.icons {
        object.optional("description", identity.description.as_deref());
        object.optional("websiteUrl", identity.website_url.as_deref());
        if !identity.icons.is_empty() {
            write_array(object.member("icons"), &identity.icons, icon);
        }
    }
    object.end();
}

/// What a server has.
pub(crate) struct Capabilities<'a> {
    pub(crate) resources: bool,
    pub(crate) tools: bool,
    /// An object, encoded; empty if there are none.
    pub(crate) extensions: &'a [u8],
}

/// `capabilities`: each is declared exactly when its methods are served. Extensions are declared to every revision: older ones
/// have no member for them, and take it.
pub(crate) fn capabilities(out: &mut Vec<u8>, has: &Capabilities<'_>) {
    let mut object = Json::object(out);
    for (name, declared) in [("resources", has.resources), ("tools", has.tools)] {
        if declared {
            object.raw(name, b"{}");
        }
    }
    if !has.extensions.is_empty() {
        object.raw("extensions", has.extensions);
    }
    object.end();
}

/// The members of an `initialize` result.
pub(crate) fn initialized(
    version: &str,
    capabilities: &[u8],
    server_info: &[u8],
    instructions: Option<&str>,
) -> Vec<u8> {
    members(|object| {
        object.string("protocolVersion", version);
        object.raw("capabilities", capabilities);
        object.raw("serverInfo", server_info);
        object.optional("instructions", instructions);
    })
}

/// The members of a `server/discover` result.
pub(crate) fn discovered(versions: &[&str], capabilities: &[u8], instructions: Option<&str>) -> Vec<u8> {
    members(|object| {
        write_array(object.member("supportedVersions"), versions, |out, version| write_string(out, version));
        object.raw("capabilities", capabilities);
        object.optional("instructions", instructions);
    })
}

/// Writes members without the braces around them.
fn members(write: impl FnOnce(&mut Json<'_>)) -> Vec<u8> {
    let mut out = Vec::new();
    let mut object = Json::object(&mut out);
    write(&mut object);
    out.remove(0);
    out
}

/// `notifications/subscriptions/acknowledged` with nothing honoured: nothing here can change.
pub(crate) fn subscription_acknowledged(id: IdToken<'_>) -> Vec<u8> {
    notification("notifications/subscriptions/acknowledged", |params| {
        subscription_meta(params, id);
        params.raw("notifications", b"{}");
    })
}

/// `notifications/cancelled` for a subscription that the server ends.
pub(crate) fn cancelled_notification(id: IdToken<'_>) -> Vec<u8> {
    notification(CANCELLED, |params| {
        params.id("requestId", id);
        subscription_meta(params, id);
    })
}

/// `notifications/cancelled` for a request of ours.
pub(crate) fn withdrawn(id: u64, reason: &str) -> Vec<u8> {
    notification(CANCELLED, |params| {
        params.number("requestId", id);
        params.string("reason", reason);
    })
}

/// A request of ours.
pub(crate) fn request(id: u64, method: &str, params: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(64 + method.len() + params.len());
    let mut message = Json::object(&mut out);
    message.string("jsonrpc", "2.0");
    message.number("id", id);
    message.string("method", method);
    message.raw("params", params);
    message.end();
    out
}

/// `notifications/progress`, under the token that the client chose.
pub(crate) fn progress(token: IdToken<'_>, progress: &Progress, era: &Era) -> Vec<u8> {
    notification("notifications/progress", |params| {
        params.id("progressToken", token);
        params.value("progress", &Value::from(progress.progress));
        if let Some(total) = progress.total {
            params.value("total", &Value::from(total));
        }
        if era.progress_message {
            params.optional("message", progress.message.as_deref());
        }
    })
}

fn subscription_meta(params: &mut Json<'_>, id: IdToken<'_>) {
    let mut meta = Json::object(params.member("_meta"));
    meta.id(key::SUBSCRIPTION_ID, id);
    meta.end();
}

fn notification(method: &str, write: impl FnOnce(&mut Json<'_>)) -> Vec<u8> {
    let mut out = Vec::new();
    let mut message = Json::object(&mut out);
    message.string("jsonrpc", "2.0");
    message.string("method", method);
    let mut params = Json::object(message.member("params"));
    write(&mut params);
    params.end();
    message.end();
    out
}

/// The whole response that ends a subscription.
pub(crate) fn subscription_ended(id: IdToken<'_>, server_info: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut message = Json::object(&mut out);
    message.string("jsonrpc", "2.0");
    message.id("id", id);
    let mut result = Json::object(message.member("result"));
    result.string("resultType", "complete");
    let mut meta = Json::object(result.member("_meta"));
    meta.raw(key::SERVER_INFO, server_info);
    meta.id(key::SUBSCRIPTION_ID, id);
    meta.end();
    result.end();
    message.end();
    out
}
