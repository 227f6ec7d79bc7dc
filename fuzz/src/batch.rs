//! Batches over HTTP and on a pipe: every answer is well-formed, no member has two, no more run at once than there are permits, and
//! each batch ends after a bounded number of polls.

use std::any::Any;
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::time::Instant;

use bytes::Bytes;
use grange_core::{
    Accepted, Action, ByteGuard, Clock, Connection, Exchange, Header, Job, JobEvent, Lookup, Peer, Permits, Revision,
    Server, Ticket, Wire,
};
use serde_json::Value;

use crate::fixture::{Head, expire, finish, narrow, server};
use crate::message::{opened_at, session_of};
use crate::oracle;

/// Reads each line as a member. The first byte says how many members may run beside the first, and how many requests the rate admits.
pub fn batch(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    let members: Vec<_> = rest.split(|byte| *byte == b'\n').filter(|member| !member.is_empty()).collect();
    let body = Bytes::from([b"[", members.join(&b',').as_slice(), b"]"].concat());
    let (permits, admitted) =
        (usize::from(first % 8), if *first < 0x80 { usize::MAX } else { usize::from(first % 16) });
    for revision in Revision::ALL.into_iter().filter(|revision| revision.has_handshake()) {
        let named = Head { version: vec![revision.name().into()], ..Head::default() };
        let in_session = Head { session: Some(session_of(&server(), revision)), ..Head::default() };
        for head in [named, in_session] {
            posted(&body, &Counted { head, left: Cell::new(admitted), asked: Cell::new(0) }, permits);
        }
        for server in [server(), narrow()] {
            piped(&body, server, revision);
        }
    }
}

/// An exchange whose rate admits so many requests.
struct Counted {
    head: Head,
    left: Cell<usize>,
    asked: Cell<usize>,
}

impl Exchange for Counted {
    fn header(&self, name: &str) -> Header<'_> {
        self.head.header(name)
    }

    fn takes_stream(&self) -> bool {
        true
    }

    fn clock(&self) -> Option<Clock> {
        Some(Instant::now)
    }

    fn admits_request(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    fn session(&self) -> Lookup {
        self.head.session()
    }
}

/// Permits for members beside the first. Each returns itself when it is dropped.
struct Few {
    left: Arc<AtomicUsize>,
    waiting: Mutex<Vec<Waker>>,
    answer: Arc<AtomicUsize>,
}

struct Permit(Arc<AtomicUsize>);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Permits for Few {
    fn try_permit(&self, _: Option<&Peer>, waker: &Waker) -> Option<Box<dyn Any + Send>> {
        self.waiting.lock().expect("no poll panics").push(waker.clone());
        let left = self.left.load(Ordering::Relaxed).checked_sub(1)?;
        self.left.store(left, Ordering::Relaxed);
        Some(Box::new(Permit(self.left.clone())))
    }

    /// There is room for one large answer at a time.
    fn hold(&self, _: Option<&Peer>, _: usize) -> Option<ByteGuard> {
        let is_free =
            self.answer.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
        is_free.then(|| ByteGuard::new(Permit(self.answer.clone())))
    }
}

/// The answers that members may still get, by id. An id that this parser reads in another way than the engine may be any.
struct Owed(Option<HashMap<String, usize>>);

impl Owed {
    fn of(body: &[u8]) -> Self {
        let ids = oracle::answerable(body);
        Self(ids.map(|ids| {
            ids.iter().fold(HashMap::new(), |mut owed, id| {
                *owed.entry(id.to_string()).or_default() += 1;
                owed
            })
        }))
    }

    fn pay(&mut self, answers: &[Value]) {
        let Some(owed) = &mut self.0 else { return };
        for id in answers.iter().filter(|answer| answer.get("method").is_none()).filter_map(|answer| answer.get("id")) {
            let left = owed.get_mut(&id.to_string()).filter(|left| **left > 0);
            *left.unwrap_or_else(|| panic!("{id} has more answers than requests")) -= 1;
        }
    }
}

fn posted(body: &Bytes, exchange: &Counted, permits: usize) {
    let mut owed = Owed::of(body);
    match server().accept(body, exchange) {
        Accepted::Run(mut job) => {
            let left = Arc::new(AtomicUsize::new(permits));
            let answer = Arc::new(AtomicUsize::new(1));
            job.set_permits(Arc::new(Few { left: left.clone(), waiting: Mutex::default(), answer }));
            let answers = ended(&mut job);
            assert!(answers.len() <= 100, "{} members are answered", answers.len());
            owed.pay(&answers);
            drop(job);
            assert_eq!(left.load(Ordering::Relaxed), permits, "a permit was not returned");
        }
        Accepted::Send(wire, _) => drop(oracle::outgoing(wire)),
        Accepted::Silent => {}
        Accepted::Open(_) => panic!("a batch opens no session"),
    }
    assert!(exchange.asked.get() <= 100, "more requests were counted than a batch may have");
}

/// Polls a batch to its end and returns its answers. Its time passes after some polls.
fn ended(job: &mut Job) -> Vec<Value> {
    /// Each member has a poll for itself, for its messages, and for its end.
    const POLLS: u64 = 8 * 100;
    let now = Instant::now();
    for round in 0..POLLS {
        match job.poll_now() {
            Poll::Ready(JobEvent::Event(wire)) => drop(oracle::outgoing(wire)),
            Poll::Ready(JobEvent::Cancelled) => return Vec::new(),
            Poll::Ready(JobEvent::Done(wire, _)) => return oracle::outgoing(wire),
            Poll::Pending if round > 8 => expire(job, now, round),
            Poll::Pending | Poll::Ready(JobEvent::Suspend) => {}
        }
    }
    panic!("a batch did not end: {job:?}")
}

fn piped(body: &Bytes, server: Server, revision: Revision) {
    let mut pipe = Pipe { connection: opened_at(server, revision), running: Vec::new(), owed: Owed::of(body) };
    pipe.connection.handle_frame(body);
    pipe.act();
    while let Some((ticket, mut job)) = pipe.running.pop() {
        for wire in finish(&mut job) {
            pipe.sent(wire);
        }
        drop(job);
        pipe.connection.handle_done(ticket);
        pipe.act();
    }
    assert!(pipe.connection.is_idle(), "the pipe is not idle although no job runs");
    assert_eq!(pipe.connection.held_bytes(), 0, "bytes are held for nothing");
}

struct Pipe {
    connection: Connection,
    running: Vec<(Ticket, Job)>,
    owed: Owed,
}

impl Pipe {
    fn act(&mut self) {
        while let Some(action) = self.connection.poll_action() {
            match action {
                Action::Send(wire) => self.sent(wire),
                Action::Start(ticket, job) => self.running.push((ticket, job)),
                // A member can cancel one before it.
                Action::Cancel(ticket) => self.running.retain(|(other, _)| *other != ticket),
            }
        }
    }

    fn sent(&mut self, wire: Wire) {
        let messages = oracle::outgoing(wire);
        assert_eq!(messages.len(), 1, "a pipe sends its answers one by one");
        self.owed.pay(&messages);
    }
}
