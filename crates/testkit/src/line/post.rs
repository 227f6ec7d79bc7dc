//! One HTTP client in memory: its headers, its session, and a POST as the engine sees it.

use grange_core::{Exchange, Header, Lookup, Revision, Session};

use crate::headers::ClientHeaders;

/// The state that an HTTP client keeps between exchanges.
pub(super) struct Http {
    pub(super) headers: ClientHeaders,
    pub(super) session: HttpSession,
    /// How many POSTs were sent.
    pub(super) posts: u64,
    pub(super) takes_streams: bool,
    /// Whether the `GET` stream of a session is open.
    pub(super) gets: bool,
}

/// The state of a client's session.
///
/// ```text
/// NotOpened ──initialize──▶ Open ──DELETE──▶ Ended
/// ```
pub(super) enum HttpSession {
    /// The driver has no sessions.
    NotKept,
    NotOpened,
    Open(Session),
    Ended,
}

impl Http {
    /// A client of a driver without sessions.
    pub(super) fn new(revision: Revision) -> Self {
        let (headers, session) = (ClientHeaders::new(revision), HttpSession::NotKept);
        Self { headers, session, posts: 0, takes_streams: true, gets: false }
    }

    /// The exchange for a POST of this body.
    pub(super) fn post(&mut self, body: &[u8]) -> Post {
        let session = match &self.session {
            HttpSession::NotKept => Lookup::NotKept,
            HttpSession::NotOpened => Lookup::Missing,
            HttpSession::Open(session) => Lookup::Known(session.clone()),
            HttpSession::Ended => Lookup::Unknown,
        };
        self.posts += 1;
        Post { headers: self.headers.of(body), session, takes_streams: self.takes_streams }
    }

    /// The engine's session, if it is open.
    pub(super) fn session(&self) -> Option<&Session> {
        match &self.session {
            HttpSession::Open(session) => Some(session),
            HttpSession::NotKept | HttpSession::NotOpened | HttpSession::Ended => None,
        }
    }

    /// Ends the session, if there is one.
    pub(super) fn end(&mut self) {
        if let Some(session) = self.session() {
            session.end();
            self.session = HttpSession::Ended;
        }
    }
}

/// One POST.
pub(super) struct Post {
    headers: Vec<(String, String)>,
    session: Lookup,
    takes_streams: bool,
}

impl Exchange for Post {
    fn header(&self, name: &str) -> Header<'_> {
        let value = self.headers.iter().find(|(other, _)| *other == name);
        value.map_or(Header::Absent, |(_, value)| Header::One(value.as_bytes()))
    }

    fn takes_stream(&self) -> bool {
        self.takes_streams
    }

    fn session(&self) -> Lookup {
        self.session.clone()
    }
}
