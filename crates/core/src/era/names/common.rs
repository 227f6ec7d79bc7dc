//! The members that several primitives and `serverInfo` share: annotations, icons, `_meta`.

use serde_json::Value;

use crate::era::fields::Fields;
use crate::model::{Annotations, Icon, Metadata, Theme};
use crate::rpc::{Json, write_array, write_string, write_value};

pub(crate) fn meta_value(out: &mut Vec<u8>, meta: &Metadata) {
    let mut object = Json::object(out);
    for (key, value) in meta.iter() {
        object.value(key, value);
    }
    object.end();
}

/// Writes `annotations`, if any of them are in the row.
pub(crate) fn hint_members(entry: &mut Json<'_>, hints: &Annotations, fields: &Fields) {
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

pub(crate) fn icon(out: &mut Vec<u8>, icon: &Icon) {
    let mut object = Json::object(out);
    object.string("src", &icon.src);
    object.optional("mimeType", icon.mime_type.as_deref());
    if !icon.sizes.is_empty() {
        write_array(object.member("sizes"), &icon.sizes, |out, size| write_string(out, size));
    }
    object.optional("theme", icon.theme.map(Theme::name));
    object.end();
}

/// Appends the author's members of a result's `_meta`: the first after `first`, the others after a comma.
pub(crate) fn meta_members(out: &mut Vec<u8>, meta: Option<&Metadata>, first: &[u8]) {
    let mut separator = first;
    for (key, value) in meta.into_iter().flat_map(Metadata::iter) {
        out.extend_from_slice(separator);
        write_string(out, key);
        out.push(b':');
        write_value(out, value);
        separator = b",";
    }
}
