//! GET and DELETE: the requests to a session that carry no message.

use std::sync::Arc;

use grange_core::{Header, Located};
use http::request::Parts;
use http::{Method, Response};

use crate::client_watch::{AnswerWatch, Gone};
use crate::head::{Accepts, HttpExchange, LAST_EVENT_ID, lines};
use crate::rejection::{Allowed, Rejection};
use crate::response::{self, ResponseBody};
use crate::session_stream::SessionStream;
use crate::sessions::event_id::EventId;
use crate::sessions::store::SessionGuard;
use crate::shared::Shared;

/// One such request, which has passed the rows that need no session.
pub(crate) struct SessionVerb {
    shared: Arc<Shared>,
    head: Parts,
    client: AnswerWatch,
}

impl SessionVerb {
    /// Whether this is the method of such a request.
    pub(crate) fn is(method: &Method) -> bool {
        *method == Method::GET || *method == Method::DELETE
    }

    pub(crate) fn new(shared: Arc<Shared>, head: Parts, client: AnswerWatch) -> Self {
        Self { shared, head, client }
    }

    pub(crate) fn answer(&mut self) -> Response<ResponseBody> {
        self.checked().unwrap_or_else(Rejection::into_response)
    }

    fn checked(&mut self) -> Result<Response<ResponseBody>, Rejection> {
        let is_get = self.head.method == Method::GET;
        let exchange = HttpExchange::new(&self.head, Accepts::ALL, self.shared.sessions.as_ref());
        let located = self.shared.server.locate(&exchange);
        if matches!(located, Located::NoSessions) {
            return Err(self.revision_has_no_sessions()); // row 4
        }
        if is_get && !Accepts::of(&self.head.headers)?.stream {
            return Err(Rejection::NeedsStream); // row 6
        }
        match (located, exchange.into_session()) {
            (Located::Session(_), Some(session)) if is_get => {
                let client = std::mem::take(&mut self.client);
                self.listen(session, client)
            }
            (Located::Session(_), Some(session)) => {
                session.end();
                Ok(response::session_ended())
            }
            (Located::Rejected(wire, status), _) => {
                Ok(response::answer(wire, &status, Accepts::ALL, &self.shared.options)) // row 9
            }
            (Located::Session(_) | Located::NoSessions, _) => Err(self.revision_has_no_sessions()),
        }
    }

    /// The version header names a revision that has no sessions.
    fn revision_has_no_sessions(&self) -> Rejection {
        Rejection::Method { method: self.head.method.clone(), allowed: Allowed::PostDelete }
    }

    fn listen(&self, session: SessionGuard, client: AnswerWatch) -> Result<Response<ResponseBody>, Rejection> {
        let resumed = match lines(&self.head.headers, LAST_EVENT_ID) {
            // A client that has seen no event yet may send an empty id.
            Header::Absent | Header::One(b"") => None,
            Header::One(text) => Some(EventId::parse(text).ok_or(Rejection::CannotResume)?),
            Header::Many => return Err(Rejection::CannotResume),
        };
        if resumed.is_none() && !self.shared.has_standalone_streams() {
            return Err(Rejection::NothingToPush);
        }
        let capacity = &self.shared.capacity;
        let principal = self.head.extensions.get();
        let too_many = |no_permit| Rejection::TooManyStreams(self.shared.streams_full(no_permit));
        let permit = capacity.permit_stream(principal).map_err(too_many)?;
        let keep_alive = self.shared.options.keep_alive;
        let stream = match resumed {
            Some(id) => {
                let reading = session.session().resume(id).ok_or(Rejection::CannotResume)?;
                let is_standalone = session.session().is_standalone(id.stream);
                let stream = SessionStream::new(session, reading, keep_alive);
                if is_standalone { stream.standalone(capacity.ended()) } else { stream }
            }
            None => match session.session().listen() {
                Some((reading, after)) => {
                    let stream = SessionStream::new(session, reading, keep_alive).primed(after);
                    stream.standalone(capacity.ended())
                }
                // The session ended just now, and its streams with it.
                None => return Ok(response::empty_stream()),
            },
        };
        // It answers no request that a client which sends no more could wait for.
        let stream = stream.with_permit(permit).watching(client, Gone::AtEndOfInput);
        Ok(response::session_stream(stream))
    }
}
