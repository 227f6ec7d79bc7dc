//! The requests of a batch over HTTP, from when the batch was accepted to when each is dispatched.
//!
//! Not here: when that is, and what becomes of the answers (`job/batch.rs`).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;

use crate::era::{Clock, Exchange, Header, Selection};
use crate::inbound::Inbound;
use crate::job::{Member, Members, without_room};
use crate::receive::{Accepted, busy};
use crate::rpc::{Frame, Message, Raw, RequestId, read_message};
use crate::server::Server;
use crate::session::{Cancel, InFlightGuard};
use crate::telemetry::TRACEPARENT;

/// The requests of one batch, by the place of their members.
pub(crate) struct BatchRequests {
    server: Server,
    /// For all of the batch.
    selection: Selection,
    exchange: Noted,
    members: Vec<Option<Waiting>>,
    /// The ids of the requests, by place.
    ids: Vec<Option<RequestId>>,
}

/// A request that is not dispatched yet.
struct Waiting {
    frame: Bytes,
    id: RequestId,
    cancelled: Arc<Cancelled>,
    /// Lets the client cancel it by its id.
    _in_flight: Option<InFlightGuard>,
}

impl Waiting {
    fn is_cancelled(&self) -> bool {
        self.cancelled.0.load(Ordering::Acquire)
    }
}

/// Whether the client has cancelled a request that waits.
#[derive(Default)]
struct Cancelled(AtomicBool);

impl Cancel for Cancelled {
    fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }
}

impl BatchRequests {
    pub(crate) fn new(server: Server, selection: Selection, exchange: &dyn Exchange) -> Self {
        Self { server, selection, exchange: Noted::of(exchange), members: Vec::new(), ids: Vec::new() }
    }

    /// Takes a member. `None` if it gets no answer.
    pub(crate) fn add(&mut self, member: Raw<'_>, inbound: &Inbound<'_>) -> Option<Member> {
        let frame = inbound.frame.slice_ref(member.text().as_bytes());
        let message = read_message(Frame::part(member), self.server.limits().id_bytes);
        let (member, waiting) = match &message {
            Message::Request(request) if !inbound.admits_request() => (Member::Answered(busy(request.id)), None),
            Message::Request(request) => {
                let cancelled = Arc::<Cancelled>::default();
                let work: Arc<dyn Cancel> = cancelled.clone();
                let session = self.selection.session.as_ref();
                let in_flight = session.map(|session| session.in_flight().enter(request.id, Arc::downgrade(&work)));
                (Member::Waiting, Some(Waiting { frame, id: request.id.to_owned(), cancelled, _in_flight: in_flight }))
            }
            message => match self.server.receive(message, Some(&self.selection), &inbound.part(&frame)) {
                Accepted::Send(wire, _) => (Member::Answered(wire), None),
                Accepted::Open(_) | Accepted::Run(_) | Accepted::Silent => return None,
            },
        };
        self.ids.push(waiting.as_ref().map(|waiting| waiting.id.clone()));
        self.members.push(waiting);
        Some(member)
    }

    fn take(&mut self, place: usize) -> Option<Waiting> {
        self.members.get_mut(place).and_then(Option::take)
    }
}

impl Members for BatchRequests {
    fn start(&mut self, place: usize) -> Member {
        let Some(waiting) = self.take(place).filter(|waiting| !waiting.is_cancelled()) else {
            return Member::Cancelled;
        };
        let inbound = Inbound::http(&waiting.frame, &self.exchange);
        let member = match self.server.receive(&self.server.read(&waiting.frame), Some(&self.selection), &inbound) {
            Accepted::Send(wire, _) => Member::Answered(wire),
            Accepted::Run(job) => Member::Running(job),
            Accepted::Open(_) | Accepted::Silent => Member::Cancelled,
        };
        // A cancellation that came before the job was in flight reached only what waited.
        if waiting.is_cancelled() { Member::Cancelled } else { member }
    }

    fn reject(&mut self, place: usize) -> Member {
        match self.take(place).filter(|waiting| !waiting.is_cancelled()) {
            Some(waiting) => Member::Answered(busy(waiting.id.token())),
            None => Member::Cancelled,
        }
    }

    fn without_room(&self, place: usize) -> Member {
        let id = self.ids.get(place).and_then(Option::as_ref);
        Member::Answered(without_room(id.map(RequestId::token)))
    }
}

/// The parts of an exchange that its requests need later.
struct Noted {
    takes_stream: bool,
    principal: Option<String>,
    traceparent: Option<Bytes>,
    clock: Option<Clock>,
}

impl Noted {
    fn of(exchange: &dyn Exchange) -> Self {
        let traceparent = match exchange.header(TRACEPARENT) {
            Header::One(value) => Some(Bytes::copy_from_slice(value)),
            Header::Absent | Header::Many => None,
        };
        let principal = exchange.principal().map(str::to_owned);
        Self { takes_stream: exchange.takes_stream(), principal, traceparent, clock: exchange.clock() }
    }
}

impl Exchange for Noted {
    fn header(&self, name: &str) -> Header<'_> {
        match &self.traceparent {
            Some(value) if name == TRACEPARENT => Header::One(value),
            _ => Header::Absent,
        }
    }

    fn takes_stream(&self) -> bool {
        self.takes_stream
    }

    fn clock(&self) -> Option<Clock> {
        self.clock
    }

    fn principal(&self) -> Option<&str> {
        self.principal.as_deref()
    }
}
