//! The HTTP request around a message, as the engine sees it.

use std::cell::OnceCell;
use std::sync::Arc;

use grange_core::{Clock, Exchange, Header, Lookup};
use http::header::HeaderName;
use http::request::Parts;
use tokio::time::Instant;

use crate::check::media::Accepts;
use crate::headers::{METHOD, NAME, PROTOCOL_VERSION, find, lines};
use crate::sessions::store::{Found, SessionGuard, Sessions};

/// The headers that every request of the newest revision has.
static MIRRORED: [HeaderName; 3] = [PROTOCOL_VERSION, METHOD, NAME];

/// The head of one request, for the engine.
pub(crate) struct HttpExchange<'a> {
    head: &'a Parts,
    accepts: Accepts,
    /// `None`: the service keeps no sessions.
    sessions: Option<&'a Arc<Sessions>>,
    mirrored: [Header<'a>; 3],
    /// Looked up once, when the engine first calls [`Exchange::session`].
    found: OnceCell<Found>,
}

impl<'a> HttpExchange<'a> {
    pub(crate) fn new(head: &'a Parts, accepts: Accepts, sessions: Option<&'a Arc<Sessions>>) -> Self {
        Self { head, accepts, sessions, mirrored: find(&head.headers, &MIRRORED), found: OnceCell::new() }
    }

    /// The session that the request belongs to.
    pub(crate) fn into_session(self) -> Option<SessionGuard> {
        match self.found.into_inner() {
            Some(Found::Known(session)) => Some(session),
            Some(Found::Missing | Found::Unknown) | None => None,
        }
    }
}

impl Exchange for HttpExchange<'_> {
    fn header(&self, name: &str) -> Header<'_> {
        match MIRRORED.iter().position(|known| known.as_str() == name) {
            Some(place) => self.mirrored[place],
            None => lines(&self.head.headers, name),
        }
    }

    fn takes_stream(&self) -> bool {
        self.accepts.stream
    }

    fn clock(&self) -> Option<Clock> {
        Some(|| Instant::now().into_std())
    }

    fn session(&self) -> Lookup {
        let Some(sessions) = self.sessions else { return Lookup::NotKept };
        self.found.get_or_init(|| sessions.find(self.head)).lookup()
    }
}
