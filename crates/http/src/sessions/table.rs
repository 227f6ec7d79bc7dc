//! The table of sessions and their owners. When there is no room for another, **the longest-idle session is evicted, and never one that
//! is in use**.
//!
//! A session is new until its first message after the handshake. The table evicts new sessions before used ones, but none that is younger
//! than [`CHANCE`], so that its client has time to use it. If more than a quarter of the sessions are new, their age does not protect them:
//! a flood of handshakes evicts its own sessions, and not those of others.
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
    owners: HashMap<Principal, Group>,
    all: Group,
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
    is_new: bool,
}

/// Sessions, of the service or of one principal.
#[derive(Default)]
struct Group {
    sessions: usize,
    /// How many of them are new.
    new: usize,
    idle_new: Queue,
    /// The idle ones that were used.
    idle: Queue,
}

/// How long a client may take from its handshake to the next message without losing its session to another client.
const CHANCE: Duration = Duration::from_secs(10);

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
        let (entries, owners, all) = Default::default();
        Self { bounds, entries, owners, all, bytes: 0, notes: 0 }
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
            && let Some(owned) = self.owners.get_mut(owner).filter(|owned| owned.sessions >= self.bounds.per_principal)
        {
            let evicted = owned.evictable(now, self.bounds.per_principal, &self.entries).ok_or(NoRoom::OfPrincipal)?;
            gone.extend(self.take(evicted));
        }
        while self.entries.len() >= self.bounds.sessions || self.bytes + bytes > self.bounds.bytes {
            let evicted = self.all.evictable(now, self.bounds.sessions, &self.entries).ok_or(NoRoom::InAll)?;
            gone.extend(self.take(evicted));
        }
        Ok(())
    }

    /// Adds one, idle from now on.
    pub(crate) fn insert(&mut self, now: Instant, id: SessionId, session: T, bytes: usize, owner: Option<Principal>) {
        let theirs = owner.clone().map(|owner| self.owners.entry(owner).or_default());
        for group in [&mut self.all].into_iter().chain(theirs) {
            group.sessions += 1;
            group.new += 1;
        }
        self.bytes += bytes;
        self.entries.insert(id, Entry { session, owner, bytes, open: 0, idle: None, is_new: true });
        self.note(now, id);
    }

    /// The session with that id if it belongs to that principal, in use until [`leave`](Self::leave).
    pub(crate) fn enter(&mut self, id: SessionId, owner: Option<&Principal>) -> Option<T> {
        let entry = self.entries.get_mut(&id).filter(|entry| entry.owner.as_ref() == owner)?;
        entry.open += 1;
        entry.idle = None;
        let (session, was_new) = (entry.session.clone(), std::mem::take(&mut entry.is_new));
        if was_new {
            let theirs = owner.and_then(|owner| self.owners.get_mut(owner));
            [&mut self.all].into_iter().chain(theirs).for_each(|group| group.new -= 1);
        }
        Some(session)
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
        self.all.remove(entry.is_new);
        if let Some(owner) = &entry.owner
            && let Some(owned) = self.owners.get_mut(owner)
        {
            owned.remove(entry.is_new);
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
        let (is_new, owner) = (entry.is_new, entry.owner.clone());
        let theirs = owner.and_then(|owner| self.owners.get_mut(&owner));
        for group in [&mut self.all].into_iter().chain(theirs) {
            let queue = if is_new { &mut group.idle_new } else { &mut group.idle };
            queue.push(note, group.sessions, &self.entries);
        }
    }

    fn oldest(&mut self) -> Option<SessionId> {
        let firsts = [self.all.idle_new.first(&self.entries), self.all.idle.first(&self.entries)];
        firsts.into_iter().flatten().min_by_key(|note| note.number).map(|note| note.id)
    }
}

impl Group {
    fn remove(&mut self, is_new: bool) {
        self.sessions -= 1;
        self.new -= usize::from(is_new);
    }

    /// The session to evict. `most`: how many sessions the group may have.
    fn evictable<T>(&mut self, now: Instant, most: usize, entries: &HashMap<SessionId, Entry<T>>) -> Option<SessionId> {
        if let Some(note) = self.idle_new.first(entries) {
            let is_flood = self.new > (most / 4).max(1);
            let since = entries.get(&note.id).and_then(|entry| entry.idle).map(|(_, since)| since);
            let had_its_chance = since.is_some_and(|since| now.saturating_duration_since(since) >= CHANCE);
            if is_flood || had_its_chance {
                return Some(note.id);
            }
        }
        self.idle.first(entries).map(|note| note.id)
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

    fn first<T>(&mut self, entries: &HashMap<SessionId, Entry<T>>) -> Option<Note> {
        while let Some(note) = self.0.front() {
            if note.holds(entries) {
                return Some(*note);
            }
            self.0.pop_front();
        }
        None
    }
}

#[cfg(test)]
mod tests;
