//! The driver in memory: bytes to the engine, jobs polled in the caller's task, bytes back.
//!
//! It knows messages only as bytes; what a client makes of them is `client/`. A line is a pipe with a
//! [`grange_core::Connection`], or a string of HTTP exchanges, in a session where the client asks for one and the server
//! needs it.

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

/// What carries a message of the server to the client.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Stream {
    /// The pipe.
    Pipe,
    /// The answer to the POST of this number; the client's first is 1.
    Post(u64),
    /// The `GET` stream of a session.
    Get,
}

/// The way from one client to the server and back.
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
    /// On a pipe, the connection's name for the job.
    ticket: Option<Ticket>,
    stream: Stream,
    job: Job,
    held: bool,
    /// Over HTTP its answer is a stream by now.
    has_spoken: bool,
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

    /// Over HTTP keeps a session, if the server has a use for one.
    pub(crate) fn with_session(mut self) -> Self {
        if let Way::Http(http) = &mut self.way
            && self.server.sends_requests()
        {
            http.session = HttpSession::NotOpened;
        }
        self
    }

    /// Over HTTP takes no event streams for an answer.
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

    /// Sends what a client would write: on a pipe some lines, over HTTP the body of a POST. Returns what an answer will
    /// come on.
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

    /// Does what the connection says.
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

    /// What comes on a dropped stream does not arrive. A pipe was dropped one way only, the other.
    fn deliver(&mut self, stream: Stream, wire: Wire) {
        if stream == Stream::Pipe || !self.dropped.contains(&stream) {
            self.arrived.push_back((stream, wire.into_bytes()));
        }
    }

    fn start(&mut self, stream: Stream, ticket: Option<Ticket>, job: Job) {
        let held = job.needs_stream();
        self.running.push(Running { serial: self.started, ticket, stream, job, held, has_spoken: false });
        self.started += 1;
    }

    /// How many jobs were started so far.
    pub(crate) fn started(&self) -> u64 {
        self.started
    }

    /// Whether work that was started at that count or later, and is not a held stream, still runs.
    pub(crate) fn is_working_since(&self, started: u64) -> bool {
        self.running.iter().any(|running| running.serial >= started && !running.held)
    }

    /// Takes the next message of the server, with what it came on.
    pub(crate) fn receive(&mut self) -> Option<(Stream, Bytes)> {
        self.arrived.pop_front()
    }

    /// Notes what a message of the server says of headers.
    pub(crate) fn learn(&mut self, message: &Value) {
        if let Way::Http(http) = &mut self.way {
            http.headers.learn(message);
        }
    }

    /// Polls every job as far as it goes.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) {
        self.clock.wake_on_advance(cx.waker());
        self.expire();
        let mut index = 0;
        // A job that ends may make room for another, which is then the last of the list.
        while let Some(running) = self.running.get_mut(index) {
            let stream = running.stream;
            match poll(&mut running.job, cx) {
                Poll::Pending => {
                    // What began to wait begins to count.
                    running.job.poll_timeout(self.clock.instant());
                    index += 1;
                }
                Poll::Ready(JobEvent::Event(wire)) => {
                    running.has_spoken = true;
                    self.deliver(stream, wire);
                }
                // Nobody here hangs up to come back.
                Poll::Ready(JobEvent::Suspend) => {}
                Poll::Ready(JobEvent::Cancelled) => {
                    let ended = self.running.remove(index);
                    // Its stream, if there is one yet, says what the client should still know.
                    if let Way::Http(http) = &self.way
                        && let Some(session) = http.session().filter(|_| ended.has_spoken)
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
        self.say_withdrawals();
    }

    /// What the client is still to be told where no stream of its own says it.
    fn say_withdrawals(&mut self) {
        self.act();
        if let Way::Http(http) = &self.way
            && let Some(session) = http.session().filter(|_| http.gets)
        {
            session.take_messages().for_each(|wire| self.arrived.push_back((Stream::Get, wire.into_bytes())));
        }
    }

    /// Polls until nothing moves any more without help from outside.
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

    /// Ends held streams, as a driver does when it shuts down.
    pub(crate) fn end_streams(&mut self) {
        self.running.iter_mut().for_each(|running| running.job.handle_shutdown());
    }

    /// Drops the connection on which that job answers, where there is one of its own. Returns whether that cancels it.
    pub(crate) fn hang_up(&mut self, serial: u64) -> bool {
        let Way::Http(_) = self.way else { return false };
        let gone = |running: &Running| running.serial == serial && running.job.is_cancelled_by_disconnect();
        let before = self.running.len();
        self.running.retain(|running| !gone(running));
        self.running.len() < before
    }

    /// Drops that stream, as a lost connection does: of a pipe the way to the server.
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

    /// Whether that stream was lost, so that nothing, or on a pipe nothing more, will come of what the client sends.
    pub(crate) fn is_lost(&self, stream: Stream) -> bool {
        let ended = match &self.way {
            Way::Http(http) => matches!(http.session, HttpSession::Ended),
            Way::Pipe(_) => false,
            Way::Closed => true,
        };
        ended || self.dropped.contains(&stream)
    }

    /// Whether the work still runs that answers on that stream.
    pub(crate) fn is_working_on(&self, stream: Stream) -> bool {
        let dropped = stream != Stream::Pipe && self.dropped.contains(&stream);
        !dropped && self.running.iter().any(|running| running.stream == stream && !running.held)
    }
}

/// Polls a job as far as it goes. What tokio allows a task at a time is for tasks that share a thread; here it would end
/// a [`Line::settle`] early, because nothing is woken until the test itself waits.
fn poll(job: &mut Job, cx: &mut Context<'_>) -> Poll<JobEvent> {
    pin!(unconstrained(poll_fn(|cx| job.poll(cx)))).poll(cx)
}

/// Remembers that it was woken.
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}
