//! GET and DELETE: the requests to a session that carry no message.

use std::sync::Arc;

use bytes::Bytes;
use grange_core::{Accepted, Header};
use http::request::Parts;
use http::{Method, Response};

use crate::body::ResponseBody;
use crate::capacity::Place;
use crate::check::media::Accepts;
use crate::exchange::{HttpExchange, lines};
use crate::rejection::{self, Allowed, Refused};
use crate::service::Shared;
use crate::session_stream::Cursor;
use crate::sessions::event_id::EventId;
use crate::sessions::store::Visit;

/// One such request, which has passed the rows that need no session.
pub(crate) struct Bodiless {
    shared: Arc<Shared>,
    head: Parts,
}

impl Bodiless {
    /// Takes the requests of these two methods.
    pub(crate) fn takes(method: &Method) -> bool {
        *method == Method::GET || *method == Method::DELETE
    }

    pub(crate) fn new(shared: Arc<Shared>, head: Parts) -> Self {
        Self { shared, head }
    }

    pub(crate) fn answer(&self) -> Response<ResponseBody> {
        self.checked().unwrap_or_else(Refused::into_response)
    }

    fn checked(&self) -> Result<Response<ResponseBody>, Refused> {
        /// Means nothing to any revision. The engine is asked about it for the sake of row 9, whose rules are its own:
        /// which revisions have sessions, which header fits which session.
        const NOTHING: Bytes = Bytes::from_static(br#"{"jsonrpc":"2.0","method":"notifications/nothing"}"#);
        let listens = self.head.method == Method::GET;
        let exchange = HttpExchange::new(&self.head, Accepts::ALL, self.shared.sessions.as_ref());
        let accepted = self.shared.server.accept(&NOTHING, &exchange);
        if matches!(accepted, Accepted::Silent) && !exchange.has_looked() {
            return Err(self.is_not_for_the_revision()); // row 4
        }
        if listens && !Accepts::of(&self.head.headers)?.stream {
            return Err(Refused::NeedsStream); // row 6
        }
        match (accepted, exchange.into_visit()) {
            (Accepted::Silent, Some(visit)) if listens => self.listen(visit),
            (Accepted::Silent, Some(visit)) => {
                visit.end();
                Ok(rejection::ended())
            }
            (Accepted::Send(wire, refusal), _) => {
                Ok(rejection::answer(wire, &refusal, Accepts::ALL, &self.shared.options)) // row 9
            }
            _ => Err(self.is_not_for_the_revision()),
        }
    }

    /// The version header names a revision that has no sessions.
    fn is_not_for_the_revision(&self) -> Refused {
        Refused::Method { method: self.head.method.clone(), allowed: Allowed::PostDelete }
    }

    fn listen(&self, visit: Visit) -> Result<Response<ResponseBody>, Refused> {
        let resumed = match lines(&self.head.headers, "last-event-id") {
            // The id of a client that has seen none.
            Header::Absent | Header::One(b"") => None,
            Header::One(text) => Some(EventId::parse(text).ok_or(Refused::CannotResume)?),
            Header::Many => return Err(Refused::CannotResume),
        };
        if resumed.is_none() && !self.shared.server.sends_requests() {
            return Err(Refused::NothingToPush);
        }
        let limit = self.shared.server.limits().streams;
        let place = Place::stream(&self.shared, limit).ok_or(Refused::TooManyStreams { limit })?;
        let keep_alive = self.shared.options.keep_alive;
        let cursor = match resumed {
            Some(id) => {
                let reading = visit.session().resume(id).ok_or(Refused::CannotResume)?;
                let is_standalone = visit.session().is_standalone(id.stream);
                let cursor = Cursor::new(visit, reading, keep_alive);
                if is_standalone { cursor.standalone(self.shared.places.ended()) } else { cursor }
            }
            None => match visit.session().listen() {
                Some((reading, after)) => {
                    let cursor = Cursor::new(visit, reading, keep_alive).primed(after);
                    cursor.standalone(self.shared.places.ended())
                }
                // It ended just now, and its streams with it.
                None => return Ok(rejection::stream(ResponseBody::fixed([]))),
            },
        };
        Ok(rejection::stream(ResponseBody::session(cursor.with_place(place))))
    }
}
