//! Page cursors: opaque to clients, the same in every process of the same build, and accepted only if this server would
//! issue them. A cursor holds an offset and no secret.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;

/// The cursor of the page that starts at `offset`. `around` are the keys before and at that offset; they are part of the
/// hash, so that a list rejects the cursor of another list.
pub(crate) fn issue(offset: usize, page_size: Option<NonZeroUsize>, around: [&str; 2]) -> String {
    // `DefaultHasher::new()` has fixed keys.
    let mut hasher = DefaultHasher::new();
    (offset, page_size, around).hash(&mut hasher);
    format!("{offset:x}-{:016x}", hasher.finish())
}

/// The offset in a cursor, if the cursor has the right form. The caller checks that it would issue this cursor.
pub(crate) fn offset(cursor: &str) -> Option<usize> {
    usize::from_str_radix(cursor.split_once('-')?.0, 16).ok()
}
