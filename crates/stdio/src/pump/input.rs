//! A thread that reads ahead by one chunk, for what cannot be watched: a file, a terminal, a device.

use std::io::{self, Read};
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;

use tokio::io::{AsyncRead, ReadBuf};

/// The most bytes of one read.
const CHUNK: usize = 64 * 1024;

/// The input, in chunks.
pub(crate) struct Input(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// Notified when the chunk is used up, or no other is wanted.
    taken: Condvar,
}

struct State {
    chunk: Vec<u8>,
    /// The part of the chunk that is not taken yet.
    start: usize,
    end: usize,
    /// How the stream ended; the error is given once.
    ended: Option<io::Result<()>>,
    abandoned: bool,
    reader: Option<Waker>,
}

impl Input {
    /// Starts reading.
    pub(crate) fn start(source: impl Read + Send + 'static) -> io::Result<Self> {
        let state = State { chunk: vec![0; CHUNK], start: 0, end: 0, ended: None, abandoned: false, reader: None };
        let shared = Arc::new(Shared { state: Mutex::new(state), taken: Condvar::new() });
        let input = Self(shared.clone());
        thread::Builder::new().name("stdin".into()).spawn(move || shared.read_from(source))?;
        Ok(input)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_from(&self, mut source: impl Read) {
        let mut chunk = vec![0; CHUNK];
        loop {
            match source.read(&mut chunk) {
                Ok(0) => return self.end(Ok(())),
                Ok(length) => {
                    if !self.offer(&mut chunk, length) {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return self.end(Err(error)),
            }
        }
    }

    /// Waits until the last chunk is used up, and provides the next; `false` if no more is wanted.
    fn offer(&self, chunk: &mut Vec<u8>, length: usize) -> bool {
        let waiting = |state: &mut State| state.start < state.end && !state.abandoned;
        let mut state = self.taken.wait_while(self.lock(), waiting).unwrap_or_else(PoisonError::into_inner);
        if state.abandoned {
            return false;
        }
        mem::swap(&mut state.chunk, chunk);
        (state.start, state.end) = (0, length);
        let reader = state.reader.take();
        drop(state);
        reader.into_iter().for_each(Waker::wake);
        true
    }

    fn end(&self, how: io::Result<()>) {
        let mut state = self.lock();
        state.ended = Some(how);
        let reader = state.reader.take();
        drop(state);
        reader.into_iter().for_each(Waker::wake);
    }
}

impl AsyncRead for Input {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let mut state = self.0.lock();
        let state = &mut *state;
        if state.start < state.end {
            let length = buf.remaining().min(state.end - state.start);
            buf.put_slice(&state.chunk[state.start..state.start + length]);
            state.start += length;
            if state.start == state.end {
                self.0.taken.notify_one();
            }
            return Poll::Ready(Ok(()));
        }
        if let Some(how) = &mut state.ended {
            return Poll::Ready(mem::replace(how, Ok(())));
        }
        state.reader = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        self.0.lock().abandoned = true;
        self.0.taken.notify_one();
    }
}
