//! The driver in memory: bytes to the engine, jobs polled in the caller's task, bytes back.
//!
//! It knows messages only as bytes; what a client makes of them is `client.rs`. A line is a pipe with a
//! [`grange_core::Session`], or a string of HTTP exchanges without a session.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use bytes::Bytes;
use grange_core::{Accepted, Action, Exchange, Header, Job, Revision, Said, Server, Session, Ticket, Wire};

use crate::clock::ManualClock;
use crate::headers::ClientHeaders;

/// The way from one client to the server and back.
pub(crate) struct Line {
    way: Way,
    server: Server,
    running: Vec<Running>,
    started: u64,
    clock: ManualClock,
    arrived: VecDeque<Bytes>,
}

enum Way {
    Pipe(Box<Session>),
    Http(ClientHeaders),
}

struct Running {
    serial: u64,
    /// On a pipe, the session's name for the job.
    ticket: Option<Ticket>,
    job: Job,
    held: bool,
}

impl Line {
    pub(crate) fn pipe(server: &Server, clock: ManualClock) -> Self {
        Self::new(Way::Pipe(Box::new(Session::new(server.clone()))), server, clock)
    }

    pub(crate) fn http(server: &Server, revision: Revision, clock: ManualClock) -> Self {
        Self::new(Way::Http(ClientHeaders::new(revision)), server, clock)
    }

    fn new(way: Way, server: &Server, clock: ManualClock) -> Self {
        let (running, arrived) = Default::default();
        Self { way, server: server.clone(), running, started: 0, clock, arrived }
    }

    pub(crate) fn clock(&self) -> &ManualClock {
        &self.clock
    }

    /// Sends what a client would write: on a pipe some lines, over HTTP the body of a POST.
    pub(crate) fn send(&mut self, message: &[u8]) {
        match &mut self.way {
            Way::Pipe(_) => message.split(|byte| *byte == b'\n').for_each(|line| self.send_line(line)),
            Way::Http(headers) => {
                let headers = headers.of(message);
                let accepted = self.server.accept(&Bytes::copy_from_slice(message), &Post { headers });
                self.carry_out(accepted);
            }
        }
    }

    fn send_line(&mut self, line: &[u8]) {
        let Way::Pipe(session) = &mut self.way else { return };
        if line.len() > self.server.limits().message_bytes {
            session.handle_oversized();
        } else {
            session.handle_frame(&Bytes::copy_from_slice(line));
        }
        self.act();
    }

    /// Does what the session says.
    fn act(&mut self) {
        while let Way::Pipe(session) = &mut self.way
            && let Some(action) = session.poll_action()
        {
            match action {
                Action::Send(wire) => self.deliver(wire),
                Action::Start(ticket, job) => self.start(Some(ticket), job),
                Action::Cancel(ticket) => self.running.retain(|running| running.ticket != Some(ticket)),
            }
        }
    }

    fn carry_out(&mut self, accepted: Accepted) {
        match accepted {
            Accepted::Open(wire, _) | Accepted::Send(wire, _) => self.deliver(wire),
            Accepted::Run(job) => self.start(None, job),
            Accepted::Silent => {}
        }
    }

    fn deliver(&mut self, wire: Wire) {
        self.arrived.push_back(wire.into_bytes());
    }

    fn start(&mut self, ticket: Option<Ticket>, job: Job) {
        let held = job.needs_stream();
        self.running.push(Running { serial: self.started, ticket, job, held });
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

    /// Takes the next message of the server.
    pub(crate) fn receive(&mut self) -> Option<Bytes> {
        self.arrived.pop_front()
    }

    /// Polls every job as far as it goes.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) {
        self.clock.wake_on_advance(cx.waker());
        self.expire();
        let mut index = 0;
        // A job that ends may make room for another, which is then the last of the list.
        while let Some(running) = self.running.get_mut(index) {
            match running.job.poll(cx) {
                Poll::Pending => {
                    // What began to wait begins to count.
                    running.job.due(self.clock.instant());
                    index += 1;
                }
                Poll::Ready(Said::Event(wire)) => self.deliver(wire),
                // Nobody here hangs up to come back.
                Poll::Ready(Said::Suspend) => {}
                Poll::Ready(said @ (Said::Cancelled | Said::Done(..))) => {
                    let ended = self.running.remove(index);
                    if let Said::Done(wire, _) = said {
                        self.deliver(wire);
                    }
                    self.end(ended.ticket);
                }
            }
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
        if let (Way::Pipe(session), Some(ticket)) = (&mut self.way, ticket) {
            session.handle_done(ticket);
            self.act();
        }
    }

    fn expire(&mut self) {
        let now = self.clock.instant();
        self.running.iter_mut().for_each(|running| running.job.expire(now));
    }

    /// Ends held streams, as a driver does when it shuts down.
    pub(crate) fn end_streams(&mut self) {
        self.running.iter_mut().for_each(|running| running.job.end());
    }

    /// Drops the connection on which that job answers, where there is one of its own. Returns whether that cancels it.
    pub(crate) fn hang_up(&mut self, serial: u64) -> bool {
        let Way::Http(_) = self.way else { return false };
        let gone = |running: &Running| running.serial == serial && running.job.is_cancelled_by_disconnect();
        let before = self.running.len();
        self.running.retain(|running| !gone(running));
        self.running.len() < before
    }
}

/// Remembers that it was woken.
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}

/// One POST, as the engine sees it.
struct Post {
    headers: Vec<(&'static str, String)>,
}

impl Exchange for Post {
    fn header(&self, name: &str) -> Header<'_> {
        let value = self.headers.iter().find(|(other, _)| *other == name);
        value.map_or(Header::Absent, |(_, value)| Header::One(value.as_bytes()))
    }

    fn takes_stream(&self) -> bool {
        true
    }

    fn peer(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        None
    }
}
