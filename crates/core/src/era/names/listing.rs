//! What lists, links and `serverInfo` have in common: entries of `resources/list`, annotations, icons, `_meta`.

use serde_json::Value;

use crate::era::fields::Fields;
use crate::model::{Annotations, Icon, Listing, Metadata, Theme};
use crate::rpc::{Json, write_array, write_string, write_value};

pub(in crate::era) fn meta_value(out: &mut Vec<u8>, meta: &Metadata) {
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
pub(in crate::era) fn listing_members(entry: &mut Json<'_>, listing: &Listing, hints: &Annotations, fields: &Fields) {
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

pub(in crate::era) fn hint_members(entry: &mut Json<'_>, hints: &Annotations, fields: &Fields) {
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

pub(in crate::era) fn icon(out: &mut Vec<u8>, icon: &Icon) {
    let mut object = Json::object(out);
    object.string("src", &icon.src);
    object.optional("mimeType", icon.mime_type.as_deref());
    if !icon.sizes.is_empty() {
        write_array(object.member("sizes"), &icon.sizes, |out, size| write_string(out, size));
    }
    object.optional("theme", icon.theme.map(Theme::name));
    object.end();
}

/// The author's members of a result's `_meta`, each after a separator, the first after `first`.
pub(in crate::era) fn meta_members(out: &mut Vec<u8>, meta: Option<&Metadata>, first: &[u8]) {
    let mut separator = first;
    for (key, value) in meta.into_iter().flat_map(Metadata::iter) {
        out.extend_from_slice(separator);
        write_string(out, key);
        out.push(b':');
        write_value(out, value);
        separator = b",";
    }
}
