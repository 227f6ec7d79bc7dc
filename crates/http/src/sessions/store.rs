//! The sessions of one service: opened, found by what a request says, left idle, and gone after their time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grange_core::{Conversation, Header, Limits, Lookup, Revision};
use http::header::HeaderMap;
use http::request::Parts;
use tokio::runtime::Handle;
use tokio::time::{Instant, sleep_until};

use super::id::SessionId;
use super::replay_budget::Kept;
use super::session::Session;
use super::table::{Bounds, Full, Table};
use crate::exchange::lines;
use crate::principal::Principal;

const SESSION: &str = "mcp-session-id";
const VERSION: &str = "mcp-protocol-version";

/// The sessions.
pub(crate) struct Sessions {
    state: Mutex<State>,
    kept: Arc<Kept>,
}

struct State {
    table: Table<Arc<Session>>,
    /// Whether a task frees what is idle for too long.
    watched: bool,
}

impl Sessions {
    pub(crate) fn new(limits: &Limits) -> Self {
        /// What clients said of themselves, in all sessions.
        const HANDSHAKES: usize = 64 * 1024 * 1024;
        /// Events for clients that come back, in all sessions.
        const EVENTS: usize = 64 * 1024 * 1024;
        let bounds = Bounds {
            sessions: limits.sessions,
            per_principal: limits.sessions_per_principal,
            idle: limits.session_idle,
            bytes: HANDSHAKES,
        };
        let kept = Arc::new(Kept::new(EVENTS, limits.session_bytes));
        Self { state: Mutex::new(State { table: Table::new(bounds), watched: false }), kept }
    }

    /// Keeps a conversation under a new id, for the principal of that request.
    pub(crate) fn open(self: &Arc<Self>, head: &Parts, conversation: Conversation) -> Result<SessionId, Full> {
        // Without randomness there may be some later: to the client it is the same.
        let id = SessionId::random().ok_or(Full::InAll)?;
        let owner = principal(head);
        let bytes = conversation.bytes();
        let session = Arc::new(Session::new(conversation, self.kept.clone()));
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

    /// The session that a request names.
    pub(crate) fn find(self: &Arc<Self>, head: &Parts) -> Found {
        let named = match lines(&head.headers, SESSION) {
            Header::Absent => return Found::Missing,
            Header::One(text) => SessionId::parse(text),
            Header::Many => None,
        };
        let Some(id) = named else { return Found::Unknown };
        let mut gone = Vec::new();
        let mut state = self.state();
        state.table.expire(Instant::now().into_std(), &mut gone);
        let session = state.table.enter(id, principal(head));
        drop(state);
        end_all(gone);
        match session {
            Some(session) => Found::Known(Visit { sessions: self.clone(), id, session }),
            None => Found::Unknown,
        }
    }

    /// Whether a request names a session that waits for its client's answer. Requests of revisions without sessions are
    /// not looked up.
    pub(crate) fn awaits_answer(&self, head: &Parts) -> bool {
        let Header::One(text) = lines(&head.headers, SESSION) else { return false };
        let Some(id) = SessionId::parse(text).filter(|_| has_sessions(&head.headers)) else { return false };
        let session = self.state().table.peek(id, principal(head)).cloned();
        session.is_some_and(|session| session.conversation().is_waiting())
    }

    /// Ends every session.
    #[cfg(feature = "serve")]
    pub(crate) fn end(&self) {
        let all = self.state().table.take_all();
        end_all(all);
    }

    /// Has sessions freed when they were idle for too long, as long as there are any.
    fn watch(self: &Arc<Self>, state: &mut State) {
        /// However many sessions there are, they are looked at no more often.
        const PAUSE: Duration = Duration::from_secs(1);
        if state.watched {
            return;
        }
        // Outside a runtime they are freed when a request comes.
        let Ok(runtime) = Handle::try_current() else { return };
        state.watched = true;
        let sessions = Arc::downgrade(self);
        runtime.spawn(async move {
            while let Some(due) = sessions.upgrade().and_then(|sessions| sessions.free()) {
                sleep_until(due.max(Instant::now() + PAUSE)).await;
            }
        });
    }

    /// Frees what was idle for too long; gives when to look again, if there is still any.
    fn free(&self) -> Option<Instant> {
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
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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

/// Whether the revision that a request names, if it names one, has sessions.
fn has_sessions(headers: &HeaderMap) -> bool {
    match lines(headers, VERSION) {
        Header::One(name) => {
            let revision = std::str::from_utf8(name.trim_ascii()).ok().and_then(Revision::from_name);
            revision.is_none_or(Revision::has_handshake)
        }
        Header::Absent | Header::Many => true,
    }
}

/// What came of looking for a request's session.
pub(crate) enum Found {
    Missing,
    /// It was never there, is over, or is somebody else's: **all the same, so that nobody learns which**.
    Unknown,
    Known(Visit),
}

impl Found {
    pub(crate) fn lookup(&self) -> Lookup {
        match self {
            Self::Missing => Lookup::Missing,
            Self::Unknown => Lookup::Unknown,
            Self::Known(visit) => Lookup::Known(visit.session.conversation().clone()),
        }
    }
}

/// A request or a stream in a session, which is not idle meanwhile.
pub(crate) struct Visit {
    sessions: Arc<Sessions>,
    id: SessionId,
    session: Arc<Session>,
}

impl Visit {
    pub(crate) fn session(&self) -> &Arc<Session> {
        &self.session
    }

    /// Ends the session.
    pub(crate) fn end(&self) {
        let taken = self.sessions.state().table.take(self.id);
        // Whoever takes it out ends it, once.
        if let Some(session) = taken {
            session.end();
        }
    }
}

impl Clone for Visit {
    fn clone(&self) -> Self {
        self.sessions.state().table.enter_again(self.id);
        Self { sessions: self.sessions.clone(), id: self.id, session: self.session.clone() }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.sessions.state().table.leave(Instant::now().into_std(), self.id);
    }
}
