//! Pages of a list that never changes. A cursor is the index at which its page starts; a value that was never issued is
//! an error.

use std::num::NonZeroUsize;
use std::ops::Range;

use grange_core::ExtensionError;

/// The range of one page, and the cursor of the next one.
pub(crate) fn page(
    length: usize,
    size: Option<NonZeroUsize>,
    cursor: Option<&str>,
) -> Result<(Range<usize>, Option<String>), ExtensionError> {
    let unknown = |cursor| ExtensionError::invalid_params(format!("Unknown cursor: {cursor}"));
    let Some(size) = size.map(NonZeroUsize::get) else {
        return cursor.map_or(Ok((0..length, None)), |cursor| Err(unknown(cursor)));
    };
    let start = match cursor {
        None => 0,
        Some(cursor) => {
            let start = cursor.parse().ok().filter(|start: &usize| start.to_string() == cursor);
            start.filter(|start| *start > 0 && *start < length && start % size == 0).ok_or_else(|| unknown(cursor))?
        }
    };
    let end = length.min(start + size);
    Ok((start..end, (end < length).then(|| end.to_string())))
}
