//! What the end of a client's input means for the answer that the client waits for.
//!
//! A client that closes its connection ends its input, and so does a client that only sends no more and still reads. The socket cannot
//! tell the two apart. **The work behind the answer says what follows**, and only while it has to wait: an answer that is ready at once
//! needs no watch. The socket of the small server acts on it (`server/socket.rs`); a mounted service has no socket, and the server
//! around it watches the connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// When the client of an answer counts as gone.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u8)]
pub(crate) enum Gone {
    /// Never: no answer is awaited, or none is affected.
    Unwatched = 0,
    /// When the connection is broken.
    AtReset = 1,
    /// When it sends no more.
    AtEndOfInput = 2,
}

/// What the answer of one connection says. HTTP/1 has one answer at a time.
#[derive(Clone, Debug, Default)]
#[cfg(feature = "serve")]
pub(crate) struct ClientWatch(Arc<AtomicU8>);

#[cfg(feature = "serve")]
impl ClientWatch {
    /// For the next answer.
    pub(crate) fn answer(&self) -> AnswerWatch {
        AnswerWatch(Some(self.0.clone()))
    }

    /// When the client counts as gone.
    #[inline]
    pub(crate) fn gone(&self) -> Gone {
        match self.0.load(Ordering::Relaxed) {
            0 => Gone::Unwatched,
            1 => Gone::AtReset,
            _ => Gone::AtEndOfInput,
        }
    }
}

/// The watch of one answer. Dropped, it ends.
#[derive(Debug, Default)]
pub(crate) struct AnswerWatch(Option<Arc<AtomicU8>>);

impl AnswerWatch {
    /// The answer has to wait.
    pub(crate) fn wait(&self, gone: Gone) {
        if let Some(watch) = &self.0 {
            watch.store(gone as u8, Ordering::Relaxed);
        }
    }

    /// The work is over.
    pub(crate) fn end(&mut self) {
        if let Some(watch) = self.0.take() {
            watch.store(Gone::Unwatched as u8, Ordering::Relaxed);
        }
    }
}

impl Drop for AnswerWatch {
    fn drop(&mut self) {
        self.end();
    }
}
