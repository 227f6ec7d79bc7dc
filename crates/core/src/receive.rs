//! The rules of one message: **a pipe and HTTP receive requests, notifications and responses in the same way.**
//!
//! Not here: how a body (`accept.rs`) or a line (`connection.rs`) becomes messages, and how a request is answered (`dispatch.rs`).

use crate::changes::{Listener, Lists};
use crate::dispatch::Dispatched;
use crate::era::{CANCELLED, Channel, Era, INITIALIZE, INITIALIZED, Lookup, RequestHead, Selection, Status, select};
use crate::inbound::Inbound;
use crate::job::Job;
use crate::rejection::Rejection;
use crate::rpc::{
    Code, IdToken, Message, Notification, Params, Raw, Rejected, Request, Response, Wire, read_frame, read_message,
    write_error,
};
use crate::server::Server;
use crate::session::{NewSession, Session};
use crate::telemetry;

/// The outcome of a message: the driver sends an answer, runs a job, or does nothing.
#[derive(Debug)]
pub enum Accepted {
    /// The answer to a handshake, and the new session. The driver accepts it and keeps the session, or rejects it.
    Open(NewSession),
    /// The answer, and how a transport with statuses should rate it.
    Send(Wire, Status),
    /// The job that will answer. The driver polls it until it is done.
    Run(Job),
    /// The message gets no answer.
    Silent,
}

impl Server {
    /// Reads the message in a frame.
    pub(crate) fn read<'a>(&self, frame: &'a [u8]) -> Message<'a> {
        match read_frame(frame) {
            Ok(frame) => read_message(frame, self.limits().id_bytes),
            Err(rejected) => Message::Rejected(rejected),
        }
    }

    /// Receives one message that is no batch. If it is a member of a batch, `batch` is the selection of that batch.
    pub(crate) fn receive(&self, message: &Message<'_>, batch: Option<&Selection>, inbound: &Inbound<'_>) -> Accepted {
        match message {
            Message::Request(request) => self.receive_request(request, batch, inbound),
            Message::Notification(notification) => {
                let Notification { method, params } = notification;
                self.in_selection((method, params), batch, inbound, |selection| {
                    if let Some(session) = &selection.session {
                        handle_notification(session, notification);
                    }
                    Accepted::Silent
                })
            }
            Message::Response(response) => self.in_selection(("", &Params::default()), batch, inbound, |selection| {
                self.receive_response(response, selection)
            }),
            Message::Rejected(rejected) => reject(rejected),
            Message::Batch(_) => reject(&invalid("a batch may not hold another")),
        }
    }

    /// Finds the row and the session of a message that is no request, and calls `then` with them. Before its handshake a pipe has neither,
    /// and ignores such messages.
    pub(crate) fn in_selection(
        &self,
        (method, params): (&str, &Params<'_>),
        batch: Option<&Selection>,
        inbound: &Inbound<'_>,
        then: impl FnOnce(&Selection) -> Accepted,
    ) -> Accepted {
        let selected = match (batch, inbound.channel) {
            (Some(selection), _) => return then(selection),
            (None, Channel::Pipe { negotiated: None }) => return Accepted::Silent,
            (None, Channel::Pipe { negotiated: Some((era, session)) }) => {
                Ok(Selection { era, session: Some(session.clone()) })
            }
            (None, channel @ Channel::Http(_)) => {
                let head = RequestHead { method, params, notification: true, mirrored: &|_| &[], channel };
                select(&head, self.served())
            }
        };
        match selected {
            Ok(selection) => then(&selection),
            Err(rejected) => reject_with(rejected.era, None, &rejected.rejection),
        }
    }

    fn receive_request(&self, request: &Request<'_>, batch: Option<&Selection>, inbound: &Inbound<'_>) -> Accepted {
        let Request { method, params, id } = request;
        if let Some(selection) = batch {
            return match check_batch_member(request) {
                Some(rejected) => reject(&rejected),
                None => self.answer(request, selection, inbound),
            };
        }
        let mirrored = |tool: &str| self.catalogs().mirrored(tool);
        let head = RequestHead { method, params, notification: false, mirrored: &mirrored, channel: inbound.channel };
        match select(&head, self.served()) {
            Err(rejected) => reject_with(rejected.era, Some(*id), &rejected.rejection),
            Ok(selection) if selection.era.handshake && method == INITIALIZE => {
                self.receive_handshake(request, &selection, inbound)
            }
            Ok(selection) => self.answer(request, &selection, inbound),
        }
    }

    #[inline]
    fn answer(&self, request: &Request<'_>, selection: &Selection, inbound: &Inbound<'_>) -> Accepted {
        match self.dispatch(selection, request, inbound) {
            Dispatched::Reply(wire, status) => Accepted::Send(wire, status),
            Dispatched::Run(job) => Accepted::Run(job),
        }
    }

    fn receive_handshake(&self, request: &Request<'_>, selection: &Selection, inbound: &Inbound<'_>) -> Accepted {
        let reject_with = |rejection| reject_with(selection.era, Some(request.id), &rejection);
        let again = |place| Rejection::InvalidRequest(format!("\"initialize\" was answered already {place}").into());
        let keeps_session = match inbound.channel {
            Channel::Pipe { negotiated: Some(_) } => return reject_with(again("on this pipe")),
            Channel::Http(_) if selection.session.is_some() => return reject_with(again("in this session")),
            Channel::Pipe { negotiated: None } => true,
            Channel::Http(exchange) => matches!(exchange.session(), Lookup::Missing),
        };
        // A request with wrong types opens no session; its answer states the problem.
        let opened = keeps_session.then(|| self.open_session(request, inbound)).flatten();
        let is_large = opened.as_ref().is_some_and(|opened| opened.bytes() > CLIENT_BYTES);
        if is_large && !inbound.is_pipe() {
            let rejection = format!("what a client says of itself may have {CLIENT_BYTES} bytes in a session");
            return reject_with(Rejection::InvalidParams(rejection.into()));
        }
        match (self.answer(request, selection, inbound), opened) {
            (Accepted::Send(wire, Status::Ok), Some(opened)) => {
                Accepted::Open(NewSession::new(request.id.to_owned(), wire, opened))
            }
            (accepted, _) => accepted,
        }
    }

    /// A revision without requests to the client rejects responses.
    fn receive_response(&self, response: &Response<'_>, selection: &Selection) -> Accepted {
        if !selection.era.requests {
            return reject(&invalid("this server asked nothing"));
        }
        if let Some(session) = &selection.session {
            let limits = self.limits();
            // Requests of the client cannot take the room of one answer, which the code that holds some of it may wait for.
            let answer = limits.answer_bytes.max(limits.message_bytes);
            session.requests().answer(response, limits.connection_bytes.saturating_add(answer));
        }
        Accepted::Silent
    }

    /// The session that an `initialize` opens; `None` if it has wrong types.
    fn open_session(&self, request: &Request<'_>, inbound: &Inbound<'_>) -> Option<Session> {
        let params = &request.params;
        if params.meta.wrong {
            return None;
        }
        let era = self.served().negotiate(&params.string("protocolVersion")?)?;
        let json = |name| params.optional(name).map(Raw::text).unwrap_or_default();
        let every = Lists::of(|_| true);
        let listener = self.hub().map(|hub| Listener::new(hub, inbound.recipient(), every, false));
        Some(Session::new(era.name, era.id_only_first_event, json("clientInfo"), json("capabilities"), listener))
    }
}

/// The most bytes of `clientInfo` and `capabilities` that a session over HTTP keeps.
const CLIENT_BYTES: usize = 16 * 1024;

/// Applies a notification to its session.
fn handle_notification(session: &Session, notification: &Notification<'_>) {
    match &*notification.method {
        CANCELLED => {
            if let Some(id) = cancelled_id(notification) {
                session.in_flight().cancel(id);
            }
        }
        INITIALIZED => session.set_ready(),
        _ => {}
    }
}

/// The id of the request that a `notifications/cancelled` names.
pub(crate) fn cancelled_id<'a>(notification: &Notification<'a>) -> Option<IdToken<'a>> {
    notification.params.other("requestId").and_then(IdToken::new)
}

/// Rejects a request that may not be in a batch.
fn check_batch_member<'a>(request: &Request<'a>) -> Option<Rejected<'a>> {
    let rejection = if request.method == INITIALIZE {
        invalid("\"initialize\" may not stand in a batch")
    } else if request.params.meta.marked {
        invalid("a request with per-request metadata may not stand in a batch")
    } else {
        return None;
    };
    Some(Rejected { id: Some(request.id), ..rejection })
}

/// Rejects an array that is no valid batch. `accepted` states whether the revision has batches.
pub(crate) fn check_batch(accepted: bool, members: usize) -> Option<Rejected<'static>> {
    /// The most messages in one batch.
    const MEMBERS: usize = 100;
    match members {
        _ if !accepted => Some(invalid("this protocol revision has no batches: send one message")),
        0 => Some(invalid("the batch is empty")),
        1..=MEMBERS => None,
        _ => Some(invalid("a batch may have at most 100 messages")),
    }
}

pub(crate) fn invalid(message: &str) -> Rejected<'static> {
    let message = format!("Invalid request: {message}").into();
    Rejected { id: None, is_notification: false, code: Code::INVALID_REQUEST, message }
}

/// The error for a request that finds no room.
pub(crate) fn busy(id: IdToken<'_>) -> Wire {
    telemetry::refused(Code::BUSY.0);
    Wire::one(write_error(Some(id), Code::BUSY, &Rejection::Busy.message(), None))
}

/// Rejects a message before its dispatch, with the code and the status of its row.
pub(crate) fn reject_with(era: &Era, id: Option<IdToken<'_>>, rejection: &Rejection) -> Accepted {
    telemetry::refused(era.code(rejection).0);
    let (wire, status) = era.write_rejection(id, rejection);
    Accepted::Send(wire, status)
}

/// Rejects bytes that are no valid message. The error is the same in every revision.
pub(crate) fn reject(rejected: &Rejected<'_>) -> Accepted {
    telemetry::refused(rejected.code.0);
    Accepted::Send(Wire::one(write_error(rejected.id, rejected.code, &rejected.message, None)), Status::Invalid)
}
