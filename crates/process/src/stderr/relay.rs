//! The two threads between our pipe and the real standard error.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::backlog::Backlog;
use crate::blocking::write_all;

/// Read at once.
const CHUNK: usize = 64 * 1024;

/// Written at once: how finely the progress of a slow host is seen.
const PIECE: usize = 16 * 1024;

/// How long a host may take nothing before it counts as one that does not read; and how long the end waits at most.
const PATIENCE: Duration = Duration::from_millis(250);

/// What the threads share.
#[derive(Debug)]
pub(super) struct Relay {
    source: PipeReader,
    state: Mutex<State>,
    /// There is something to write, or nothing will come any more.
    filled: Condvar,
    /// Something got out, or nothing will any more.
    moved: Condvar,
}

#[derive(Debug, Default)]
struct State {
    backlog: Backlog,
    /// Since when the write that is under way waits for the host.
    writing: Option<Instant>,
    /// Nothing will come any more.
    is_ended: bool,
    /// The host closed its end: what comes is thrown away.
    is_closed: bool,
}

impl Relay {
    /// Starts the threads. What is written into the pipe gets to `real`, as far as that is read.
    pub(super) fn start(real: File) -> io::Result<(Arc<Self>, PipeWriter)> {
        let (source, pipe) = io::pipe()?;
        let relay = Self { source, state: Mutex::default(), filled: Condvar::new(), moved: Condvar::new() };
        let relay = Arc::new(relay);
        let (drains, writes) = (relay.clone(), relay.clone());
        // Should the second not start, the first ends with the pipe.
        thread::Builder::new().name("stderr".into()).spawn(move || drains.drain())?;
        thread::Builder::new().name("stderr-out".into()).spawn(move || writes.write_to(&real))?;
        Ok((relay, pipe))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes whatever comes, at once.
    fn drain(&self) {
        let mut chunk = vec![0; CHUNK];
        loop {
            if self.poll_source(None).is_err() {
                continue;
            }
            // Under the lock, so that nobody sees both the pipe and the backlog without what is on its way between them. It
            // does not wait: there is something, or the end, and no other thread reads.
            let mut state = self.lock();
            match (&self.source).read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => {
                    state.is_ended = true;
                    return self.filled.notify_one();
                }
                Ok(_) if state.is_closed => {}
                Ok(length) => {
                    state.backlog.push(&chunk[..length]);
                    self.filled.notify_one();
                }
            }
        }
    }

    /// Waits until there is something in the pipe; without waiting, whether there is.
    fn poll_source(&self, timeout: Option<Timespec>) -> io::Result<bool> {
        let mut fds = [PollFd::new(&self.source, PollFlags::IN)];
        Ok(poll(&mut fds, timeout.as_ref())? > 0)
    }

    /// Writes what came, waiting for the host as long as it takes.
    fn write_to(&self, real: &File) {
        let mut batch = Vec::new();
        while self.take(&mut batch) {
            for piece in batch.chunks(PIECE) {
                if write_all(real, piece).is_err() {
                    return self.close();
                }
                self.lock().writing = Some(Instant::now());
            }
        }
    }

    /// Waits for the next batch; `false` if none will come.
    fn take(&self, batch: &mut Vec<u8>) -> bool {
        batch.clear();
        let mut state = self.lock();
        state.writing = None;
        self.moved.notify_all();
        let waiting = |state: &mut State| state.backlog.is_empty() && !state.is_ended;
        let mut state = self.filled.wait_while(state, waiting).unwrap_or_else(PoisonError::into_inner);
        if state.backlog.is_empty() {
            return false;
        }
        state.backlog.take(batch);
        state.writing = Some(Instant::now());
        true
    }

    fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        state.backlog.clear();
        self.moved.notify_all();
    }

    /// Whether nothing will come any more.
    pub(super) fn is_ended(&self) -> bool {
        self.lock().is_ended
    }

    /// Waits until everything got out; `false` without waiting on if the host does not read or has closed its end.
    pub(super) fn settles(&self) -> bool {
        let give_up = Instant::now() + PATIENCE;
        let mut state = self.lock();
        loop {
            if state.is_closed || state.backlog.is_full() {
                return false;
            }
            let has_more = self.poll_source(Some(Timespec::default())).unwrap_or(true);
            if !has_more && state.backlog.is_empty() && state.writing.is_none() {
                return true;
            }
            let stalled = state.writing.map_or(give_up, |since| since + PATIENCE);
            let left = stalled.min(give_up).saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self.moved.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
