//! The sessions of one service: opened by handshakes, found by the header of a request, and removed when they were idle for too long.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use grange_core::{Header, Limits, Lookup};
use http::request::Parts;
use tokio::runtime::Handle;
use tokio::time::{Instant, sleep_until};

use super::id::SessionId;
use super::replay_budget::ReplayBudget;
use super::session::Session;
use super::table::{Bounds, NoRoom, Table};
use crate::lock::lock;
use crate::principal::Principal;

/// The sessions.
pub(crate) struct Sessions {
    state: Mutex<State>,
    budget: Arc<ReplayBudget>,
}

struct State {
    table: Table<Arc<Session>>,
    /// Whether a task removes sessions that are idle for too long.
    watched: bool,
}

impl Sessions {
    pub(crate) fn new(limits: &Limits) -> Self {
        /// Bytes of what clients sent in their handshakes, in all sessions.
        const HANDSHAKES: usize = 64 * 1024 * 1024;
        /// Bytes of events for clients that resume streams, in all sessions.
        const EVENTS: usize = 64 * 1024 * 1024;
        let bounds = Bounds {
            sessions: limits.sessions,
            per_principal: limits.sessions_per_principal,
            idle: limits.session_idle,
            bytes: HANDSHAKES,
        };
        let budget = Arc::new(ReplayBudget::new(EVENTS, limits.session_bytes));
        Self { state: Mutex::new(State { table: Table::new(bounds), watched: false }), budget }
    }

    /// Keeps a session of the engine under a new id, for the principal of that request.
    pub(crate) fn open(self: &Arc<Self>, head: &Parts, protocol: grange_core::Session) -> Result<SessionId, NoRoom> {
        // Without randomness the client may try again later, as when there is no room.
        let id = SessionId::random().ok_or(NoRoom::InAll)?;
        let owner = principal(head);
        let bytes = protocol.bytes();
        let session = Arc::new(Session::new(protocol, self.budget.clone()));
        let now = Instant::now().into_std();
        let mut gone = Vec::new();
        let mut state = self.state();
        let has_room = state.table.make_room(now, bytes, owner, &mut gone);
        if has_room.is_ok() {
            state.table.insert(now, id, session, bytes, owner.cloned());
        }
        self.watch(&mut state);
        drop(state);
        end_all(gone);
        has_room.map(|()| id)
    }

    /// The session that a request of this principal names in its header.
    pub(crate) fn find(self: &Arc<Self>, named: Header<'_>, principal: Option<&Principal>) -> Found {
        let named = match named {
            Header::Absent => return Found::Missing,
            Header::One(text) => SessionId::parse(text),
            Header::Many => None,
        };
        let Some(id) = named else { return Found::Unknown };
        let mut gone = Vec::new();
        let mut state = self.state();
        state.table.expire(Instant::now().into_std(), &mut gone);
        let session = state.table.enter(id, principal);
        drop(state);
        end_all(gone);
        match session {
            Some(session) => Found::Known(SessionGuard { sessions: self.clone(), id, session }),
            None => Found::Unknown,
        }
    }

    /// Whether a request names a session that waits for its client's answer. **The session is not in use by it**: its body may be slow, and
    /// the session may end meanwhile.
    pub(crate) fn awaits_answer(&self, named: Header<'_>, principal: Option<&Principal>) -> bool {
        let Header::One(text) = named else { return false };
        let Some(id) = SessionId::parse(text) else { return false };
        let session = self.state().table.peek(id, principal).cloned();
        session.is_some_and(|session| session.protocol().is_waiting())
    }

    /// Ends every session.
    #[cfg(feature = "serve")]
    pub(crate) fn end(&self) {
        let all = self.state().table.take_all();
        end_all(all);
    }

    /// Starts the task that removes sessions when they were idle for too long, and that ends when there are none left.
    fn watch(self: &Arc<Self>, state: &mut State) {
        /// The least time between two checks, however many sessions there are.
        const PAUSE: Duration = Duration::from_secs(1);
        if state.watched {
            return;
        }
        // Outside a runtime they are removed when a request comes.
        let Ok(runtime) = Handle::try_current() else { return };
        state.watched = true;
        let sessions = Arc::downgrade(self);
        runtime.spawn(async move {
            while let Some(due) = sessions.upgrade().and_then(|sessions| sessions.remove_idle()) {
                sleep_until(due.max(Instant::now() + PAUSE)).await;
            }
        });
    }

    /// Removes sessions that were idle for too long. Returns when to check again, if there are sessions left.
    fn remove_idle(&self) -> Option<Instant> {
        let now = Instant::now().into_std();
        let mut gone = Vec::new();
        let mut state = self.state();
        state.table.expire(now, &mut gone);
        let due = state.table.due(now);
        state.watched = due.is_some();
        drop(state);
        end_all(gone);
        due.map(Instant::from_std)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

fn end_all(sessions: Vec<Arc<Session>>) {
    for session in sessions {
        session.end();
    }
}

fn principal(head: &Parts) -> Option<&Principal> {
    head.extensions.get()
}

/// The result of looking a request's session up.
pub(crate) enum Found {
    Missing,
    /// There is no such session, it is over, or it belongs to another principal: **one answer for all, so that a client cannot learn
    /// which**.
    Unknown,
    Known(SessionGuard),
}

impl Found {
    pub(crate) fn lookup(&self) -> Lookup {
        match self {
            Self::Missing => Lookup::Missing,
            Self::Unknown => Lookup::Unknown,
            Self::Known(guard) => Lookup::Known(guard.session.protocol().clone()),
        }
    }
}

/// Keeps a session from being idle while a request or a stream uses it.
pub(crate) struct SessionGuard {
    sessions: Arc<Sessions>,
    id: SessionId,
    session: Arc<Session>,
}

impl SessionGuard {
    pub(crate) fn session(&self) -> &Arc<Session> {
        &self.session
    }

    /// Ends the session.
    pub(crate) fn end(&self) {
        let taken = self.sessions.state().table.take(self.id);
        // Only the caller that removed it ends it.
        if let Some(session) = taken {
            session.end();
        }
    }
}

impl Clone for SessionGuard {
    fn clone(&self) -> Self {
        self.sessions.state().table.enter_again(self.id);
        Self { sessions: self.sessions.clone(), id: self.id, session: self.session.clone() }
    }
}

impl Drop for SessionGuard {
    fn drop(&mut self) {
        self.sessions.state().table.leave(Instant::now().into_std(), self.id);
    }
}
