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

use crate::era::{CANCELLED, Channel, Clock, Era, Selection, row};
use crate::fault::Fault;
use crate::inbound::Inbound;
use crate::job::Job;
use crate::receive::{Accepted, batch_fault, cancelled_id, invalid, reject};
use crate::rpc::{Code, Frame, IdKey, IdToken, Message, Notification, Raw, Rejected, Wire, read_frame, read_message};
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
            self.actions.extend(session.take_messages().map(Action::Send));
        }
        self.actions.pop_front()
    }

    /// Nothing more will come in: what waits for an answer of the client's goes on without.
    pub fn handle_end(&mut self) {
        if let Phase::Negotiated(_, session) = &self.phase {
            session.requests().end();
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
            Err(rejected) => self.handle_accepted(reject(&rejected), None),
            Ok(text) => match read_message(text, self.server.limits().id_bytes) {
                Message::Batch(members) => self.handle_batch(frame, &members),
                message => self.handle_message(frame, &message, None),
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

    fn handle_message(&mut self, frame: &Bytes, message: &Message<'_>, batch: Option<&Selection>) {
        match message {
            Message::Request(request) if self.is_in_flight(request.id) => {
                let mut fault = invalid("this id is of a request that is still being answered");
                fault.id = Some(request.id);
                self.handle_accepted(reject(&fault), Some(request.id));
            }
            Message::Notification(notification) if notification.method == CANCELLED => {
                self.cancel(notification);
            }
            // A notification gets no answer, even if it is invalid.
            Message::Rejected(rejected) if rejected.is_notification => telemetry::refused(rejected.code.0),
            message => {
                let channel = Channel::Pipe { negotiated: self.negotiated() };
                let inbound = Inbound { frame, channel, clock: self.clock };
                let accepted = self.server.receive(message, batch, &inbound);
                let id = if let Message::Request(request) = message { Some(request.id) } else { None };
                self.handle_accepted(accepted, id);
            }
        }
    }

    /// Takes what comes of a message; `id` is that of a request.
    fn handle_accepted(&mut self, accepted: Accepted, id: Option<IdToken<'_>>) {
        match (accepted, id) {
            (Accepted::Open(opened), _) => {
                let (wire, session) = opened.accept();
                if let Some(era) = row(session.version()) {
                    self.phase = Phase::Negotiated(era, session);
                }
                self.send(wire);
            }
            (Accepted::Send(wire, _), _) => self.send(wire),
            (Accepted::Run(job), Some(id)) => self.enqueue(id, job),
            (Accepted::Run(_) | Accepted::Silent, _) => {}
        }
    }

    /// Answers go out one by one, as they finish.
    fn handle_batch(&mut self, frame: &Bytes, members: &[Raw<'_>]) {
        let selection = self.negotiated().map(|(era, session)| Selection { era, session: Some(session.clone()) });
        let accepted = selection.as_ref().is_some_and(|selection| selection.era.batches);
        if let Some(fault) = batch_fault(accepted, members.len()) {
            return self.handle_accepted(reject(&fault), None);
        }
        for member in members {
            let message = read_message(Frame::part(*member), self.server.limits().id_bytes);
            self.handle_message(&frame.slice_ref(member.text().as_bytes()), &message, selection.as_ref());
        }
    }

    fn is_in_flight(&self, id: IdToken<'_>) -> bool {
        !self.open.is_empty() && self.open.contains_key(&IdKey::new(id))
    }

    fn negotiated(&self) -> Option<(&'static Era, &Session)> {
        match &self.phase {
            Phase::Opening => None,
            Phase::Negotiated(era, session) => Some((era, session)),
        }
    }

    fn enqueue(&mut self, id: IdToken<'_>, job: Job) {
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
            let message = Fault::Busy.message();
            let busy = Rejected {
                id: Some(id),
                is_notification: false,
                code: Code::BUSY,
                message: message.into_owned().into(),
            };
            return self.handle_accepted(reject(&busy), None);
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

    fn cancel(&mut self, notification: &Notification<'_>) {
        let Some(ticket) = cancelled_id(notification).and_then(|id| self.open.remove(&IdKey::new(id))) else { return };
        self.waiting.retain(|(waiting, _, _)| *waiting != ticket);
        if self.take_running(ticket).is_some() {
            self.actions.push_back(Action::Cancel(ticket));
            self.start_waiting();
        }
    }
}
