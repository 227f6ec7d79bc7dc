//! Splits bytes into lines of bounded length, in whatever pieces they arrive.
//!
//! Only the framing is here: the connection checks whether a line is UTF-8 and JSON.

use std::io;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use tokio::io::{AsyncRead, ReadBuf};

/// The most bytes of one read.
const CHUNK: usize = 64 * 1024;

/// The lines of one input. Complete lines are taken before more is read, so that **it never holds more than a chunk and one line**.
pub(crate) struct Lines {
    limit: usize,
    chunk: Box<[u8]>,
    /// The part of the chunk that is not split yet.
    start: usize,
    end: usize,
    line: Partial,
}

/// The start of a line whose end has not arrived yet.
enum Partial {
    Held(Vec<u8>),
    /// Too long, and reported: dropped up to its end.
    Skipped,
}

/// One line, without its end.
#[derive(Debug, Eq, PartialEq)]
pub(crate) enum Line {
    /// A copy: a request that keeps a part of it alive keeps no more than the line.
    Whole(Bytes),
    /// Longer than the limit. Returned as soon as that is known, before the end of the line.
    Oversized,
}

impl Lines {
    pub(crate) fn new(limit: usize) -> Self {
        let chunk = vec![0; CHUNK].into_boxed_slice();
        Self { limit, chunk, start: 0, end: 0, line: Partial::Held(Vec::new()) }
    }

    /// Changes the limit, for the line that is being read and those after it.
    pub(crate) fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Whether [`next`](Self::next) has nothing more before the next [`poll_fill`](Self::poll_fill).
    pub(crate) fn is_used_up(&self) -> bool {
        self.start == self.end
    }

    /// Reads once; `false` at the end of input. To be called when the chunk is used up.
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

    /// The next complete line of the chunk.
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
            Partial::Held(kept) if !kept.is_empty() => self.line.finish(&[], self.limit),
            Partial::Held(_) | Partial::Skipped => None,
        }
    }
}

impl Partial {
    /// Adds more of the line.
    fn extend(&mut self, more: &[u8], limit: usize) -> Option<Line> {
        let Self::Held(kept) = self else { return None };
        // One byte more may be the carriage return of its end.
        if kept.len() + more.len() > limit.saturating_add(1) {
            *self = Self::Skipped;
            return Some(Line::Oversized);
        }
        kept.extend_from_slice(more);
        None
    }

    /// Adds the last part of the line and starts the next one.
    fn finish(&mut self, last: &[u8], limit: usize) -> Option<Line> {
        let Self::Held(mut kept) = mem::replace(self, Self::Held(Vec::new())) else { return None };
        let line = if kept.is_empty() {
            Bytes::copy_from_slice(last)
        } else {
            kept.extend_from_slice(last);
            // It may be kept for long, so without the room that it grew into.
            kept.shrink_to_fit();
            Bytes::from(kept)
        };
        let line = if line.ends_with(b"\r") { line.slice(..line.len() - 1) } else { line };
        Some(if line.len() > limit { Line::Oversized } else { Line::Whole(line) })
    }
}

#[cfg(test)]
mod tests;
