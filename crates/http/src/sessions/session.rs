//! One session: the engine's session, and the event streams that are open or can be resumed.
//!
//! **The lock is held for one step only**: never while anything is awaited, woken, dropped or sent, since all of these may run code of
//! the author or of the application.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, Weak};
use std::task::{Poll, Waker};

use grange_core::{Status, Wire};

use super::event_id::EventId;
use super::log::{Answer, Event, Log, Read, ReaderState};
use super::replay_budget::{Evict, Evictable, ReplayBudget};
use crate::lock::{inside, lock};
use crate::telemetry::{self, Open};

/// A session. The table knows its id and its owner.
pub(crate) struct Session {
    protocol: grange_core::Session,
    budget: Arc<ReplayBudget>,
    state: Mutex<State>,
    _open: Open,
}

#[derive(Default)]
struct State {
    ended: bool,
    logs: BTreeMap<u64, Log>,
    /// The number of the newest stream.
    last: u64,
    /// The number of the standalone stream, which answers no request.
    standalone: Option<u64>,
    /// Of all logs.
    bytes: usize,
}

/// What is to be done after a step, without the lock.
#[derive(Default)]
struct After {
    wake: Vec<Waker>,
    events: Vec<Event>,
    logs: Vec<Log>,
}

/// One reader of one stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) stream: u64,
    pub(crate) reader: u64,
}

impl Session {
    pub(crate) fn new(protocol: grange_core::Session, budget: Arc<ReplayBudget>) -> Self {
        Self { protocol, budget, state: Mutex::default(), _open: Open::new(telemetry::SESSIONS) }
    }

    pub(crate) fn protocol(&self) -> &grange_core::Session {
        &self.protocol
    }

    /// Ends it: requests are cancelled, streams end.
    pub(crate) fn end(&self) {
        self.step(|state, after| {
            state.ended = true;
            let logs = std::mem::take(&mut state.logs);
            state.bytes = 0;
            after.logs.extend(logs.into_values().map(|mut log| {
                after.wake.extend(log.reader().into_iter().chain(log.writer()));
                log
            }));
        });
        self.protocol.end();
    }

    /// The stream for a new request; `None` if the session has ended meanwhile.
    pub(crate) fn begin(&self, quiet: bool) -> Option<u64> {
        self.step(|state, _| state.begin(quiet, self.budget.most_in_session()))
    }

    /// The kind of answer that the request gets; see [`Log::poll_answer`].
    pub(crate) fn poll_answer(&self, stream: u64, json: bool, waker: &Waker) -> Poll<Answer> {
        self.step(|state, after| {
            let Some(log) = state.logs.get_mut(&stream) else { return Poll::Ready(Answer::Nothing) };
            let Some(answer) = log.poll_answer(json, waker) else { return Poll::Pending };
            if !matches!(answer, Answer::Stream(_)) {
                state.remove(stream, after);
            }
            Poll::Ready(answer)
        })
    }

    /// The client of that request is gone, and cannot resume, since there was no stream yet.
    pub(crate) fn abandon(&self, stream: u64) {
        self.step(|state, after| state.remove(stream, after));
    }

    /// Whether the stream of the request has a reader. The waker is woken when that changes.
    pub(crate) fn reader_state(&self, stream: u64, waker: &Waker) -> ReaderState {
        self.step(|state, _| state.logs.get_mut(&stream).map_or(ReaderState::Gone, |log| log.reader_state(waker)))
    }

    /// Writes a message.
    pub(crate) fn say(&self, stream: u64, wire: Wire) {
        // A message that is not kept is dropped here and not under the lock: its payload may be a type of the author.
        let _held = wire.clone();
        self.step(|state, after| {
            state.change(stream, |log| after.wake.extend(log.push(wire)));
            state.trim(self.budget.most_in_session(), after);
        });
        self.reclaim();
    }

    /// Writes the answer, the last message.
    pub(crate) fn finish(self: &Arc<Self>, stream: u64, wire: Wire, status: Status) {
        let _held = wire.clone();
        self.step(|state, after| {
            state.change(stream, |log| after.wake.extend(log.finish(wire, status)));
            state.trim(self.budget.most_in_session(), after);
        });
        self.note_left(stream);
        self.reclaim();
        self.tell();
    }

    /// The request was cancelled: writes the withdrawals of the server's requests to the client, and nothing more.
    pub(crate) fn cancel(self: &Arc<Self>, stream: u64) {
        let is_stream = self.step(|state, _| state.logs.get(&stream).is_some_and(Log::is_stream));
        if is_stream {
            self.protocol.take_messages().for_each(|wire| self.say(stream, wire));
        }
        self.step(|state, after| state.change(stream, |log| after.wake.extend(log.close())));
        self.note_left(stream);
        self.tell();
    }

    /// The reader of that stream is to disconnect, and may reconnect.
    pub(crate) fn suspend(&self, stream: u64) {
        self.step(|state, after| state.change(stream, |log| after.wake.extend(log.suspend())));
    }

    /// The next event for that reader.
    pub(crate) fn read(&self, reading: Reading, waker: &Waker) -> Read {
        self.step(|state, after| {
            let Some(log) = state.logs.get_mut(&reading.stream) else { return Read::Over };
            let read = log.read(reading.reader, waker);
            if let Read::Event(_) = read {
                after.wake.extend(log.waiting_writer());
                state.trim(self.budget.most_in_session(), after);
            }
            read
        })
    }

    /// A reader that resumes after that event; `None` if some event after it is no longer kept.
    pub(crate) fn resume(&self, after_event: EventId) -> Option<Reading> {
        let EventId { stream, number } = after_event;
        self.step(|state, after| {
            let log = state.logs.get_mut(&stream)?;
            let before = log.reader();
            let reader = log.resume(number);
            after.wake.extend(before.into_iter().chain(log.writer()));
            reader.map(|reader| Reading { stream, reader })
        })
    }

    pub(crate) fn is_standalone(&self, stream: u64) -> bool {
        self.step(|state, _| state.standalone == Some(stream))
    }

    /// A reader of the standalone stream, and the event after which it reads. It replaces the reader before it. `None` if the session
    /// has ended meanwhile.
    pub(crate) fn listen(&self) -> Option<(Reading, EventId)> {
        self.step(|state, after| {
            let stream = match state.standalone {
                Some(stream) => stream,
                None => state.begin(false, self.budget.most_in_session())?,
            };
            state.standalone = Some(stream);
            let log = state.logs.get_mut(&stream)?;
            after.wake.extend(log.reader());
            let reader = log.read_again();
            let number = log.position();
            Some((Reading { stream, reader }, EventId { stream, number }))
        })
    }

    /// That reader leaves.
    pub(crate) fn detach(self: &Arc<Self>, reading: Reading) {
        let Reading { stream, reader } = reading;
        self.step(|state, after| {
            let Some(log) = state.logs.get_mut(&stream) else { return };
            if log.detach(reader) {
                after.wake.extend(log.writer());
                state.trim(self.budget.most_in_session(), after);
            }
        });
        self.note_left(stream);
        self.reclaim();
    }

    /// Writes the withdrawals of the server's requests to the standalone stream, if that is open and its reader keeps up. Until then
    /// the session of the engine keeps some of them.
    pub(crate) fn tell(&self) {
        if let Some(stream) = self.kept_up_with() {
            self.protocol.take_messages().for_each(|wire| self.say(stream, wire));
        }
    }

    /// Writes the next notification of a change to the standalone stream, if its reader keeps up; `false` if there was none. The task of
    /// this waker, which must be the reader's, is woken when there may be another.
    pub(crate) fn notify(&self, waker: &Waker) -> bool {
        let Some(stream) = self.kept_up_with() else { return false };
        let wire = self.protocol.poll_notification(waker);
        wire.map(|wire| self.say(stream, wire)).is_some()
    }

    /// Writes the rest of the notifications, at the end.
    pub(crate) fn notify_last(&self) {
        if let Some(stream) = self.kept_up_with() {
            while let Some(wire) = self.protocol.take_last_notification() {
                self.say(stream, wire);
            }
        }
    }

    /// The standalone stream, if it is open and its reader keeps up.
    fn kept_up_with(&self) -> Option<u64> {
        self.step(|state, _| {
            let stream = state.standalone?;
            state.logs.get(&stream).filter(|log| log.is_kept_up_with()).map(|_| stream)
        })
    }

    /// If the stream is over and has no reader, it may be evicted from here on.
    fn note_left(self: &Arc<Self>, stream: u64) {
        let owner: Weak<dyn Evict> = Arc::<Self>::downgrade(self);
        let evictable = Arc::new(Evictable { owner, stream });
        let is_left = self.step(|state, _| {
            let log = state.logs.get_mut(&stream).filter(|log| log.is_left());
            log.map(|log| log.evictable = Some(evictable.clone())).is_some()
        });
        if is_left {
            self.budget.offer(&evictable);
        }
    }

    /// Keeps the service within its budget. If there is nothing else to evict, this session keeps no events.
    fn reclaim(&self) {
        if !self.budget.reclaim() {
            self.step(|state, after| state.trim(0, after));
        }
    }

    fn step<R>(&self, step: impl FnOnce(&mut State, &mut After) -> R) -> R {
        let mut after = After::default();
        let mut state = lock(&self.state);
        let before = state.bytes;
        let result = step(&mut state, &mut after);
        self.budget.change(before, state.bytes);
        drop(state);
        after.wake.into_iter().for_each(Waker::wake);
        result
    }
}

impl Evict for Session {
    fn evict(&self, stream: u64) {
        self.step(|state, after| {
            if state.logs.get(&stream).is_some_and(Log::is_left) {
                state.remove(stream, after);
            }
        });
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let state = inside(&mut self.state);
        self.budget.change(state.bytes, 0);
    }
}

impl State {
    fn begin(&mut self, quiet: bool, most: usize) -> Option<u64> {
        if self.ended {
            return None;
        }
        self.last += 1;
        let log = Log::new(self.last, quiet, most);
        self.bytes += log.bytes();
        self.logs.insert(self.last, log);
        Some(self.last)
    }

    /// Changes a log, if it is there.
    fn change(&mut self, stream: u64, change: impl FnOnce(&mut Log)) {
        if let Some(log) = self.logs.get_mut(&stream) {
            let before = log.bytes();
            change(log);
            self.bytes = self.bytes + log.bytes() - before;
        }
    }

    fn remove(&mut self, stream: u64, after: &mut After) {
        if let Some(log) = self.logs.remove(&stream) {
            self.bytes -= log.bytes();
            after.wake.extend(log.writer());
            after.logs.push(log);
        }
    }

    /// Drops what can be spared until the rest is within that many bytes: of streams that are over first, then events that
    /// their readers had, then those for which there is no reader; of each the oldest.
    fn trim(&mut self, most: usize, after: &mut After) {
        while self.bytes > most {
            let left = self.logs.iter_mut().find(|(_, log)| log.is_left());
            if let Some((&stream, log)) = left {
                match log.drop_oldest(true) {
                    Some(event) => self.drop_event(event, after),
                    None => self.remove(stream, after),
                }
                continue;
            }
            let read = self.logs.values_mut().find_map(|log| log.drop_oldest(false));
            let spared = read.or_else(|| self.logs.values_mut().find_map(|log| log.drop_oldest(true)));
            let Some(event) = spared else { return };
            self.drop_event(event, after);
        }
    }

    fn drop_event(&mut self, event: Event, after: &mut After) {
        self.bytes -= event.bytes();
        after.events.push(event);
    }
}

#[cfg(test)]
mod tests;
