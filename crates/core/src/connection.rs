//! The state of one pipe: what its handshake settled, and which of its requests are being worked on.
//!
//! Synchronous and without I/O. `handle_*` takes what happened, [`Connection::poll_action`] gives what to do about it; the
//! driver owns the bytes, the jobs and the clock. In any order of calls:
//!
//! 1. for each line that came in, `handle_frame`, or `handle_oversized` for one over the limit;
//! 2. for each job that is done (its last message sent), `handle_done`;
//! 3. after either, `poll_action` until it gives `None`.
//!
//! Requests that carry their own metadata are served beside the handshake and **never read or change what it settled**.

use std::collections::{HashMap, VecDeque};

use bytes::Bytes;

use crate::accept::{batch_fault, batch_member_fault, invalid, rejection};
use crate::dispatch::Dispatched;
use crate::era::{CANCELLED, Channel, Clock, Era, INITIALIZE, INITIALIZED, RequestHead, row};
use crate::fault::Fault;
use crate::inbound::Inbound;
use crate::job::Job;
use crate::rpc::{Frame, IdKey, IdToken, Message, Notification, Raw, Request, Wire, read_frame, read_message};
use crate::server::Server;
use crate::session::Session;
use crate::telemetry;

/// One client on one pipe.
pub struct Connection {
    server: Server,
    phase: Phase,
    /// Requests that are running or waiting, by id.
    open: HashMap<IdKey, Ticket>,
    running: HashMap<Ticket, Running>,
    /// How many of the running ones are held streams, which take no place among the requests.
    held: usize,
    waiting: VecDeque<(Ticket, IdKey, Job)>,
    next: u64,
    actions: VecDeque<Action>,
    clock: Option<Clock>,
}

/// Where the pipe is in its life.
///
/// ```text
/// Opening ──initialize──▶ Negotiated
/// ```
enum Phase {
    /// No handshake yet; there may never be one.
    Opening,
    Negotiated(&'static Era, Session),
}

struct Running {
    key: IdKey,
    held: bool,
}

/// Names a running job between a connection and its driver.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Ticket(u64);

/// What the driver is to do.
#[derive(Debug)]
pub enum Action {
    /// Send this message.
    Send(Wire),
    /// Poll this job, send what it says, and call [`Connection::handle_done`] with the ticket after its last message.
    Start(Ticket, Job),
    /// Drop the job of that ticket: its request was cancelled. The driver does not call `handle_done` for it.
    Cancel(Ticket),
}

impl Connection {
    /// A pipe on which nothing was said yet.
    pub fn new(server: Server) -> Self {
        Self {
            server,
            phase: Phase::Opening,
            open: HashMap::new(),
            running: HashMap::new(),
            held: 0,
            waiting: VecDeque::new(),
            next: 0,
            actions: VecDeque::new(),
            clock: None,
        }
    }

    /// Sets the driver's clock. Spans and metrics measure the duration of each request with it.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock: Some(clock), ..self }
    }

    /// What to do next, if anything.
    #[must_use = "an action that is not carried out is a lost answer"]
    pub fn poll_action(&mut self) -> Option<Action> {
        if self.actions.is_empty()
            && let Phase::Negotiated(_, session) = &self.phase
        {
            self.actions.extend(session.withdrawals().map(Action::Send));
        }
        self.actions.pop_front()
    }

    /// Nothing more will come in: what waits for an answer of the client's goes on without.
    pub fn handle_end(&mut self) {
        if let Phase::Negotiated(_, session) = &self.phase {
            session.disconnect();
        }
    }

    /// How many bytes the next line may have: more while the client has a request of ours to answer.
    pub fn frame_limit(&self) -> usize {
        let limits = self.server.limits();
        let is_waiting = matches!(&self.phase, Phase::Negotiated(_, session) if session.is_waiting());
        if is_waiting { limits.message_bytes.max(limits.answer_bytes) } else { limits.message_bytes }
    }

    /// Whether every request so far is answered.
    pub fn is_idle(&self) -> bool {
        self.open.is_empty() && self.actions.is_empty()
    }

    /// Takes one line, without its end. Blank ones are nothing.
    pub fn handle_frame(&mut self, frame: &Bytes) {
        if frame.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        match read_frame(frame) {
            Err(rejected) => self.send(rejection(&rejected)),
            Ok(text) => match read_message(text, self.server.limits().id_bytes) {
                Message::Batch(members) => self.handle_batch(frame, &members),
                message => self.handle_message(frame, message),
            },
        }
    }

    /// A line was longer than [`frame_limit`](Self::frame_limit) and was thrown away up to its end.
    pub fn handle_oversized(&mut self) {
        let limit = self.frame_limit();
        let setting = if limit > self.server.limits().message_bytes { "answer_bytes" } else { "message_bytes" };
        self.send(Server::refuse(&format!(
            "the message is longer than {limit} bytes: send less, or raise `Limits::{setting}`"
        )));
    }

    /// The job of that ticket has said its last.
    pub fn handle_done(&mut self, ticket: Ticket) {
        if let Some(running) = self.take_running(ticket) {
            self.open.remove(&running.key);
            self.start_waiting();
        }
    }

    fn take_running(&mut self, ticket: Ticket) -> Option<Running> {
        let running = self.running.remove(&ticket)?;
        self.held -= usize::from(running.held);
        Some(running)
    }

    fn send(&mut self, wire: Wire) {
        self.actions.push_back(Action::Send(wire));
    }

    fn handle_message(&mut self, frame: &Bytes, message: Message<'_>) {
        match message {
            Message::Request(request) => self.handle_request(frame, &request),
            Message::Notification(notification) => self.handle_notification(&notification),
            // A notification gets no answer, even if it is invalid.
            Message::Rejected(rejected) if rejected.is_notification => telemetry::refused(rejected.code.0),
            Message::Rejected(rejected) => self.send(rejection(&rejected)),
            Message::Batch(_) => self.send(rejection(&invalid("a batch may not hold another"))),
            Message::Response(response) => {
                // Before the handshake it is a stray: nothing was asked.
                if let Phase::Negotiated(_, session) = &self.phase {
                    session.answer(frame, &response);
                }
            }
        }
    }

    /// Answers go out one by one, as they finish.
    fn handle_batch(&mut self, frame: &Bytes, members: &[Raw<'_>]) {
        let accepted = matches!(&self.phase, Phase::Negotiated(era, _) if era.batches);
        if let Some(fault) = batch_fault(accepted, members.len()) {
            return self.send(rejection(&fault));
        }
        for member in members {
            let message = read_message(Frame::part(*member), self.server.limits().id_bytes);
            let fault = if let Message::Request(request) = &message { batch_member_fault(request) } else { None };
            match fault {
                Some(fault) => self.send(rejection(&fault)),
                None => self.handle_message(&frame.slice_ref(member.text().as_bytes()), message),
            }
        }
    }

    fn handle_request(&mut self, frame: &Bytes, request: &Request<'_>) {
        if !self.open.is_empty() && self.open.contains_key(&IdKey::new(request.id)) {
            let mut fault = invalid("this id is of a request that is still being answered");
            fault.id = Some(request.id);
            return self.send(rejection(&fault));
        }
        let channel = Channel::Pipe { negotiated: self.negotiated() };
        let (method, params) = (&request.method, &request.params);
        // There are no headers here to mirror anything.
        let asked = RequestHead { method, params, notification: false, mirrored: &|_| &[], channel };
        let era = match self.server.select(&asked) {
            Ok(chosen) => chosen.era,
            Err(refused) => return self.refuse(refused.era, request.id, &refused.fault),
        };
        if era.handshake && request.method == INITIALIZE && !self.open_handshake(request) {
            let fault = Fault::InvalidRequest("\"initialize\" was answered already on this pipe".into());
            return self.refuse(era, request.id, &fault);
        }
        match self.server.dispatch(era, request, &self.inbound(era, frame)) {
            Dispatched::Reply(wire, _) => self.send(wire),
            Dispatched::Run(job) => self.enqueue(era, request.id, job),
        }
    }

    fn refuse(&mut self, era: &'static Era, id: IdToken<'_>, fault: &Fault) {
        telemetry::refused(era.code(fault).0);
        let (wire, _) = era.write_fault(Some(id), fault);
        self.send(wire);
    }

    fn negotiated(&self) -> Option<&'static Era> {
        match &self.phase {
            Phase::Opening => None,
            Phase::Negotiated(era, _) => Some(era),
        }
    }

    /// Settles the revision; `false` if one was settled before. An ill-typed request settles nothing: the dispatch that
    /// follows refuses it.
    fn open_handshake(&mut self, request: &Request<'_>) -> bool {
        if matches!(self.phase, Phase::Negotiated(..)) {
            return false;
        }
        if let Some(session) = self.server.open_session(request)
            && let Some(era) = row(session.version())
        {
            self.phase = Phase::Negotiated(era, session);
        }
        true
    }

    /// What the handshake said of the client, unless the request speaks for itself.
    fn inbound<'a>(&'a self, era: &Era, frame: &'a Bytes) -> Inbound<'a> {
        let session = match &self.phase {
            Phase::Negotiated(_, session) if era.handshake => Some(session),
            Phase::Opening | Phase::Negotiated(..) => None,
        };
        Inbound { frame, pipe: true, session, stream: true, exchange: None, clock: self.clock }
    }

    fn enqueue(&mut self, era: &'static Era, id: IdToken<'_>, job: Job) {
        let key = IdKey::new(id);
        let ticket = Ticket(self.next);
        let limits = self.server.limits();
        let held = job.needs_stream();
        let has_place = if held { self.held < limits.streams } else { self.has_place() };
        if has_place {
            self.start(ticket, Running { key: key.clone(), held }, job);
        } else if !held && self.waiting.len() < limits.requests_waiting {
            self.waiting.push_back((ticket, key.clone(), job));
        } else {
            return self.refuse(era, id, &Fault::Busy);
        }
        self.next += 1;
        self.open.insert(key, ticket);
    }

    fn has_place(&self) -> bool {
        self.running.len() - self.held < self.server.limits().requests_in_flight
    }

    fn start(&mut self, ticket: Ticket, running: Running, job: Job) {
        self.held += usize::from(running.held);
        self.running.insert(ticket, running);
        self.actions.push_back(Action::Start(ticket, job));
    }

    fn start_waiting(&mut self) {
        if !self.has_place() {
            return;
        }
        if let Some((ticket, key, job)) = self.waiting.pop_front() {
            self.start(ticket, Running { key, held: false }, job);
        }
    }

    fn handle_notification(&mut self, notification: &Notification<'_>) {
        if notification.method == INITIALIZED
            && let Phase::Negotiated(_, session) = &self.phase
        {
            session.set_ready();
        }
        if notification.method != CANCELLED {
            return;
        }
        let Some(id) = notification.params.other("requestId").and_then(IdToken::new) else { return };
        let Some(ticket) = self.open.remove(&IdKey::new(id)) else { return };
        self.waiting.retain(|(waiting, _, _)| *waiting != ticket);
        if self.take_running(ticket).is_some() {
            self.actions.push_back(Action::Cancel(ticket));
            self.start_waiting();
        }
    }
}
