//! What the engine may ask of the HTTP request around a message, and how every check here looks at a header.

use std::cell::OnceCell;
use std::sync::Arc;

use grange_core::{Clock, Exchange, Header, Lookup};
use http::header::{AsHeaderName, HeaderMap, HeaderName};
use http::request::Parts;
use tokio::time::Instant;

use crate::check::media::Accepts;
use crate::sessions::store::{Found, Sessions, Visit};

/// The headers that come with every request of the newest revision.
static MIRRORED: [HeaderName; 3] = [
    HeaderName::from_static("mcp-protocol-version"),
    HeaderName::from_static("mcp-method"),
    HeaderName::from_static("mcp-name"),
];

/// The lines of several headers, found in one pass: what every request is asked for costs one look at each of its headers.
#[inline]
pub(crate) fn find<'a, const N: usize>(headers: &'a HeaderMap, names: &[HeaderName; N]) -> [Header<'a>; N] {
    let mut found = [Header::Absent; N];
    for (name, value) in headers {
        for (wanted, found) in names.iter().zip(&mut found) {
            if name == wanted {
                *found = if *found == Header::Absent { Header::One(value.as_bytes()) } else { Header::Many };
            }
        }
    }
    found
}

/// The lines of one header.
pub(crate) fn lines(headers: &HeaderMap, name: impl AsHeaderName) -> Header<'_> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Header::Absent,
        (Some(value), None) => Header::One(value.as_bytes()),
        (Some(_), Some(_)) => Header::Many,
    }
}

/// The head of one request, for the engine.
pub(crate) struct HttpExchange<'a> {
    head: &'a Parts,
    accepts: Accepts,
    /// `None`: none are kept.
    sessions: Option<&'a Arc<Sessions>>,
    mirrored: [Header<'a>; 3],
    /// Looked for once, when the engine asks.
    found: OnceCell<Found>,
}

impl<'a> HttpExchange<'a> {
    pub(crate) fn new(head: &'a Parts, accepts: Accepts, sessions: Option<&'a Arc<Sessions>>) -> Self {
        Self { head, accepts, sessions, mirrored: find(&head.headers, &MIRRORED), found: OnceCell::new() }
    }

    /// Whether the engine asked for the request's session.
    pub(crate) fn has_looked(&self) -> bool {
        self.found.get().is_some()
    }

    /// The session that the request belongs to.
    pub(crate) fn into_visit(self) -> Option<Visit> {
        match self.found.into_inner() {
            Some(Found::Known(visit)) => Some(visit),
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
