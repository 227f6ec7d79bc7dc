//! The state of one pipe: its handshake and its requests in flight. It is synchronous and does no I/O.
//!
//! Requests that carry their own metadata are served beside the handshake, and **never read or change its result**.
//! Not here: the rules of one message (`receive.rs`), and the bytes, the jobs and the clock, which the driver owns.

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::task::Waker;

use bytes::Bytes;

use crate::budget::Budget;
use crate::era::{CANCELLED, Channel, Clock, Era, INITIALIZED, Selection, row};
use crate::inbound::Inbound;
use crate::job::{Activation, Job};
use crate::permits::{Peer, Permits};
use crate::receive::{Accepted, busy, cancelled_id, check_batch, invalid, reject};
use crate::rpc::{ByteGuard, Frame, IdKey, IdToken, Message, Notification, Raw, Wire, read_frame, read_message};
use crate::server::Server;
use crate::session::Session;
use crate::telemetry;

/// One client on one pipe.
///
/// Its methods are of three kinds:
///
/// 1. **`handle_*` reports an event**, in any order: [`handle_frame`](Self::handle_frame) a line,
///    [`handle_oversized`](Self::handle_oversized) a line over the limit, [`handle_done`](Self::handle_done) a job whose last message
///    was sent, [`handle_end`](Self::handle_end) the end of the input.
/// 2. **[`poll_action`](Self::poll_action) returns the next action.** Call it until it returns `None`: after each `handle_*`, and after
///    the drop of a cancelled job, which can leave a message to send.
/// 3. **At any time:** [`frame_limit`](Self::frame_limit), [`held_bytes`](Self::held_bytes) and [`is_idle`](Self::is_idle) read the state.
///
/// The [crate's page](crate) has an example.
pub struct Connection {
    server: Server,
    phase: Phase,
    /// Requests that are running or waiting, by id.
    open: HashMap<IdKey, Ticket>,
    running: HashMap<Ticket, Running>,
    /// How many of the running jobs are held streams. They do not count against the in-flight limit.
    held: usize,
    waiting: VecDeque<(Ticket, IdKey, Job)>,
    next: u64,
    actions: VecDeque<Action>,
    clock: Option<Clock>,
    /// What is held for the client: requests that wait or run, JSON values that are made of them, and its answers that author code has
    /// not received.
    budget: Budget,
    /// The same, for the jobs.
    permits: Arc<dyn Permits>,
    /// The job that tells the client of changes. It answers no request.
    notifying: Option<Ticket>,
    has_ended: bool,
}

/// The budget of a pipe, for its jobs.
struct PipePermits {
    budget: Budget,
    most: usize,
}

impl Permits for PipePermits {
    /// Each member of a batch on a pipe is a job of its own.
    fn try_permit(&self, _: Option<&Peer>, _: &Waker) -> Option<Box<dyn Any + Send>> {
        Some(Box::new(()))
    }

    fn hold(&self, _: Option<&Peer>, bytes: usize) -> Option<ByteGuard> {
        self.budget.charge(bytes, self.most).map(ByteGuard::new)
    }
}

/// The handshake of the pipe.
///
/// ```text
/// BeforeHandshake ──initialize──▶ Negotiated
/// ```
enum Phase {
    /// No handshake yet. A modern client sends none.
    BeforeHandshake,
    Negotiated(&'static Era, Session),
}

struct Running {
    key: IdKey,
    held: bool,
    /// Follows when the answer was sent.
    activation: Option<Activation>,
}

/// Identifies a running job between a connection and its driver.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Ticket(u64);

/// An action for the driver.
#[derive(Debug)]
pub enum Action {
    /// Send this message.
    Send(Wire),
    /// Poll this job, send its messages, and call [`Connection::handle_done`] with the ticket after its last one.
    Start(Ticket, Job),
    /// Drop the job of that ticket: its request was cancelled. The driver does not call `handle_done` for it.
    Cancel(Ticket),
}

impl Connection {
    /// A pipe that has received no message yet.
    pub fn new(server: Server) -> Self {
        let (budget, most) = (Budget::default(), server.limits().connection_bytes);
        let permits = Arc::new(PipePermits { budget: budget.clone(), most });
        Self {
            server,
            phase: Phase::BeforeHandshake,
            open: HashMap::new(),
            running: HashMap::new(),
            held: 0,
            waiting: VecDeque::new(),
            next: 0,
            actions: VecDeque::new(),
            clock: None,
            budget,
            permits,
            notifying: None,
            has_ended: false,
        }
    }

    /// Sets the driver's clock. Spans and metrics measure the duration of each request with it.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock: Some(clock), ..self }
    }

    /// The next action; `None` if there is none.
    #[must_use = "an action that is not carried out is a lost answer"]
    pub fn poll_action(&mut self) -> Option<Action> {
        if self.actions.is_empty()
            && let Phase::Negotiated(_, session) = &self.phase
        {
            self.actions.extend(session.take_messages().map(Action::Send));
        }
        self.actions.pop_front()
    }

    /// The input has ended: requests to the client get no answer.
    pub fn handle_end(&mut self) {
        self.has_ended = true;
        if let Phase::Negotiated(_, session) = &self.phase {
            session.requests().end();
        }
    }

    /// The most bytes that the next line may have. It is more while a request to the client waits for its answer.
    pub fn frame_limit(&self) -> usize {
        let limits = self.server.limits();
        let is_waiting = matches!(&self.phase, Phase::Negotiated(_, session) if session.is_waiting());
        if is_waiting { limits.message_bytes.max(limits.answer_bytes) } else { limits.message_bytes }
    }

    /// Whether all requests so far are answered, and all actions were returned.
    pub fn is_idle(&self) -> bool {
        // At the end, the remaining notifications of changes are sent first.
        let is_told = !self.has_ended || self.notifying.is_none();
        self.open.is_empty() && self.actions.is_empty() && is_told
    }

    /// Bytes of the client's messages that wait, or that are kept for the jobs, also for cancelled ones until they are dropped. Together
    /// with what waits until the client reads it, the driver keeps them within [`Limits::connection_bytes`](crate::Limits::connection_bytes).
    pub fn held_bytes(&self) -> usize {
        self.budget.bytes()
    }

    /// Takes one line, without its line end. Blank lines are ignored. Jobs keep the line, so it should be no slice of a larger buffer.
    pub fn handle_frame(&mut self, frame: &Bytes) {
        if frame.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        match read_frame(frame) {
            Err(rejected) => self.handle_accepted(reject(&rejected), None),
            Ok(text) => match read_message(text, self.server.limits().id_bytes) {
                Message::Batch(members) => self.handle_batch(&members),
                message => self.handle_message(frame, &message, None),
            },
        }
    }

    /// A line was longer than [`frame_limit`](Self::frame_limit), and the driver discarded all of it.
    pub fn handle_oversized(&mut self) {
        let limit = self.frame_limit();
        let setting = if limit > self.server.limits().message_bytes { "answer_bytes" } else { "message_bytes" };
        self.send(Server::refuse(&format!(
            "the message is longer than {limit} bytes: send less, or raise `Limits::{setting}`"
        )));
    }

    /// The last message of the job with that ticket was sent.
    pub fn handle_done(&mut self, ticket: Ticket) {
        if self.notifying == Some(ticket) {
            self.notifying = None;
        }
        if let Some(running) = self.take_running(ticket) {
            if let Some(activation) = &running.activation {
                activation.activate();
            }
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
                let mut rejection = invalid("this id is of a request that is still being answered");
                rejection.id = Some(request.id);
                self.handle_accepted(reject(&rejection), None);
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
                if matches!(message, Message::Notification(notification) if notification.method == INITIALIZED) {
                    self.start_notifying();
                }
                let request = if let Message::Request(request) = message { Some((request.id, frame)) } else { None };
                self.handle_accepted(accepted, request);
            }
        }
    }

    /// Applies the outcome of a message. `request` is the id and the bytes of a request.
    fn handle_accepted(&mut self, accepted: Accepted, request: Option<(IdToken<'_>, &Bytes)>) {
        match (accepted, request) {
            (Accepted::Open(opened), _) => {
                let (wire, session) = opened.accept();
                session.requests().set_budget(self.budget.clone());
                if let Some(era) = row(session.version()) {
                    self.phase = Phase::Negotiated(era, session);
                }
                self.send(wire);
            }
            (Accepted::Send(wire, _), _) => self.send(wire),
            (Accepted::Run(job), Some((id, frame))) => self.enqueue(id, frame, job),
            (Accepted::Run(_) | Accepted::Silent, _) => {}
        }
    }

    /// Receives a batch. On a pipe each answer is sent by itself, as soon as it is ready.
    fn handle_batch(&mut self, members: &[Raw<'_>]) {
        let selection = self.negotiated().map(|(era, session)| Selection { era, session: Some(session.clone()) });
        let accepted = selection.as_ref().is_some_and(|selection| selection.era.batches);
        if let Some(rejection) = check_batch(accepted, members.len()) {
            return self.handle_accepted(reject(&rejection), None);
        }
        for member in members {
            // A copy, so that a member that waits does not keep the others.
            let frame = Bytes::copy_from_slice(member.text().as_bytes());
            let message = read_message(Frame::part(Raw::checked_before(&frame)), self.server.limits().id_bytes);
            self.handle_message(&frame, &message, selection.as_ref());
        }
    }

    /// Starts to tell an initialized client of changes.
    fn start_notifying(&mut self) {
        let listener = self.negotiated().and_then(|(_, session)| session.listener().cloned());
        if let (None, Some(listener)) = (self.notifying, listener) {
            let ticket = Ticket(self.next);
            self.next += 1;
            self.notifying = Some(ticket);
            self.actions.push_back(Action::Start(ticket, Job::notify(listener)));
        }
    }

    fn is_in_flight(&self, id: IdToken<'_>) -> bool {
        !self.open.is_empty() && self.open.contains_key(&IdKey::new(id))
    }

    fn negotiated(&self) -> Option<(&'static Era, &Session)> {
        match &self.phase {
            Phase::BeforeHandshake => None,
            Phase::Negotiated(era, session) => Some((era, session)),
        }
    }

    fn enqueue(&mut self, id: IdToken<'_>, frame: &Bytes, mut job: Job) {
        let key = IdKey::new(id);
        let ticket = Ticket(self.next);
        let limits = self.server.limits();
        let held = job.needs_stream();
        let Some(charge) = self.budget.charge(self.kept_bytes(id, frame, held), limits.connection_bytes) else {
            return self.send(busy(id));
        };
        job.set_charge(charge);
        job.set_permits(self.permits.clone());
        let has_place = if held { self.held < limits.streams } else { self.has_place() };
        if has_place {
            self.start(ticket, (key.clone(), held), job);
        } else if !held && self.waiting.len() < limits.requests_waiting {
            self.waiting.push_back((ticket, key.clone(), job));
        } else {
            return self.send(busy(id));
        }
        self.next += 1;
        self.open.insert(key, ticket);
    }

    /// What a request is kept with: its line, a copy of its URI, and its id, in the job and twice here. A held stream keeps the id.
    fn kept_bytes(&self, id: IdToken<'_>, frame: &Bytes, held: bool) -> usize {
        let line = if held { 0 } else { frame.len() + frame.len().min(self.server.limits().uri_bytes) };
        line + 3 * id.len()
    }

    fn has_place(&self) -> bool {
        self.running.len() - self.held < self.server.limits().requests_in_flight
    }

    fn start(&mut self, ticket: Ticket, (key, held): (IdKey, bool), mut job: Job) {
        self.held += usize::from(held);
        self.running.insert(ticket, Running { key, held, activation: job.take_activation() });
        self.actions.push_back(Action::Start(ticket, job));
    }

    fn start_waiting(&mut self) {
        if !self.has_place() {
            return;
        }
        if let Some((ticket, key, job)) = self.waiting.pop_front() {
            self.start(ticket, (key, false), job);
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
