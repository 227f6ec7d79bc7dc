//! The JSON names of a completion.

use super::selection::Selection;
use crate::rpc::{Json, write_array, write_string};

/// The members of a result without values.
pub(crate) const EMPTY: &[u8] = b"\"completion\":{\"values\":[],\"hasMore\":false}";

/// Writes the members of a result.
pub(super) fn completion(out: &mut Vec<u8>, selection: &Selection<'_>) {
    out.extend_from_slice(b"\"completion\":");
    let mut completion = Json::object(out);
    write_array(completion.member("values"), &selection.values, |out, value| write_string(out, value));
    if let Some(total) = selection.total {
        completion.number("total", total);
    }
    completion.raw("hasMore", if selection.has_more { b"true" } else { b"false" });
    completion.end();
}
