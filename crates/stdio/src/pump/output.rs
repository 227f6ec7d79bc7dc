//! Standard output: a short message is written at once where that does not wait; a thread writes the others, a batch at a time.
//! Messages that arrive while it writes are the next batch.

use std::io::{self, IoSlice};
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;

use tokio::io::AsyncWrite;

/// The most bytes of a batch.
const BATCH: usize = 256 * 1024;

/// The bytes to write.
pub(crate) struct Output(Arc<Shared>);

struct Shared {
    sink: grange_process::Output,
    state: Mutex<State>,
    /// Notified when there is something to write, or the output is closed.
    given: Condvar,
}

#[derive(Default)]
struct State {
    /// The next batch.
    batch: Vec<u8>,
    /// The thread is writing the one before.
    writing: bool,
    /// The error of the stream. The first caller gets it, later ones a broken pipe.
    failure: Option<io::Error>,
    broken: bool,
    /// Nothing more will be written.
    closed: bool,
    writer: Option<(Awaited, Waker)>,
}

/// What the writing task waits for. An error always wakes it.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Awaited {
    /// The next batch has room.
    Room,
    /// Everything is written.
    Idle,
}

impl Output {
    /// Starts writing.
    pub(crate) fn start(sink: grange_process::Output) -> io::Result<Self> {
        let shared = Arc::new(Shared { sink, state: Mutex::default(), given: Condvar::new() });
        let output = Self(shared.clone());
        thread::Builder::new().name("stdout".into()).spawn(move || shared.write())?;
        Ok(output)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) {
        let mut batch = Vec::new();
        while self.take(&mut batch) {
            if let Err(error) = self.sink.write_all(&batch) {
                return self.fail(&error);
            }
        }
    }

    /// Waits for the next batch; `false` if there will be none.
    fn take(&self, batch: &mut Vec<u8>) -> bool {
        batch.clear();
        let mut state = self.lock();
        state.writing = false;
        if state.batch.is_empty() {
            state.wake(Awaited::Idle);
        }
        let waiting = |state: &mut State| state.batch.is_empty() && !state.closed;
        let mut state = self.given.wait_while(state, waiting).unwrap_or_else(PoisonError::into_inner);
        mem::swap(&mut state.batch, batch);
        state.writing = !batch.is_empty();
        state.wake(Awaited::Room);
        state.writing
    }

    fn fail(&self, error: &io::Error) {
        let mut state = self.lock();
        state.broken = true;
        state.failure = Some(explained(error));
        if let Some((_, writer)) = state.writer.take() {
            writer.wake();
        }
    }
}

/// The error keeps its kind, by which the driver recognizes that the host has closed its end.
fn explained(error: &io::Error) -> io::Error {
    let remedy = "the host has to read it: start the server as its child process, with a pipe there";
    io::Error::new(error.kind(), format!("standard output cannot be written: {error}; {remedy}"))
}

impl State {
    fn is_idle(&self) -> bool {
        self.batch.is_empty() && !self.writing
    }

    fn wake(&mut self, what: Awaited) {
        if let Some((_, writer)) = self.writer.take_if(|(awaited, _)| *awaited == what) {
            writer.wake();
        }
    }

    fn wait_for(&mut self, what: Awaited, cx: &Context<'_>) {
        match &mut self.writer {
            Some((awaited, writer)) if writer.will_wake(cx.waker()) => *awaited = what,
            writer => *writer = Some((what, cx.waker().clone())),
        }
    }

    fn check(&mut self) -> io::Result<()> {
        if self.broken { Err(self.failure.take().unwrap_or(io::ErrorKind::BrokenPipe.into())) } else { Ok(()) }
    }
}

impl AsyncWrite for Output {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(cx, &[IoSlice::new(buf)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut state = self.0.lock();
        state.check()?;
        // If nothing waits to be written, a short message does not have to wake the thread.
        if let [only] = slices
            && state.is_idle()
            && let Some(written) = self.0.sink.write_now(only).map_err(|error| explained(&error))?
        {
            return Poll::Ready(Ok(written));
        }
        let before = state.batch.len();
        if before >= BATCH {
            state.wait_for(Awaited::Room, cx);
            return Poll::Pending;
        }
        for slice in slices {
            let room = BATCH - state.batch.len();
            state.batch.extend_from_slice(&slice[..slice.len().min(room)]);
        }
        let written = state.batch.len() - before;
        let idle = !state.writing;
        drop(state);
        if idle {
            self.0.given.notify_one();
        }
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    /// Waits until everything is written; also returns the error of an earlier write.
    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut state = self.0.lock();
        state.check()?;
        if state.is_idle() {
            return Poll::Ready(Ok(()));
        }
        state.wait_for(Awaited::Idle, cx);
        Poll::Pending
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.given.notify_one();
    }
}
