//! A page of `list_resources`: the entries of the lists of resources and templates, filtered by a prefix.

use std::num::NonZeroUsize;

use serde_json::{Value, json};

use crate::catalog::{issue_cursor, offset_in_cursor};
use crate::model::{Listing, Primitive, ToolResult};
use crate::rejection::Rejection;
use crate::server::primitives::Catalogs;

/// A resource, which has a `uri`, or a template, which has a `uriTemplate`.
fn entry((primitive, listing): (Primitive, &Listing)) -> Value {
    let key = if primitive == Primitive::Template { "uriTemplate" } else { "uri" };
    let texts = [
        (key, Some(&listing.uri)),
        ("name", Some(&listing.name)),
        ("title", listing.title.as_ref()),
        ("description", listing.description.as_ref()),
        ("mimeType", listing.mime_type.as_ref()),
    ];
    let texts = texts.into_iter().filter_map(|(name, text)| Some((name, Value::from(text?.as_str()))));
    let size = listing.size.map(|size| ("size", Value::from(size)));
    texts.chain(size).map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The first page of the entries with the prefix, or the one that the cursor names.
pub(super) fn list(
    catalogs: &Catalogs,
    prefix: &str,
    cursor: Option<&str>,
    size: NonZeroUsize,
) -> Result<ToolResult, Rejection> {
    let issue = |place, listing: &Listing| issue_cursor(place, Some(size), [prefix, &listing.uri]);
    let from = match cursor {
        None => 0,
        Some(cursor) => {
            let place = offset_in_cursor(cursor).ok_or(Rejection::UnknownCursor)?;
            let (_, listing) = catalogs.listings().nth(place).ok_or(Rejection::UnknownCursor)?;
            Some(place).filter(|place| issue(*place, listing) == cursor).ok_or(Rejection::UnknownCursor)?
        }
    };
    let mut matching =
        catalogs.listings().enumerate().skip(from).filter(|(_, (_, listing))| listing.uri.starts_with(prefix));
    let resources: Vec<_> = matching.by_ref().take(size.get()).map(|(_, each)| entry(each)).collect();
    let mut page = json!({ "resources": resources });
    if let Some((place, (_, listing))) = matching.next() {
        page["nextCursor"] = issue(place, listing).into();
    }
    Ok(ToolResult::new().structured(page))
}
