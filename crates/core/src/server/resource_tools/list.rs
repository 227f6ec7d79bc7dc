//! A page of `list_resources`: the entries of the lists of resources and templates, filtered by a prefix.

use std::num::NonZeroUsize;

use serde_json::{Value, json};

use crate::catalog::Checksum;
use crate::model::{Listing, ToolResult};
use crate::rejection::Rejection;
use crate::sections::Position;
use crate::server::primitives::Catalogs;

/// A resource, which has a `uri`, or a template, which has a `uriTemplate`.
fn entry(key: &str, listing: &Listing) -> Value {
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

/// The first page of the entries with the prefix, or the one that the cursor names: behind an entry, so that a walk neither skips nor repeats
/// one that stays.
pub(super) fn list(
    catalogs: &Catalogs,
    prefix: &str,
    cursor: Option<&str>,
    size: NonZeroUsize,
) -> Result<ToolResult, Rejection> {
    let shelved = catalogs.shelved();
    let templates = 1 + shelved.len();
    let checksum = Checksum::new().text("list_resources").number(size.get()).text(prefix).number(templates);
    let start = match cursor {
        Some(cursor) => Position::of(cursor, checksum).ok_or(Rejection::UnknownCursor)?,
        None => Position::START,
    };
    let of_templates = catalogs.templates().map(|listing| (templates, listing));
    let all = catalogs.listings(&shelved).chain(of_templates);
    let mut is_passed = false;
    let all = all.filter(|(section, listing)| is_behind(&start, templates, (*section, &listing.uri), &mut is_passed));
    let mut matching = all.filter(|(_, listing)| listing.uri.starts_with(prefix));
    let page: Vec<_> = matching.by_ref().take(size.get()).collect();
    let last = page.last().filter(|_| matching.next().is_some());
    let next = last.map(|(section, listing)| Position { section: *section, token: Some(listing.uri.to_string()) });
    let key = |section| if section == templates { "uriTemplate" } else { "uri" };
    let resources: Vec<_> = page.iter().map(|(section, listing)| entry(key(*section), listing)).collect();
    let mut result = json!({ "resources": resources });
    if let Some(next) = next {
        result["nextCursor"] = next.cursor(checksum).into();
    }
    Ok(ToolResult::new().structured(result))
}

/// Whether an entry is behind the start of a page, which is an entry too. Shelves are in order, and the start may have left its shelf. The
/// others never change, and have their own order: `is_passed` is set when the start was met.
fn is_behind(start: &Position, templates: usize, (section, uri): (usize, &str), is_passed: &mut bool) -> bool {
    let Some(token) = &start.token else { return true };
    if section != start.section {
        section > start.section
    } else if (1..templates).contains(&section) {
        *uri > **token
    } else {
        std::mem::replace(is_passed, *is_passed || *uri == **token)
    }
}
