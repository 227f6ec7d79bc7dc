//! The bytes on their way to a host that may not read: bounded, and dropped by whole lines.

use std::mem;

/// The most bytes that wait. As many again may be in a batch that is being written.
pub(super) const LIMIT: usize = 256 * 1024;

/// Takes bytes in pieces of any length; gives batches, and the number of lines that were dropped after each.
///
/// **From the first line that does not fit, all are dropped until the next batch is taken**, so that the count is written where the lines
/// are missing.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    bytes: Vec<u8>,
    /// The position in them where the current line begins.
    line: usize,
    /// The beginning of the current line is in a batch that was taken.
    is_torn: bool,
    /// The rest of the current line is dropped.
    is_skipping: bool,
    /// Lines that were dropped since the last batch, cut ones included.
    lost: u64,
}

impl Backlog {
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.lost == 0
    }

    /// Whether lines are being dropped.
    pub(super) fn is_full(&self) -> bool {
        self.lost > 0
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let ends = piece.ends_with(b"\n");
            if self.is_skipping {
                self.is_skipping = !ends;
            } else if self.is_full() || self.bytes.len() + piece.len() > LIMIT {
                self.bytes.truncate(self.line);
                self.lost += 1;
                self.is_skipping = !ends;
            } else {
                self.bytes.extend_from_slice(piece);
                if ends {
                    self.line = self.bytes.len();
                    self.is_torn = false;
                }
            }
        }
    }

    /// Moves all bytes into an empty `batch`, and returns the number of lines that were dropped after it.
    pub(super) fn take(&mut self, batch: &mut Vec<u8>) {
        debug_assert!(batch.is_empty(), "bytes would come twice");
        let is_open = self.line < self.bytes.len();
        mem::swap(&mut self.bytes, batch);
        self.line = 0;
        if self.lost > 0 {
            if mem::take(&mut self.is_torn) {
                batch.push(b'\n');
            }
            batch.extend_from_slice(notice(mem::take(&mut self.lost)).as_bytes());
        }
        self.is_torn |= is_open;
    }

    /// Drops everything, and frees its memory.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

fn notice(lost: u64) -> String {
    let (lines, were, them) = if lost == 1 { ("line", "was", "it") } else { ("lines", "were", "them") };
    format!("grange: {lost} {lines} of standard error {were} dropped: the host did not read {them}\n")
}

#[cfg(test)]
mod tests;
