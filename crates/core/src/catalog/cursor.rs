//! Page cursors: opaque to clients, the same in every process of the same build, and recognised only if this server
//! would issue them. They hold a place, not a secret.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;

/// The cursor of the page that starts at `offset`; `around` are the keys before and at that place, so that a cursor of
/// another list is not taken for one of this.
pub(super) fn issue(offset: usize, page_size: Option<NonZeroUsize>, around: [&str; 2]) -> String {
    // `DefaultHasher::new()` has fixed keys.
    let mut hasher = DefaultHasher::new();
    (offset, page_size, around).hash(&mut hasher);
    format!("{offset:x}-{:016x}", hasher.finish())
}

/// The place that a cursor names, if it has the shape of one.
pub(super) fn offset(cursor: &str) -> Option<usize> {
    usize::from_str_radix(cursor.split_once('-')?.0, 16).ok()
}
