//! The table of sessions and their owners. When there is no room for another, **the longest-idle session is evicted, and never one that
//! is in use**.
//!
//! Pure: the time is an argument, and a session can be any type. Every session that becomes idle is noted at the end of a queue; a note
//! that is not its session's newest is skipped, so that each step costs the same however many sessions there are.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use super::id::SessionId;
use crate::principal::Principal;

/// The most there may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) sessions: usize,
    pub(crate) per_principal: usize,
    pub(crate) idle: Duration,
    /// Bytes of what clients sent in their handshakes.
    pub(crate) bytes: usize,
}

/// The sessions of one service.
pub(crate) struct Table<T> {
    bounds: Bounds,
    entries: HashMap<SessionId, Entry<T>>,
    owners: HashMap<Principal, Owner>,
    idle: Queue,
    bytes: usize,
    notes: u64,
}

struct Entry<T> {
    session: T,
    owner: Option<Principal>,
    bytes: usize,
    /// Requests and streams.
    open: usize,
    /// The number of its newest note, and since when it is idle. Not idle while something is open.
    idle: Option<(u64, Instant)>,
}

#[derive(Default)]
struct Owner {
    sessions: usize,
    idle: Queue,
}

/// Why there is no room for one more: every session that could be evicted is in use.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum NoRoom {
    /// All sessions of the service are.
    InAll,
    /// All sessions of the client's principal are.
    OfPrincipal,
}

impl<T: Clone> Table<T> {
    pub(crate) fn new(bounds: Bounds) -> Self {
        let (entries, owners, idle) = Default::default();
        Self { bounds, entries, owners, idle, bytes: 0, notes: 0 }
    }

    /// Makes room for one more; evicted sessions are added to `gone`.
    pub(crate) fn make_room(
        &mut self,
        now: Instant,
        bytes: usize,
        owner: Option<&Principal>,
        gone: &mut Vec<T>,
    ) -> Result<(), NoRoom> {
        self.expire(now, gone);
        if let Some(owner) = owner
            && self.owners.get(owner).map_or(0, |owned| owned.sessions) >= self.bounds.per_principal
        {
            let oldest = self.oldest_of(owner).ok_or(NoRoom::OfPrincipal)?;
            gone.extend(self.take(oldest));
        }
        while self.entries.len() >= self.bounds.sessions || self.bytes + bytes > self.bounds.bytes {
            let oldest = self.oldest().ok_or(NoRoom::InAll)?;
            gone.extend(self.take(oldest));
        }
        Ok(())
    }

    /// Adds one, idle from now on.
    pub(crate) fn insert(&mut self, now: Instant, id: SessionId, session: T, bytes: usize, owner: Option<Principal>) {
        if let Some(owner) = &owner {
            self.owners.entry(owner.clone()).or_default().sessions += 1;
        }
        self.bytes += bytes;
        self.entries.insert(id, Entry { session, owner, bytes, open: 0, idle: None });
        self.note(now, id);
    }

    /// The session with that id if it belongs to that principal, in use until [`leave`](Self::leave).
    pub(crate) fn enter(&mut self, id: SessionId, owner: Option<&Principal>) -> Option<T> {
        let entry = self.entries.get_mut(&id).filter(|entry| entry.owner.as_ref() == owner)?;
        entry.open += 1;
        entry.idle = None;
        Some(entry.session.clone())
    }

    /// The same, without marking it as in use.
    pub(crate) fn peek(&self, id: SessionId, owner: Option<&Principal>) -> Option<&T> {
        self.entries.get(&id).filter(|entry| entry.owner.as_ref() == owner).map(|entry| &entry.session)
    }

    /// One more request or stream in a session that is in use.
    pub(crate) fn enter_again(&mut self, id: SessionId) {
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.open += 1;
        }
    }

    /// A request or stream is over. The last one leaves the session idle.
    pub(crate) fn leave(&mut self, now: Instant, id: SessionId) {
        let Some(entry) = self.entries.get_mut(&id) else { return };
        entry.open = entry.open.saturating_sub(1);
        if entry.open == 0 {
            self.note(now, id);
        }
    }

    /// Removes a session.
    pub(crate) fn take(&mut self, id: SessionId) -> Option<T> {
        let entry = self.entries.remove(&id)?;
        self.bytes -= entry.bytes;
        if let Some(owner) = &entry.owner
            && let Some(owned) = self.owners.get_mut(owner)
        {
            owned.sessions -= 1;
            if owned.sessions == 0 {
                self.owners.remove(owner);
            }
        }
        Some(entry.session)
    }

    /// Removes all sessions.
    #[cfg(any(feature = "serve", test))]
    pub(crate) fn take_all(&mut self) -> Vec<T> {
        let ids: Vec<_> = self.entries.keys().copied().collect();
        ids.into_iter().filter_map(|id| self.take(id)).collect()
    }

    /// Removes those that were idle for too long.
    pub(crate) fn expire(&mut self, now: Instant, gone: &mut Vec<T>) {
        while let Some(oldest) = self.oldest().filter(|oldest| self.ends(*oldest).is_some_and(|end| end <= now)) {
            gone.extend(self.take(oldest));
        }
    }

    /// When to check for idle sessions again; `None` if there are no sessions.
    pub(crate) fn due(&mut self, now: Instant) -> Option<Instant> {
        /// The longest time between two checks, however long sessions may be idle.
        const DAY: Duration = Duration::from_secs(24 * 60 * 60);
        if self.entries.is_empty() {
            return None;
        }
        let first = self.oldest().and_then(|oldest| self.ends(oldest));
        Some(first.unwrap_or(now + self.bounds.idle.min(DAY)))
    }

    fn ends(&self, id: SessionId) -> Option<Instant> {
        let (_, since) = self.entries.get(&id)?.idle?;
        since.checked_add(self.bounds.idle)
    }

    fn note(&mut self, now: Instant, id: SessionId) {
        let Some(entry) = self.entries.get_mut(&id) else { return };
        self.notes += 1;
        let note = Note { number: self.notes, id };
        entry.idle = Some((note.number, now));
        if let Some(owned) = entry.owner.as_ref().and_then(|owner| self.owners.get_mut(owner)) {
            owned.idle.push(note, owned.sessions, &self.entries);
        }
        self.idle.push(note, self.entries.len(), &self.entries);
    }

    fn oldest(&mut self) -> Option<SessionId> {
        self.idle.first(&self.entries)
    }

    fn oldest_of(&mut self, owner: &Principal) -> Option<SessionId> {
        self.owners.get_mut(owner)?.idle.first(&self.entries)
    }
}

/// Notes of sessions that became idle, the oldest first.
#[derive(Default)]
struct Queue(VecDeque<Note>);

#[derive(Clone, Copy)]
struct Note {
    number: u64,
    id: SessionId,
}

impl Note {
    fn holds<T>(self, entries: &HashMap<SessionId, Entry<T>>) -> bool {
        entries.get(&self.id).and_then(|entry| entry.idle).is_some_and(|(number, _)| number == self.number)
    }
}

impl Queue {
    /// Adds a note. Once most of them are out of date, those are removed.
    fn push<T>(&mut self, note: Note, sessions: usize, entries: &HashMap<SessionId, Entry<T>>) {
        const FEW: usize = 16;
        if self.0.len() >= 2 * sessions + FEW {
            self.0.retain(|note| note.holds(entries));
        }
        self.0.push_back(note);
    }

    fn first<T>(&mut self, entries: &HashMap<SessionId, Entry<T>>) -> Option<SessionId> {
        while let Some(note) = self.0.front() {
            if note.holds(entries) {
                return Some(note.id);
            }
            self.0.pop_front();
        }
        None
    }
}

#[cfg(test)]
mod tests;
