//! The driver in memory: passes bytes to the engine, polls jobs in the caller's task, and collects the bytes that come
//! back.
//!
//! It handles bytes only; `client/` parses them. A line is a pipe with a [`grange_core::Connection`], or a series of
//! HTTP exchanges, with a session if the client wants one and the server needs one.

mod post;

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use bytes::Bytes;
use grange_core::{Accepted, Action, Connection, Job, JobEvent, Revision, Server, Ticket, Wire};
use serde_json::Value;
use tokio::task::unconstrained;

use self::post::{Http, HttpSession};
use crate::clock::ManualClock;

/// The stream that carries a message of the server to the client.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Stream {
    /// The pipe.
    Pipe,
    /// The response to the POST with this number; the client's first is 1.
    Post(u64),
    /// The `GET` stream of a session.
    Get,
}

/// The path of messages between one client and the server.
pub(crate) struct Line {
    way: Way,
    server: Server,
    running: Vec<Running>,
    started: u64,
    clock: ManualClock,
    arrived: VecDeque<(Stream, Bytes)>,
    /// Streams that the client dropped.
    dropped: Vec<Stream>,
}

enum Way {
    Pipe(Box<Connection>),
    Http(Box<Http>),
    /// A pipe that the client closed.
    Closed,
}

struct Running {
    serial: u64,
    /// The connection's ticket for the job; only on a pipe.
    ticket: Option<Ticket>,
    stream: Stream,
    job: Job,
    held: bool,
    /// Whether it has sent a message, so that over HTTP its response is an event stream.
    has_sent: bool,
}

impl Line {
    pub(crate) fn pipe(server: &Server, clock: ManualClock) -> Self {
        Self::new(Way::Pipe(Box::new(Connection::new(server.clone()))), server, clock)
    }

    pub(crate) fn http(server: &Server, revision: Revision, clock: ManualClock) -> Self {
        Self::new(Way::Http(Box::new(Http::new(revision))), server, clock)
    }

    fn new(way: Way, server: &Server, clock: ManualClock) -> Self {
        let (running, arrived, dropped) = Default::default();
        Self { way, server: server.clone(), running, started: 0, clock, arrived, dropped }
    }

    /// Uses a session over HTTP, if the server needs one.
    pub(crate) fn with_session(mut self) -> Self {
        if let Way::Http(http) = &mut self.way
            && (self.server.sends_requests() || self.server.announces_changes())
        {
            http.session = HttpSession::NotOpened;
        }
        self
    }

    /// Accepts no event streams as a response over HTTP.
    pub(crate) fn without_streams(mut self) -> Self {
        if let Way::Http(http) = &mut self.way {
            http.takes_streams = false;
        }
        self
    }

    /// Opens the `GET` stream of a session.
    pub(crate) fn with_get_stream(mut self) -> Self {
        if let Way::Http(http) = &mut self.way {
            http.gets = true;
        }
        self
    }

    pub(crate) fn clock(&self) -> &ManualClock {
        &self.clock
    }

    /// Sends what a client writes: lines on a pipe, or the body of a POST over HTTP. Returns the stream that an answer
    /// would arrive on.
    pub(crate) fn send(&mut self, message: &[u8]) -> Stream {
        match &mut self.way {
            Way::Pipe(_) => message.split(|byte| *byte == b'\n').for_each(|line| self.send_line(line)),
            Way::Http(http) => {
                let exchange = http.post(message);
                let stream = Stream::Post(http.posts);
                let accepted = self.server.accept(&Bytes::copy_from_slice(message), &exchange);
                self.carry_out(stream, accepted);
                return stream;
            }
            Way::Closed => {}
        }
        Stream::Pipe
    }

    fn send_line(&mut self, line: &[u8]) {
        let Way::Pipe(connection) = &mut self.way else { return };
        if self.dropped.contains(&Stream::Pipe) {
            return;
        }
        if line.len() > connection.frame_limit() {
            connection.handle_oversized();
        } else {
            connection.handle_frame(&Bytes::copy_from_slice(line));
        }
        self.act();
    }

    /// Carries out the connection's actions.
    fn act(&mut self) {
        while let Way::Pipe(connection) = &mut self.way
            && let Some(action) = connection.poll_action()
        {
            match action {
                Action::Send(wire) => self.deliver(Stream::Pipe, wire),
                Action::Start(ticket, job) => self.start(Stream::Pipe, Some(ticket), job),
                Action::Cancel(ticket) => self.running.retain(|running| running.ticket != Some(ticket)),
            }
        }
    }

    fn carry_out(&mut self, stream: Stream, accepted: Accepted) {
        match accepted {
            Accepted::Open(opening) => {
                let (wire, session) = opening.accept();
                if let Way::Http(http) = &mut self.way {
                    http.session = HttpSession::Open(session);
                }
                self.deliver(stream, wire);
            }
            Accepted::Send(wire, _) => self.deliver(stream, wire),
            Accepted::Run(job) => self.start(stream, None, job),
            Accepted::Silent => {}
        }
    }

    /// Discards the message if its stream was dropped. A dropped pipe still delivers: only its direction to the server
    /// is closed.
    fn deliver(&mut self, stream: Stream, wire: Wire) {
        if stream == Stream::Pipe || !self.dropped.contains(&stream) {
            self.arrived.push_back((stream, wire.into_bytes()));
        }
    }

    fn start(&mut self, stream: Stream, ticket: Option<Ticket>, job: Job) {
        let held = job.needs_stream();
        self.running.push(Running { serial: self.started, ticket, stream, job, held, has_sent: false });
        self.started += 1;
    }

    /// How many jobs have been started.
    pub(crate) fn started(&self) -> u64 {
        self.started
    }

    /// Whether a job with this serial number or a later one still runs. Held streams do not count.
    pub(crate) fn is_working_since(&self, started: u64) -> bool {
        self.running.iter().any(|running| running.serial >= started && !running.held)
    }

    /// Takes the next message of the server, with its stream.
    pub(crate) fn receive(&mut self) -> Option<(Stream, Bytes)> {
        self.arrived.pop_front()
    }

    /// Records the headers that a list of tools defines.
    pub(crate) fn learn(&mut self, message: &Value) {
        if let Way::Http(http) = &mut self.way {
            http.headers.learn(message);
        }
    }

    /// Polls each job until it makes no more progress.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) {
        self.clock.wake_on_advance(cx.waker());
        self.expire();
        let mut index = 0;
        // The end of a job can start another one, which is appended to the list.
        while let Some(running) = self.running.get_mut(index) {
            let stream = running.stream;
            match poll(&mut running.job, cx) {
                Poll::Pending => {
                    // Sets the timer for what the job has just begun to wait for.
                    running.job.poll_timeout(self.clock.instant());
                    index += 1;
                }
                Poll::Ready(JobEvent::Event(wire)) => {
                    running.has_sent = true;
                    self.deliver(stream, wire);
                }
                // A client in memory never resumes a stream, so the connection stays.
                Poll::Ready(JobEvent::Suspend) => {}
                Poll::Ready(JobEvent::Cancelled) => {
                    let ended = self.running.remove(index);
                    // The job's event stream, if it has one, carries the cancellations.
                    if let Way::Http(http) = &self.way
                        && let Some(session) = http.session().filter(|_| ended.has_sent)
                    {
                        session.take_messages().for_each(|wire| self.arrived.push_back((stream, wire.into_bytes())));
                    }
                    self.end(ended.ticket);
                }
                Poll::Ready(JobEvent::Done(wire, _)) => {
                    let ended = self.running.remove(index);
                    self.deliver(stream, wire);
                    self.end(ended.ticket);
                }
            }
        }
        self.send_unasked(cx.waker());
    }

    /// Sends what answers no request: cancellations that have no stream of their own, and notifications of changes.
    fn send_unasked(&mut self, waker: &Waker) {
        self.act();
        if let Way::Http(http) = &self.way
            && let Some(session) = http.session().filter(|_| http.gets)
        {
            session.take_messages().for_each(|wire| self.arrived.push_back((Stream::Get, wire.into_bytes())));
            let now = self.clock.instant();
            session.poll_timeout(now);
            session.handle_timeout(now);
            while let Some(wire) = session.poll_notification(waker) {
                self.arrived.push_back((Stream::Get, wire.into_bytes()));
                session.poll_timeout(now);
            }
        }
    }

    /// Polls until nothing makes progress without new input.
    pub(crate) fn settle(&mut self) {
        let woken = Arc::new(Woken(AtomicBool::new(true)));
        let waker = Waker::from(woken.clone());
        while woken.0.swap(false, Ordering::AcqRel) {
            self.poll(&mut Context::from_waker(&waker));
        }
    }

    fn end(&mut self, ticket: Option<Ticket>) {
        if let (Way::Pipe(connection), Some(ticket)) = (&mut self.way, ticket) {
            connection.handle_done(ticket);
            self.act();
        }
    }

    fn expire(&mut self) {
        let now = self.clock.instant();
        self.running.iter_mut().for_each(|running| running.job.handle_timeout(now));
    }

    /// Ends the held streams, as a driver does on shutdown.
    pub(crate) fn end_streams(&mut self) {
        self.running.iter_mut().for_each(|running| running.job.handle_shutdown());
    }

    /// Drops the connection of that job's response, if it has its own. Returns whether that cancels the job.
    pub(crate) fn drop_connection(&mut self, serial: u64) -> bool {
        let Way::Http(_) = self.way else { return false };
        let gone = |running: &Running| running.serial == serial && running.job.is_cancelled_by_disconnect();
        let before = self.running.len();
        self.running.retain(|running| !gone(running));
        self.running.len() < before
    }

    /// Drops that stream, as a lost connection does. Of a pipe, closes the direction to the server.
    pub(crate) fn drop_stream(&mut self, stream: Stream) {
        self.dropped.push(stream);
        match &mut self.way {
            Way::Pipe(connection) => connection.handle_end(),
            Way::Http(_) => {
                self.running.retain(|running| running.stream != stream || !running.job.is_cancelled_by_disconnect());
                let of_stream = self.running.iter_mut().filter(|running| running.stream == stream);
                of_stream.for_each(|running| running.job.handle_disconnect());
            }
            Way::Closed => {}
        }
        self.act();
    }

    /// Ends the session, as `DELETE` does. Closes a pipe.
    pub(crate) fn end_session(&mut self) {
        match &mut self.way {
            Way::Http(http) => http.end(),
            Way::Pipe(_) | Way::Closed => {
                self.way = Way::Closed;
                self.running.clear();
            }
        }
    }

    /// Whether no answer can arrive on that stream: it was dropped or its session ended.
    pub(crate) fn is_lost(&self, stream: Stream) -> bool {
        let ended = match &self.way {
            Way::Http(http) => matches!(http.session, HttpSession::Ended),
            Way::Pipe(_) => false,
            Way::Closed => true,
        };
        ended || self.dropped.contains(&stream)
    }

    /// Whether a job that answers on that stream still runs.
    pub(crate) fn is_working_on(&self, stream: Stream) -> bool {
        let dropped = stream != Stream::Pipe && self.dropped.contains(&stream);
        !dropped && self.running.iter().any(|running| running.stream == stream && !running.held)
    }
}

/// Polls a job without tokio's cooperative budget. An exhausted budget would end [`Line::settle`] early, because the
/// waker is called only when the test itself yields.
fn poll(job: &mut Job, cx: &mut Context<'_>) -> Poll<JobEvent> {
    pin!(unconstrained(poll_fn(|cx| job.poll(cx)))).poll(cx)
}

/// A waker that records that it was woken.
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}
