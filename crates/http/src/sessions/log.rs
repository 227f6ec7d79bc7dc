//! The messages of one event stream, numbered, and how many of them its reader has had: a client that lost its connection can resume
//! after any of them.
//!
//! Pure: no lock, no clock, no I/O. There is one reader at a time, and the next one replaces it. While there is a reader, events that it
//! has not read are never dropped; they hold up the writer instead ([`ReaderState::Slow`]). Without a reader the writer goes on, and
//! only the newest events are kept ([`Log::drop_oldest`]).

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::Waker;

use bytes::Bytes;
use grange_core::{ByteGuard, Status, Wire};

use super::event_id::EventId;
use super::replay_budget::Evictable;
use crate::byte_budget::SMALL;
use crate::sse;

/// One stream.
pub(crate) struct Log {
    stream: u64,
    events: VecDeque<Event>,
    /// The number of the newest event; the first has 1.
    last: u64,
    /// The number of the event that the reader had last.
    read: u64,
    /// Of the events.
    bytes: usize,
    /// Of the events that the reader has not had.
    unread: usize,
    phase: Phase,
    reader: Reader,
    /// How many readers there have been.
    readers: u64,
    writer: Option<Waker>,
    /// Unread bytes from which on the writer waits.
    ahead: usize,
    /// The writer waits for the reader.
    slow: bool,
    /// The reader is to disconnect once it has read everything so far.
    suspended: bool,
    /// The client accepts no stream: it gets only the answer.
    quiet: bool,
    /// While the stream is over and has no reader.
    pub(crate) evictable: Option<Arc<Evictable>>,
}

/// The state of the request.
enum Phase {
    Running,
    /// It was answered before there was a stream: the waiting response takes the answer.
    Answered(Wire, Status),
    Over,
}

/// The reader of the stream.
enum Reader {
    /// The response to the request, which waits to see what the answer is.
    Waiting(Option<Waker>),
    /// A response body. Its number distinguishes it from those before.
    Reading(u64, Option<Waker>),
    Gone,
}

/// One message, ready to be sent.
pub(crate) struct Event {
    frames: Vec<Bytes>,
    bytes: usize,
    /// Counts the event as one that waits for the client, until its reader takes it. What is kept for a client that resumes counts only
    /// here.
    guard: Option<ByteGuard>,
}

/// The kind of answer that a request gets.
pub(crate) enum Answer {
    Message(Wire, Status),
    /// No answer: the request was cancelled.
    Nothing,
    /// A stream, and which reader of it this one is.
    Stream(u64),
}

/// What a reader gets.
pub(crate) enum Read {
    Event(Vec<Bytes>),
    /// Nothing yet; the reader is woken.
    Pending,
    /// The reader is to disconnect, and may reconnect.
    Suspended,
    Over,
}

/// Whether the stream has a reader.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum ReaderState {
    Present,
    /// It has so many unread events that the writer waits.
    Slow,
    Gone,
}

impl Log {
    /// The bytes that a stream takes, without its events.
    pub(crate) const OWN: usize = 256;
    /// The bytes that an event takes, without its message.
    const EVENT: usize = 96;
    const AHEAD: usize = 64 * 1024;

    /// A log whose stream is not open yet: the request may be answered without one. `most` is the most that its session
    /// keeps.
    pub(crate) fn new(stream: u64, quiet: bool, most: usize) -> Self {
        Self {
            stream,
            events: VecDeque::new(),
            last: 0,
            read: 0,
            bytes: 0,
            unread: 0,
            phase: Phase::Running,
            reader: Reader::Waiting(None),
            readers: 0,
            writer: None,
            // Something is always written for a reader that has nothing before it.
            ahead: most.clamp(1, Self::AHEAD),
            slow: false,
            suspended: false,
            quiet,
            evictable: None,
        }
    }

    /// All bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        Self::OWN + self.bytes
    }

    /// Whether there is a reader that keeps up.
    pub(crate) fn is_kept_up_with(&self) -> bool {
        matches!(self.reader, Reader::Reading(..)) && self.unread < self.ahead
    }

    /// Whether nothing more will be written and there is no reader.
    pub(crate) fn is_left(&self) -> bool {
        matches!((&self.phase, &self.reader), (Phase::Over, Reader::Gone))
    }

    /// Whether there is an event stream, or will be one.
    pub(crate) fn is_stream(&self) -> bool {
        self.last > 0 || self.suspended || !matches!(self.reader, Reader::Waiting(_))
    }

    /// Adds a message. Returns the waker of its reader.
    pub(crate) fn push(&mut self, mut wire: Wire) -> Option<Waker> {
        if self.quiet {
            return None;
        }
        self.last += 1;
        let guard = wire.take_guard().filter(|_| !matches!(self.reader, Reader::Gone));
        let frames: Vec<_> = sse::numbered(EventId { stream: self.stream, number: self.last }, wire).collect();
        let bytes = Self::EVENT + frames.iter().map(Bytes::len).sum::<usize>();
        self.events.push_back(Event { frames, bytes, guard });
        self.bytes += bytes;
        self.unread += bytes;
        self.reader.waker()
    }

    /// The request is answered.
    pub(crate) fn finish(&mut self, wire: Wire, status: Status) -> Option<Waker> {
        if self.is_stream() {
            let waker = self.push(wire);
            self.phase = Phase::Over;
            waker
        } else {
            self.phase = Phase::Answered(wire, status);
            self.reader.waker()
        }
    }

    /// Nothing more will be written.
    pub(crate) fn close(&mut self) -> Option<Waker> {
        self.phase = Phase::Over;
        self.reader.waker()
    }

    /// The reader, if there is one, is to disconnect, and may reconnect.
    pub(crate) fn suspend(&mut self) -> Option<Waker> {
        self.suspended = !self.quiet && !matches!(self.reader, Reader::Gone);
        self.reader.waker()
    }

    /// The kind of answer that the request gets. With `json` it may be a message alone; else it is a stream at once.
    pub(crate) fn poll_answer(&mut self, json: bool, waker: &Waker) -> Option<Answer> {
        let phase = std::mem::replace(&mut self.phase, Phase::Over);
        if let Phase::Answered(wire, status) = phase {
            return Some(Answer::Message(wire, status));
        }
        self.phase = phase;
        if self.is_stream() || (!json && matches!(self.phase, Phase::Running)) {
            return Some(Answer::Stream(self.read_by_next()));
        }
        if matches!(self.phase, Phase::Over) {
            return Some(Answer::Nothing);
        }
        self.reader = Reader::Waiting(Some(waker.clone()));
        None
    }

    /// The next event for that reader.
    pub(crate) fn read(&mut self, reader: u64, waker: &Waker) -> Read {
        match &mut self.reader {
            Reader::Reading(current, slot) if *current == reader => *slot = Some(waker.clone()),
            _ => return Read::Over,
        }
        let next = self.index_after(self.read);
        if let Some(event) = next.and_then(|next| self.events.get_mut(next)) {
            self.read += 1;
            self.unread -= event.bytes;
            return Read::Event(event.take_frames());
        }
        if matches!(self.phase, Phase::Over) {
            return Read::Over;
        }
        if self.suspended { Read::Suspended } else { Read::Pending }
    }

    /// A reader that resumes after the event of that number; `None` if an event after it is missing.
    pub(crate) fn resume(&mut self, number: u64) -> Option<u64> {
        if number > self.last || matches!(self.reader, Reader::Waiting(_)) {
            return None;
        }
        let had = usize::try_from(number.checked_sub(self.dropped())?).ok()?;
        self.read = number;
        self.unread = self.events.iter().skip(had).map(|event| event.bytes).sum();
        Some(self.read_by_next())
    }

    /// A reader that continues where the one before it was.
    pub(crate) fn read_by_next(&mut self) -> u64 {
        self.readers += 1;
        // A suspension concerns the readers until then.
        self.suspended &= matches!(self.reader, Reader::Waiting(_));
        self.reader = Reader::Reading(self.readers, None);
        self.evictable = None;
        self.readers
    }

    /// A reader that continues after the event before the last one that was sent: a client whose connection broke may not have read that
    /// one.
    pub(crate) fn read_again(&mut self) -> u64 {
        let again = self.read.checked_sub(1).and_then(|number| self.resume(number));
        again.unwrap_or_else(|| self.read_by_next())
    }

    /// The number of the event that the reader had last.
    pub(crate) fn position(&self) -> u64 {
        self.read
    }

    /// That reader leaves; `false` if another has taken over already.
    pub(crate) fn detach(&mut self, reader: u64) -> bool {
        let is_current = matches!(self.reader, Reader::Reading(current, _) if current == reader);
        if is_current {
            self.reader = Reader::Gone;
            self.suspended = false;
            self.events.iter_mut().for_each(|event| event.guard = None);
        }
        is_current
    }

    /// Whether there is a reader that keeps up. The waker, which is the writer's, is woken when that changes.
    pub(crate) fn reader_state(&mut self, waker: &Waker) -> ReaderState {
        if !self.writer.as_ref().is_some_and(|writer| writer.will_wake(waker)) {
            self.writer = Some(waker.clone());
        }
        let reader_state = match self.reader {
            Reader::Gone => ReaderState::Gone,
            _ if self.unread >= self.ahead => ReaderState::Slow,
            _ => ReaderState::Present,
        };
        self.slow = reader_state == ReaderState::Slow;
        reader_state
    }

    /// The waker of the writer, for when the reader state changes.
    pub(crate) fn writer(&self) -> Option<Waker> {
        self.writer.clone()
    }

    /// The same, if the writer waited and the reader has read enough by now.
    pub(crate) fn waiting_writer(&mut self) -> Option<Waker> {
        let may_go_on = self.slow && self.unread <= self.ahead / 2;
        self.slow &= !may_go_on;
        self.writer.clone().filter(|_| may_go_on)
    }

    /// The waker of the reader.
    pub(crate) fn reader(&mut self) -> Option<Waker> {
        self.reader.waker()
    }

    /// Removes the oldest event, if the reader had it or, with `unread`, if there is no reader.
    pub(crate) fn drop_oldest(&mut self, unread: bool) -> Option<Event> {
        let oldest = self.dropped() + 1;
        let is_read = oldest <= self.read;
        let may_drop = is_read || (unread && matches!(self.reader, Reader::Gone));
        if !may_drop {
            return None;
        }
        let event = self.events.pop_front()?;
        self.bytes -= event.bytes;
        if !is_read {
            self.unread -= event.bytes;
            self.read = oldest;
        }
        Some(event)
    }

    /// Where the event after that number is, or will be.
    fn index_after(&self, number: u64) -> Option<usize> {
        usize::try_from(number.checked_sub(self.dropped())?).ok()
    }

    /// The number of the newest event that was dropped; 0 if none was.
    fn dropped(&self) -> u64 {
        self.last - self.events.len() as u64
    }
}

impl Event {
    /// The frames for the reader. Large ones take the guard along.
    fn take_frames(&mut self) -> Vec<Bytes> {
        let guard = self.guard.take();
        let guarded = |frame: &Bytes| match &guard {
            Some(guard) if frame.len() > SMALL => guard.guard(frame.clone()),
            _ => frame.clone(),
        };
        self.frames.iter().map(guarded).collect()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Reader {
    fn waker(&mut self) -> Option<Waker> {
        match self {
            Self::Waiting(waker) | Self::Reading(_, waker) => waker.take(),
            Self::Gone => None,
        }
    }
}

#[cfg(test)]
mod tests;
