//! The client's answers to the server's requests: no panic, the call that waits for them is answered once, and nothing
//! is left open.

use std::task::Poll;
use std::time::Instant;

use bytes::Bytes;
use grange_core::{Action, Connection, Job, JobEvent, Revision, Ticket, Wire};
use serde_json::Value;

use crate::fixture::{expire, finish};
use crate::message::opened;
use crate::oracle;

const READY: &[u8] = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const CALL: &[u8] = br#"{"jsonrpc":"2.0","id":"call","method":"tools/call","params":{"name":"files"}}"#;

/// Reads the data as the members of an answer, such as `"result":{}`. Each request of a call that reads and lists files
/// gets that answer.
pub fn answer(data: &[u8]) {
    let mut driver = Driver { connection: opened(Revision::V2025_11_25), running: Vec::new(), answers: 0, left: 16 };
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

struct Driver {
    connection: Connection,
    running: Vec<(Ticket, Job)>,
    /// How often the call was answered.
    answers: usize,
    /// The number of requests that still get an answer, since an answer may be a request that starts another call.
    left: usize,
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
                    for request in self.sent(wire).iter().filter(|message| message.get("method").is_some()) {
                        self.reply(request, data);
                    }
                }
                Poll::Ready(JobEvent::Cancelled) => panic!("nothing was cancelled"),
                Poll::Ready(JobEvent::Suspend) => {}
                Poll::Pending => expire(&mut job, now, round),
            }
            self.running.push((ticket, job));
        }
    }

    /// Answers one request of the server; a notification has no id.
    fn reply(&mut self, request: &Value, data: &[u8]) {
        let Some(id) = request.get("id").filter(|_| self.left > 0) else { return };
        self.left -= 1;
        let frame = [format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},").as_bytes(), data, b"}"].concat();
        self.connection.handle_frame(&Bytes::from(frame));
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
            self.connection.handle_done(ticket);
            self.act();
        }
        assert!(self.connection.is_idle(), "the pipe is not idle although no job runs");
    }
}
