//! The bytes of messages that are not written yet.
//!
//! Small messages are copied into one buffer, so that one write takes many of them; large parts stay slices.

use std::collections::VecDeque;
use std::io::{self, IoSlice};
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use grange_core::Wire;
use tokio::io::AsyncWrite;

/// The most slices of one write.
const SLICES: usize = 16;

/// The messages of one output, in order. **Each is written in one piece**: nothing comes between its parts.
#[derive(Default)]
pub(crate) struct WriteBuffer {
    /// Closed buffers and large parts; the open buffer follows them.
    queue: VecDeque<Bytes>,
    tail: Vec<u8>,
    /// Bytes of the tail that are written.
    tail_written: usize,
    unwritten: usize,
    unflushed: bool,
}

impl WriteBuffer {
    /// With more bytes unwritten, the output counts as congested.
    pub(crate) const CONGESTED: usize = 256 * 1024;

    /// Bytes of messages that are not written.
    pub(crate) fn unwritten(&self) -> usize {
        self.unwritten
    }

    pub(crate) fn push(&mut self, message: Wire) {
        self.unwritten += message.len() + 1;
        self.unflushed = true;
        for part in message.into_parts() {
            if part.len() > Wire::SLICED {
                self.close_tail();
                self.queue.push_back(part);
            } else {
                self.tail.extend_from_slice(&part);
            }
        }
        self.tail.extend_from_slice(b"\n");
    }

    /// The same for a message that was copied already.
    pub(crate) fn push_short(&mut self, message: &[u8]) {
        self.unwritten += message.len() + 1;
        self.unflushed = true;
        self.tail.extend_from_slice(message);
        self.tail.extend_from_slice(b"\n");
    }

    /// Whether so much is unwritten that nothing should be added which can wait.
    pub(crate) fn is_congested(&self) -> bool {
        self.unwritten > Self::CONGESTED
    }

    /// Whether all is written and flushed.
    pub(crate) fn is_empty(&self) -> bool {
        self.unwritten == 0 && !self.unflushed
    }

    /// Writes until all is written and flushed.
    pub(crate) fn poll_send<W: AsyncWrite>(
        &mut self,
        cx: &mut Context<'_>,
        mut write: Pin<&mut W>,
    ) -> Poll<io::Result<()>> {
        while self.unwritten > 0 {
            let mut slices = [IoSlice::new(&[]); SLICES];
            let parts = self.queue.iter().map(|part| &part[..]).chain([&self.tail[self.tail_written..]]);
            let count = slices.iter_mut().zip(parts).map(|(slice, part)| *slice = IoSlice::new(part)).count();
            match ready!(write.as_mut().poll_write_vectored(cx, &slices[..count]))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                written => self.advance(written),
            }
        }
        // Also with nothing to flush: an output may report here that it broke after it took everything.
        ready!(write.poll_flush(cx))?;
        self.unflushed = false;
        Poll::Ready(Ok(()))
    }

    fn close_tail(&mut self) {
        let mut closed = Bytes::from(mem::take(&mut self.tail));
        closed.advance(mem::take(&mut self.tail_written));
        if !closed.is_empty() {
            self.queue.push_back(closed);
        }
    }

    fn advance(&mut self, mut written: usize) {
        self.unwritten -= written;
        while let Some(part) = self.queue.front_mut() {
            if written < part.len() {
                return part.advance(written);
            }
            written -= part.len();
            self.queue.pop_front();
        }
        self.tail_written += written;
        if self.tail_written == self.tail.len() {
            self.tail_written = 0;
            self.tail.clear();
            // Kept for the next messages, unless many of them made it large.
            self.tail.shrink_to(2 * Self::CONGESTED);
        }
    }
}
