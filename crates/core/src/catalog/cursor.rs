//! Page cursors: opaque to clients, the same in every process, and accepted only if this server would issue them. A cursor holds an
//! offset and no secret.

use std::num::NonZeroUsize;

use super::checksum::Checksum;

/// The cursor of the page that starts at `offset`. `around` are the keys before and at that offset; they are part of the
/// checksum, so that a list rejects the cursor of another list.
pub(super) fn issue(offset: usize, page_size: Option<NonZeroUsize>, around: [&str; 2]) -> String {
    let sum = Checksum::new().number(offset).number(page_size.map_or(0, NonZeroUsize::get));
    let sum = around.into_iter().fold(sum, Checksum::text);
    format!("{offset:x}-{:016x}", sum.value())
}

/// The offset in a cursor, if the cursor has the right form. The caller checks that it would issue this cursor.
pub(super) fn offset(cursor: &str) -> Option<usize> {
    usize::from_str_radix(cursor.split_once('-')?.0, 16).ok()
}
