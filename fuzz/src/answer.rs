//! The client's answers to the server's requests: no panic, the call that waits for them is answered once, and nothing
//! is left open.

use std::task::Poll;
use std::time::Instant;

use bytes::Bytes;
use grange_core::{Accepted, Action, Connection, Job, JobEvent, Revision, Server, Ticket, Wire};
use serde_json::Value;

use crate::fixture::{Head, expire, finish, narrow, server};
use crate::message::{opened_at, session_of};
use crate::oracle;

const READY: &[u8] = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const CALL: &[u8] = br#"{"jsonrpc":"2.0","id":"call","method":"tools/call","params":{"name":"files"}}"#;

/// The number of requests that get an answer, since an answer may be a request that starts another call.
const ANSWERED: usize = 16;

/// Reads each line as the members of an answer, such as `"result":{}`. The requests of a call that reads and lists files get these
/// answers in turn: on a pipe, on one that may hold few bytes, and in a session over HTTP.
pub fn answer(data: &[u8]) {
    for server in [server(), narrow()] {
        piped(data, server);
    }
    posted(data);
}

fn piped(data: &[u8], server: Server) {
    let connection = opened_at(server, Revision::V2025_11_25);
    let mut driver = Driver { connection, running: Vec::new(), answers: 0, replied: 0 };
    for line in [READY, CALL] {
        driver.connection.handle_frame(&Bytes::from_static(line));
    }
    let now = Instant::now();
    for round in 0..64 {
        driver.act();
        driver.poll(data, now, round);
    }
    driver.finish();
    assert_eq!(driver.answers, 1, "a call has one answer");
}

/// Each answer is a POST of its own.
fn posted(data: &[u8]) {
    let server = server();
    let head = Head { session: Some(session_of(&server, Revision::V2025_11_25)), ..Head::default() };
    let Accepted::Run(mut job) = server.accept(&Bytes::from_static(CALL), &head) else { panic!("a call is a job") };
    let (now, mut replied) = (Instant::now(), 0);
    for round in 0..64 {
        match job.poll_now() {
            Poll::Ready(JobEvent::Event(wire)) => {
                for message in oracle::outgoing(wire) {
                    let Some(reply) = reply(&message, data, &mut replied) else { continue };
                    match server.accept(&reply, &head) {
                        Accepted::Send(wire, _) => drop(oracle::outgoing(wire)),
                        Accepted::Run(other) => drop(other),
                        Accepted::Open(_) => panic!("a session opens no other"),
                        Accepted::Silent => {}
                    }
                }
            }
            Poll::Ready(JobEvent::Done(wire, _)) => {
                assert_eq!(oracle::outgoing(wire)[0]["id"], "call");
                return;
            }
            // An answer may be a cancellation.
            Poll::Ready(JobEvent::Cancelled) => return,
            Poll::Ready(JobEvent::Suspend) => {}
            Poll::Pending => expire(&mut job, now, round),
        }
    }
    panic!("a call did not end: {job:?}")
}

/// The answer to one request of the server, in one frame; a notification has no id.
fn reply(request: &Value, data: &[u8], replied: &mut usize) -> Option<Bytes> {
    let id = request.get("id").filter(|_| request.get("method").is_some() && *replied < ANSWERED)?;
    let lines: Vec<_> = data.split(|byte| *byte == b'\n').collect();
    let members = lines[*replied % lines.len()];
    *replied += 1;
    Some(Bytes::from([format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},").as_bytes(), members, b"}"].concat()))
}

struct Driver {
    connection: Connection,
    running: Vec<(Ticket, Job)>,
    /// How often the call was answered.
    answers: usize,
    /// How many requests got an answer.
    replied: usize,
}

impl Driver {
    fn act(&mut self) {
        while let Some(action) = self.connection.poll_action() {
            match action {
                Action::Send(wire) => drop(self.sent(wire)),
                Action::Start(ticket, job) => self.running.push((ticket, job)),
                Action::Cancel(_) => panic!("nothing was cancelled"),
            }
        }
    }

    fn poll(&mut self, data: &[u8], now: Instant, round: u64) {
        for (ticket, mut job) in std::mem::take(&mut self.running) {
            match job.poll_now() {
                Poll::Ready(JobEvent::Done(wire, _)) => {
                    self.sent(wire);
                    self.connection.handle_done(ticket);
                    continue;
                }
                Poll::Ready(JobEvent::Event(wire)) => {
                    for message in self.sent(wire) {
                        if let Some(reply) = reply(&message, data, &mut self.replied) {
                            self.connection.handle_frame(&reply);
                        }
                    }
                }
                Poll::Ready(JobEvent::Cancelled) => panic!("nothing was cancelled"),
                Poll::Ready(JobEvent::Suspend) => {}
                Poll::Pending => expire(&mut job, now, round),
            }
            self.running.push((ticket, job));
        }
    }

    fn sent(&mut self, wire: Wire) -> Vec<Value> {
        let messages = oracle::outgoing(wire);
        let is_answer = |message: &&Value| message["id"] == "call" && message.get("method").is_none();
        self.answers += messages.iter().filter(is_answer).count();
        messages
    }

    fn finish(&mut self) {
        while let Some((ticket, mut job)) = self.running.pop() {
            for wire in finish(&mut job) {
                self.sent(wire);
            }
            drop(job);
            self.connection.handle_done(ticket);
            self.act();
        }
        assert!(self.connection.is_idle(), "the pipe is not idle although no job runs");
        assert_eq!(self.connection.held_bytes(), 0, "bytes are held for nothing");
    }
}
