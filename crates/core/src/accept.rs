//! Messages that come one by one, as over HTTP: **one pure call from bytes to an answer or a job**.
//!
//! A request stands alone, or belongs to the session that its exchange names; on a pipe [`crate::Connection`] stands in front
//! of the same dispatch.

use bytes::Bytes;

use crate::dispatch::Dispatched;
use crate::era::{
    self, CANCELLED, Channel, Era, Exchange, INITIALIZE, INITIALIZED, Lookup, Refusal, RequestHead, Selected,
    Selection, select,
};
use crate::fault::Fault;
use crate::inbound::Inbound;
use crate::job::{Job, Member};
use crate::rpc::{
    Code, Frame, IdToken, Message, Notification, Params, Raw, Rejected, Request, Response, Wire, read_frame,
    read_message, write_error,
};
use crate::server::Server;
use crate::session::{NewSession, Session};
use crate::telemetry;

/// Most messages that one batch may have.
pub(crate) const BATCH: usize = 100;

/// What comes of a message: the driver sends it, runs it, or is silent.
#[derive(Debug)]
pub enum Accepted {
    /// The answer to a handshake, with a session to be kept under an id.
    Open(NewSession),
    /// The answer, and how a transport with statuses should rate it.
    Send(Wire, Refusal),
    /// Work to poll until it is done.
    Run(Job),
    /// Nothing is to be answered.
    Silent,
}

impl Server {
    /// Takes the body of one HTTP request to its answer, or to the job that will answer.
    ///
    /// The transport has checked what is its own (host, origin, media types, size) before; here follow, in this order:
    /// the message, the session, the revision with its headers and metadata, the method, its parameters.
    pub fn accept(&self, body: &Bytes, exchange: &dyn Exchange) -> Accepted {
        let message = match read_frame(body) {
            Ok(frame) => read_message(frame, self.limits().id_bytes),
            Err(rejected) => Message::Rejected(rejected),
        };
        match message {
            Message::Batch(members) => self.accept_batch(body, &members, exchange),
            Message::Notification(notification) => {
                let Notification { method, params } = &notification;
                self.selected(method, params, exchange, |chosen| {
                    if let Some(session) = &chosen.session {
                        note(session, &notification);
                    }
                    Accepted::Silent
                })
            }
            Message::Rejected(rejected) => reject(&rejected),
            Message::Request(request) => self.accept_request(body, &request, exchange),
            Message::Response(response) => self.accept_response(body, &response, exchange),
        }
    }

    /// Does something with the row of a message that is no request.
    fn selected(
        &self,
        method: &str,
        params: &Params<'_>,
        exchange: &dyn Exchange,
        then: impl FnOnce(&Selection) -> Accepted,
    ) -> Accepted {
        let mirrored = |_: &str| -> &[_] { &[] };
        let channel = Channel::Http(exchange);
        match self.select(&RequestHead { method, params, notification: true, mirrored: &mirrored, channel }) {
            Ok(chosen) => then(&chosen),
            Err(refused) => refuse(refused.era, None, &refused.fault),
        }
    }

    pub(crate) fn select(&self, asked: &RequestHead<'_>) -> Selected {
        select(asked, self.served())
    }

    fn accept_request(&self, body: &Bytes, request: &Request<'_>, exchange: &dyn Exchange) -> Accepted {
        let Request { method, params, id } = request;
        let mirrored = |tool: &str| self.mirrored(tool);
        let channel = Channel::Http(exchange);
        let refuse = |era, fault| refuse(era, Some(*id), fault);
        match self.select(&RequestHead { method, params, notification: false, mirrored: &mirrored, channel }) {
            Err(refused) => refuse(refused.era, &refused.fault),
            Ok(Selection { era, session: Some(_) }) if method == INITIALIZE => {
                refuse(era, &Fault::InvalidRequest("\"initialize\" was answered already in this session".into()))
            }
            Ok(Selection { era, session }) => {
                let opens = era.handshake && method == INITIALIZE && matches!(exchange.session(), Lookup::Missing);
                let opened = opens.then(|| self.open_session(request)).flatten();
                if opened.as_ref().is_some_and(|opened| opened.bytes() > OPENING) {
                    let fault = format!("what a client says of itself may have {OPENING} bytes in a session");
                    return refuse(era, &Fault::InvalidParams(fault.into()));
                }
                match (self.dispatch(era, request, &inbound(body, exchange, session.as_ref())), opened) {
                    (Dispatched::Reply(wire, Refusal::None), Some(opened)) => {
                        Accepted::Open(NewSession::new(request.id.to_owned(), wire, opened))
                    }
                    (Dispatched::Reply(wire, refusal), _) => Accepted::Send(wire, refusal),
                    (Dispatched::Run(job), _) => Accepted::Run(job),
                }
            }
        }
    }

    /// The session that a well-formed `initialize` opens.
    pub(crate) fn open_session(&self, request: &Request<'_>) -> Option<Session> {
        let params = &request.params;
        if request.method != INITIALIZE || params.meta.wrong {
            return None;
        }
        let era = self.served().negotiate(&params.string("protocolVersion")?)?;
        let said = |name| params.optional(name).map(Raw::text).unwrap_or_default();
        Some(Session::new(era.name, era.id_only_first_event, said("clientInfo"), said("capabilities")))
    }

    /// Nothing but what a session asked for is waited for. A revision that never asks refuses the answer.
    fn accept_response(&self, body: &Bytes, response: &Response<'_>, exchange: &dyn Exchange) -> Accepted {
        self.selected("", &Params::default(), exchange, |chosen| {
            if !chosen.era.requests {
                return reject(&invalid("this server asked nothing"));
            }
            if let Some(session) = &chosen.session {
                session.answer(body, response);
            }
            Accepted::Silent
        })
    }

    fn accept_batch(&self, body: &Bytes, members: &[Raw<'_>], exchange: &dyn Exchange) -> Accepted {
        self.selected("", &Params::default(), exchange, |chosen| {
            if let Some(fault) = batch_fault(chosen.era.batches, members.len()) {
                return reject(&fault);
            }
            let members = members.iter().filter_map(|member| self.accept_member(body, *member, chosen, exchange));
            let members: Vec<_> = members.collect();
            if members.is_empty() { Accepted::Silent } else { Accepted::Run(Job::batch(members)) }
        })
    }

    /// The answer to a member of a batch, or the work that will answer; `None` if it gets none.
    fn accept_member(
        &self,
        body: &Bytes,
        member: Raw<'_>,
        chosen: &Selection,
        exchange: &dyn Exchange,
    ) -> Option<Member> {
        let frame = body.slice_ref(member.text().as_bytes());
        let session = chosen.session.as_ref();
        let rejected = |rejected: &Rejected<'_>| Some(Member::Answered(rejection(rejected)));
        match (read_message(Frame::part(member), self.limits().id_bytes), session) {
            (Message::Request(request), _) => {
                if let Some(fault) = batch_member_fault(&request) {
                    return rejected(&fault);
                }
                Some(match self.dispatch(chosen.era, &request, &inbound(&frame, exchange, session)) {
                    Dispatched::Reply(wire, _) => Member::Answered(wire),
                    Dispatched::Run(job) => Member::Running(job),
                })
            }
            (Message::Notification(notification), Some(session)) => {
                note(session, &notification);
                None
            }
            (Message::Response(response), Some(session)) => {
                session.answer(&frame, &response);
                None
            }
            (Message::Notification(_) | Message::Response(_), None) => None,
            (Message::Rejected(fault), _) => rejected(&fault),
            (Message::Batch(_), _) => rejected(&invalid("a batch may not hold another")),
        }
    }
}

/// Most bytes that are kept of what a client says of itself in a handshake.
const OPENING: usize = 16 * 1024;

fn inbound<'a>(frame: &'a Bytes, exchange: &'a dyn Exchange, session: Option<&'a Session>) -> Inbound<'a> {
    Inbound {
        frame,
        pipe: false,
        session,
        stream: exchange.takes_stream(),
        exchange: Some(exchange),
        clock: exchange.clock(),
    }
}

/// What a notification means to the session that it is in.
fn note(session: &Session, notification: &Notification<'_>) {
    match &*notification.method {
        CANCELLED => {
            if let Some(id) = notification.params.other("requestId").and_then(IdToken::new) {
                session.cancel(id);
            }
        }
        INITIALIZED => session.set_ready(),
        _ => {}
    }
}

impl Session {
    /// The withdrawals of our own requests that no stream of the client's could carry. The driver sends them when it can.
    pub fn withdrawals(&self) -> impl Iterator<Item = Wire> + use<> {
        self.take_withdrawn().into_iter().map(|id| Wire::one(era::withdrawn(id, "not needed any more")))
    }
}

/// Why an array is no message for this revision.
pub(crate) fn batch_fault(accepted: bool, members: usize) -> Option<Rejected<'static>> {
    match members {
        _ if !accepted => Some(invalid("this protocol revision has no batches: send one message")),
        0 => Some(invalid("the batch is empty")),
        1..=BATCH => None,
        _ => Some(invalid("a batch may have at most 100 messages")),
    }
}

/// Why a request may not stand in a batch.
pub(crate) fn batch_member_fault<'a>(request: &Request<'a>) -> Option<Rejected<'a>> {
    let fault = if request.method == INITIALIZE {
        invalid("\"initialize\" may not stand in a batch")
    } else if request.params.meta.marked {
        invalid("a request with per-request metadata may not stand in a batch")
    } else {
        return None;
    };
    Some(Rejected { id: Some(request.id), ..fault })
}

pub(crate) fn invalid(message: &str) -> Rejected<'static> {
    let message = format!("Invalid request: {message}").into();
    Rejected { id: None, is_notification: false, code: Code::INVALID_REQUEST, message }
}

/// The error for a message that goes no further.
fn refuse(era: &Era, id: Option<IdToken<'_>>, fault: &Fault) -> Accepted {
    telemetry::refused(era.code(fault).0);
    let (wire, refusal) = era.write_fault(id, fault);
    Accepted::Send(wire, refusal)
}

/// The error line for what is no message.
pub(crate) fn rejection(rejected: &Rejected<'_>) -> Wire {
    telemetry::refused(rejected.code.0);
    Wire::one(write_error(rejected.id, rejected.code, &rejected.message, None))
}

fn reject(rejected: &Rejected<'_>) -> Accepted {
    Accepted::Send(rejection(rejected), Refusal::Invalid)
}
