//! The whole life of a pipe: lines in, jobs polled, ended, expired and finished in any order. Each request has at most
//! one answer, and after the end of all jobs no state is left.

use std::collections::{HashMap, HashSet};
use std::task::Poll;
use std::time::Instant;

use bytes::Bytes;
use grange_core::{Action, Connection, Job, JobEvent, Ticket, Wire};

use crate::fixture::{expire, finish, living};
use crate::oracle::{self, Id};

/// Reads the data as lines. One that begins with `!` is an action of the driver, such as `!poll 2` for the third
/// running job: `poll`, `expire`, `end`, `hangup`, or `oversized` for a line over the limit, `over` for the end of
/// input. Any other is a line on the pipe.
pub fn session(data: &[u8]) {
    let mut driver = Driver::new();
    for line in data.split(|byte| *byte == b'\n') {
        match line.strip_prefix(b"!") {
            Some(order) => driver.obey(order),
            None => driver.receive(line),
        }
        driver.act();
    }
    driver.finish();
}

struct Driver {
    connection: Connection,
    running: Vec<(Ticket, Job)>,
    /// How many answers each id may still get.
    owed: HashMap<String, usize>,
    /// The number of answers that may have any id, for frames that only the engine can parse.
    wild: usize,
    zero: Instant,
    /// The current time, in hours.
    hours: u64,
    /// The ids of the server's own requests, which must be unique.
    asked: HashSet<u64>,
}

impl Driver {
    fn new() -> Self {
        let (running, owed, wild, hours, asked) = Default::default();
        Self { connection: Connection::new(living()), running, owed, wild, zero: Instant::now(), hours, asked }
    }

    fn receive(&mut self, line: &[u8]) {
        match oracle::answerable(line) {
            Some(ids) => ids.iter().for_each(|id| *self.owed.entry(id.to_string()).or_default() += 1),
            None => self.wild += 1,
        }
        self.connection.handle_frame(&Bytes::copy_from_slice(line));
    }

    fn obey(&mut self, order: &[u8]) {
        let words = String::from_utf8_lossy(order);
        let (order, place) = words.split_once(' ').unwrap_or((&words, "0"));
        match order {
            "oversized" => return self.connection.handle_oversized(),
            "over" => return self.connection.handle_end(),
            _ => {}
        }
        let place: usize = place.trim().parse().unwrap_or(0);
        let Some(at) = place.checked_rem(self.running.len()) else { return };
        match order {
            "expire" => {
                self.hours += 1;
                expire(&mut self.running[at].1, self.zero, self.hours);
            }
            "hangup" => self.running[at].1.handle_disconnect(),
            "end" => self.running[at].1.handle_shutdown(),
            _ => self.poll(at),
        }
    }

    fn poll(&mut self, at: usize) {
        match self.running[at].1.poll_now() {
            Poll::Pending | Poll::Ready(JobEvent::Suspend) => {}
            Poll::Ready(JobEvent::Cancelled) => {
                let (ticket, job) = self.running.swap_remove(at);
                // It answers no request, and so ends without a message.
                assert_eq!(format!("{job:?}"), "Job(notify)", "a pipe drops what is cancelled");
                self.connection.handle_done(ticket);
            }
            Poll::Ready(JobEvent::Event(wire)) => self.send(wire),
            Poll::Ready(JobEvent::Done(wire, _)) => {
                self.send(wire);
                let (ticket, _) = self.running.swap_remove(at);
                self.connection.handle_done(ticket);
            }
        }
    }

    /// Carries out the connection's actions.
    fn act(&mut self) {
        while let Some(action) = self.connection.poll_action() {
            match action {
                Action::Send(wire) => self.send(wire),
                Action::Start(ticket, job) => {
                    assert!(!self.running.iter().any(|(other, _)| *other == ticket), "a ticket is used twice");
                    self.running.push((ticket, job));
                }
                Action::Cancel(ticket) => {
                    let at = self.running.iter().position(|(other, _)| *other == ticket);
                    drop(self.running.swap_remove(at.expect("only running jobs are cancelled")));
                }
            }
        }
    }

    fn send(&mut self, wire: Wire) {
        let messages = oracle::outgoing(wire);
        assert_eq!(messages.len(), 1, "a pipe sends its answers one by one");
        for request in messages.iter().filter(|message| message.get("method").is_some() && message.get("id").is_some())
        {
            let id = request["id"].as_u64().expect("the server's ids are numbers");
            assert!(self.asked.insert(id), "an id of the server is used twice");
        }
        for message in messages.iter().filter(|message| message.get("method").is_none()) {
            if let Some(id) = message.get("id") {
                self.pay(id);
            }
        }
    }

    fn pay(&mut self, id: &Id) {
        match self.owed.get_mut(&id.to_string()) {
            Some(left) if *left > 0 => *left -= 1,
            _ if self.wild > 0 => self.wild -= 1,
            _ => panic!("{id} has more answers than requests"),
        }
    }

    fn finish(&mut self) {
        while let Some((ticket, mut job)) = self.running.pop() {
            for wire in finish(&mut job) {
                self.send(wire);
            }
            drop(job);
            self.connection.handle_done(ticket);
            self.act();
        }
        assert!(self.connection.is_idle(), "the pipe is not idle although no job runs");
        assert_eq!(self.connection.held_bytes(), 0, "bytes are held for nothing");
    }
}
