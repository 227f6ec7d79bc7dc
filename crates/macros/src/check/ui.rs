//! The `ui` key of MCP Apps: the needs of a view, and the view that a tool opens.

use super::definition::Argument;
use super::record::Record;
use super::{forms, rules};
use crate::errors::Errors;
use crate::parse::{Entries, Value};

const VIEW: Record = Record::new(&[
    ("connect_domains", origins),
    ("resource_domains", origins),
    ("frame_domains", origins),
    ("base_uri_domains", origins),
    ("permissions", permissions),
    ("domain", rules::string),
    ("prefers_border", rules::yes_or_no),
]);

const PERMISSIONS: &[&str] = &["Camera", "ClipboardWrite", "Geolocation", "Microphone"];

/// `{ connect_domains: ["https://…"], prefers_border: true }`
pub(super) fn view(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    match Entries::of(value, errors) {
        Some(fields) => Some(Argument::New("apps::Ui", VIEW.nested(fields, errors))),
        None => forms::no_fields(key, value, "{ prefers_border: true }", errors),
    }
}

/// `"ui://forecast/view"`
pub(super) fn link(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    let check = |uri: &str| {
        if uri.starts_with("ui://") {
            Ok(())
        } else {
            Err("is no view: write the URI of one, as in `ui://forecast/view`")
        }
    };
    rules::checked_string(key, value, check, errors)
}

fn origins(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    if let Some(values) = value.list() {
        let origin = |value: &_| rules::checked_string("origin", value, grange_uri::check_policy_origin, errors);
        return Some(forms::list(&values, origin));
    }
    if value.literal().is_some() {
        return rules::reject(value, format_args!("{key} are a list: write it as in `[\"https://…\"]`"), errors);
    }
    Some(rules::expression(value))
}

fn permissions(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    if let Some(values) = value.list() {
        let permission = |value: &_| forms::name("permission", "apps::UiPermission", PERMISSIONS, value, errors);
        return Some(forms::list(&values, permission));
    }
    let is_permission = value.word().is_some_and(|word| PERMISSIONS.iter().any(|permission| word == permission));
    if is_permission || value.literal().is_some() {
        return rules::reject(value, format_args!("{key} are a list: write it as in `[Camera]`"), errors);
    }
    Some(rules::expression(value))
}
