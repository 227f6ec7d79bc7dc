//! Bytes into lines: bounded, in whatever pieces they come.
//!
//! Only the framing is here; whether a line is UTF-8 or JSON is the connection's to say.

use std::io;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use tokio::io::{AsyncRead, ReadBuf};

/// Read at once.
const CHUNK: usize = 64 * 1024;

/// The lines of one input. Complete ones are taken out before more is read, so that **it never holds more than a chunk and
/// one line**.
pub(crate) struct Lines {
    limit: usize,
    chunk: Box<[u8]>,
    /// What of the chunk is not looked at yet.
    start: usize,
    end: usize,
    line: Partial,
}

/// The start of a line whose end was not seen yet.
enum Partial {
    Kept(Vec<u8>),
    /// Too long, and said so: thrown away up to its end.
    Skipped,
}

/// One line, without its end.
#[derive(Debug, Eq, PartialEq)]
pub(crate) enum Line {
    /// Bytes of its own: a request that keeps a part of it alive keeps no more than the line.
    Whole(Bytes),
    /// Longer than the limit. Comes as soon as that is clear.
    Oversized,
}

impl Lines {
    pub(crate) fn new(limit: usize) -> Self {
        let chunk = vec![0; CHUNK].into_boxed_slice();
        Self { limit, chunk, start: 0, end: 0, line: Partial::Kept(Vec::new()) }
    }

    /// Changes how long a line may be, from the one that is being read on.
    pub(crate) fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Whether [`next`](Self::next) has nothing more before the next [`poll_fill`](Self::poll_fill).
    pub(crate) fn is_used_up(&self) -> bool {
        self.start == self.end
    }

    /// Reads once; `false` at the end of input. To be called when what was read is used up.
    pub(crate) fn poll_fill<R: AsyncRead>(
        &mut self,
        cx: &mut Context<'_>,
        read: Pin<&mut R>,
    ) -> Poll<io::Result<bool>> {
        debug_assert!(self.is_used_up(), "a line would be lost");
        let mut buffer = ReadBuf::new(&mut self.chunk);
        ready!(read.poll_read(cx, &mut buffer))?;
        (self.start, self.end) = (0, buffer.filled().len());
        Poll::Ready(Ok(self.end > 0))
    }

    /// The next complete line of what was read.
    pub(crate) fn next(&mut self) -> Option<Line> {
        while self.start < self.end {
            let rest = &self.chunk[self.start..self.end];
            let Some(length) = memchr::memchr(b'\n', rest) else {
                self.start = self.end;
                return self.line.extend(rest, self.limit);
            };
            self.start += length + 1;
            if let Some(line) = self.line.finish(&rest[..length], self.limit) {
                return Some(line);
            }
        }
        None
    }

    /// The last line, if it had no end.
    pub(crate) fn finish(&mut self) -> Option<Line> {
        match &self.line {
            Partial::Kept(kept) if !kept.is_empty() => self.line.finish(&[], self.limit),
            Partial::Kept(_) | Partial::Skipped => None,
        }
    }
}

impl Partial {
    /// Takes more of the line.
    fn extend(&mut self, more: &[u8], limit: usize) -> Option<Line> {
        let Self::Kept(kept) = self else { return None };
        // One byte more may be the carriage return of its end.
        if kept.len() + more.len() > limit.saturating_add(1) {
            *self = Self::Skipped;
            return Some(Line::Oversized);
        }
        kept.extend_from_slice(more);
        None
    }

    /// Takes the last of the line and starts the next one.
    fn finish(&mut self, last: &[u8], limit: usize) -> Option<Line> {
        let Self::Kept(mut kept) = mem::replace(self, Self::Kept(Vec::new())) else { return None };
        let line = if kept.is_empty() {
            Bytes::copy_from_slice(last)
        } else {
            kept.extend_from_slice(last);
            Bytes::from(kept)
        };
        let line = if line.ends_with(b"\r") { line.slice(..line.len() - 1) } else { line };
        Some(if line.len() > limit { Line::Oversized } else { Line::Whole(line) })
    }
}

#[cfg(test)]
mod tests;
