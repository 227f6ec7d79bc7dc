//! The two threads between the pipe that stands for standard error and the real one.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::backlog::Backlog;
use crate::blocking::write_all;

/// The most bytes of one read.
const CHUNK: usize = 64 * 1024;

/// The most bytes of one write: small, so that the progress of a slow host is noticed.
const PIECE: usize = 16 * 1024;

/// How long a host may read nothing before it counts as one that does not read; also the longest wait at the end.
const PATIENCE: Duration = Duration::from_millis(250);

/// The state that the threads share.
#[derive(Debug)]
pub(super) struct Relay {
    source: PipeReader,
    state: Mutex<State>,
    /// Notified when there is something to write, or the pipe has ended.
    filled: Condvar,
    /// Notified when bytes were written, or no more will be.
    moved: Condvar,
}

#[derive(Debug, Default)]
struct State {
    backlog: Backlog,
    /// Since when the current write waits for the host.
    writing: Option<Instant>,
    /// The pipe has ended.
    is_ended: bool,
    /// The host closed its end: all further bytes are dropped.
    is_closed: bool,
}

impl Relay {
    /// Starts the threads. They relay the bytes of the pipe to `real`, as far as the host reads them.
    pub(super) fn start(real: File) -> io::Result<(Arc<Self>, PipeWriter)> {
        let (source, pipe) = io::pipe()?;
        let relay = Self { source, state: Mutex::default(), filled: Condvar::new(), moved: Condvar::new() };
        let relay = Arc::new(relay);
        let (drains, writes) = (relay.clone(), relay.clone());
        // If the second cannot be started, the first ends with the pipe.
        thread::Builder::new().name("stderr".into()).spawn(move || drains.drain())?;
        thread::Builder::new().name("stderr-out".into()).spawn(move || writes.write_to(&real))?;
        Ok((relay, pipe))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the pipe, and never waits for the host.
    fn drain(&self) {
        let mut chunk = vec![0; CHUNK];
        loop {
            if self.poll_source(None).is_err() {
                continue;
            }
            // Under the lock, so that no other thread sees both the pipe and the backlog while bytes are between them. It does not wait:
            // there are bytes, or the end, and no other thread reads.
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

    /// Whether the pipe has bytes, or has ended. Waits for that: without a `timeout` as long as needed.
    fn poll_source(&self, timeout: Option<Timespec>) -> io::Result<bool> {
        let mut fds = [PollFd::new(&self.source, PollFlags::IN)];
        Ok(poll(&mut fds, timeout.as_ref())? > 0)
    }

    /// Writes the backlog, and waits for the host as long as needed.
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

    /// Waits for the next batch; `false` if there will be none.
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

    /// Whether the pipe has ended.
    pub(super) fn is_ended(&self) -> bool {
        self.lock().is_ended
    }

    /// Waits until everything is written; `false`, without more waiting, if the host does not read or has closed its end.
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
