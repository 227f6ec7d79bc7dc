//! The engine on bytes, as an HTTP exchange or a pipe; the test makes the mirrored headers. For input that a
//! well-behaved client would not send; `grange_testkit` is for all else.

use std::collections::HashMap;
use std::task::Poll;

use bytes::Bytes;
use grange_core::{
    Accepted, Action, Connection, Exchange, Header, Job, JobEvent, Lookup, Revision, Server, Status, Ticket, Wire,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::schema::{self, Oracle};

pub(crate) const MODERN: &str = "2026-07-28";
pub(crate) const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

/// The headers of one exchange.
pub(crate) struct Headers(pub(crate) Vec<(&'static str, Vec<u8>)>);

impl Exchange for Headers {
    fn header(&self, name: &str) -> Header<'_> {
        let mut values = self.0.iter().filter(|(header, _)| *header == name).map(|(_, value)| &**value);
        match (values.next(), values.next()) {
            (None, _) => Header::Absent,
            (Some(value), None) => Header::One(value),
            (Some(_), Some(_)) => Header::Many,
        }
    }

    fn takes_stream(&self) -> bool {
        true
    }
}

/// The same, from a client that accepts no event stream.
pub(crate) struct JsonOnly(pub(crate) Vec<(&'static str, Vec<u8>)>);

impl Exchange for JsonOnly {
    fn header(&self, name: &str) -> Header<'_> {
        let value = self.0.iter().find(|(header, _)| *header == name);
        value.map_or(Header::Absent, |(_, value)| Header::One(value))
    }

    fn takes_stream(&self) -> bool {
        false
    }
}

/// An exchange without headers that belongs to a session or opens one.
pub(crate) struct InSession(pub(crate) Lookup);

impl Exchange for InSession {
    fn header(&self, _: &str) -> Header<'_> {
        Header::Absent
    }

    fn takes_stream(&self) -> bool {
        true
    }

    fn session(&self) -> Lookup {
        self.0.clone()
    }
}

/// The result of one exchange.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: Status,
    pub(crate) text: String,
    pub(crate) events: Vec<String>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        strict(&self.text)
    }

    pub(crate) fn code(&self) -> i64 {
        self.json()["error"]["code"].as_i64().unwrap_or_else(|| panic!("not an error: {}", self.text))
    }

    pub(crate) fn result(&self) -> Value {
        let json = self.json();
        assert!(json.get("error").is_none(), "an error: {}", self.text);
        json["result"].clone()
    }
}

pub(crate) fn strict(text: &str) -> Value {
    assert!(!text.contains(['\n', '\u{85}', '\u{2028}', '\u{2029}']), "a raw line end in {text:?}");
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text:?}"))
}

pub(crate) fn text(wire: Wire) -> String {
    String::from_utf8(wire.into_bytes().to_vec()).expect("the output must be UTF-8")
}

/// Runs a job to its end; the reader must not wait.
fn finish(mut job: Job) -> Answer {
    let (mut events, mut polls) = (Vec::new(), 0);
    loop {
        match job.poll_now() {
            Poll::Ready(JobEvent::Event(wire)) => events.push(text(wire)),
            Poll::Ready(JobEvent::Cancelled | JobEvent::Suspend) => panic!("nothing cancels this job"),
            Poll::Ready(JobEvent::Done(wire, status)) => return Answer { status, text: text(wire), events },
            Poll::Pending if job.needs_stream() => job.handle_shutdown(),
            // A batch dispatches a few members in each poll.
            Poll::Pending if polls < 100 => polls += 1,
            Poll::Pending => panic!("the reader waits"),
        }
    }
}

/// One HTTP exchange; `None` without an answer. Messages are checked against the schema of their revision.
pub(crate) fn exchange(server: &Server, headers: Vec<(&'static str, Vec<u8>)>, body: &[u8]) -> Option<Answer> {
    let mut judge = Judge::new(in_force(&headers));
    judge.sent(body);
    let answer = match server.accept(&Bytes::copy_from_slice(body), &Headers(headers)) {
        Accepted::Open(..) => panic!("this driver has no sessions"),
        Accepted::Send(wire, status) => Answer { status, text: text(wire), events: Vec::new() },
        Accepted::Run(job) => finish(job),
        Accepted::Silent => return None,
    };
    answer.events.iter().chain([&answer.text]).for_each(|text| judge.received(&strict(text)));
    Some(answer)
}

fn in_force(headers: &[(&str, Vec<u8>)]) -> Revision {
    match headers.iter().find(|(name, _)| *name == "mcp-protocol-version") {
        None => Revision::V2025_03_26,
        Some((_, value)) => {
            let name = String::from_utf8_lossy(value);
            Revision::from_name(name.trim()).unwrap_or(Revision::V2026_07_28)
        }
    }
}

/// One level of a message, or of each in a batch, since `Value` rejects deep nesting and some numbers. The id and the
/// method suffice.
fn shallow(body: &[u8]) -> Option<Value> {
    if let Ok(batch) = serde_json::from_slice::<Vec<Box<RawValue>>>(body) {
        return Some(batch.iter().filter_map(|member| shallow(member.get().as_bytes())).collect());
    }
    let members: HashMap<String, Box<RawValue>> = serde_json::from_slice(body).ok()?;
    let member = |raw: &RawValue| serde_json::from_str(raw.get()).unwrap_or(Value::Null);
    Some(members.iter().map(|(name, raw)| (name.clone(), member(raw))).collect())
}

/// Checks messages against the official schemas.
struct Judge(Oracle);

impl Judge {
    fn new(revision: Revision) -> Self {
        Self(Oracle::new(revision))
    }

    fn sent(&mut self, body: &[u8]) {
        let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
        if let Some(message) = serde_json::from_slice(body).ok().or_else(|| shallow(body)) {
            self.0.sent(&message);
        }
    }

    fn received(&self, message: &Value) {
        let of_subscription = message["method"].is_string() && message["params"]["_meta"].is_object();
        let problems =
            if of_subscription { schema::check(Revision::V2026_07_28, "", message) } else { self.0.received(message) };
        assert!(problems.is_empty(), "{message} does not match the schema:\n{}", problems.join("\n"));
    }
}

/// An exchange with no header or only the version header.
pub(crate) fn post(server: &Server, version: Option<&str>, body: &str) -> Option<Answer> {
    let headers = version.map(|version| ("mcp-protocol-version", version.as_bytes().to_vec()));
    exchange(server, headers.into_iter().collect(), body.as_bytes())
}

/// The `_meta` of every modern request.
pub(crate) fn meta() -> Value {
    json!({ VERSION_KEY: MODERN, CAPABILITIES_KEY: {} })
}

/// The body of a modern request; `params` gets the metadata if it has none.
pub(crate) fn modern_body(id: &Value, method: &str, mut params: Value) -> Value {
    if params.get("_meta").is_none() {
        params["_meta"] = meta();
    }
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// The headers that mirror a modern body.
pub(crate) fn mirrored(body: &Value) -> Vec<(&'static str, Vec<u8>)> {
    let mut headers = vec![
        ("mcp-protocol-version", MODERN.as_bytes().to_vec()),
        ("mcp-method", body["method"].as_str().unwrap_or_default().as_bytes().to_vec()),
    ];
    let params = &body["params"];
    let named = params["uri"].as_str().or(params["name"].as_str().filter(|_| body["method"] == "tools/call"));
    headers.extend(named.map(|name| ("mcp-name", name.as_bytes().to_vec())));
    headers
}

/// A well-formed modern exchange.
pub(crate) fn modern(server: &Server, method: &str, params: Value) -> Answer {
    let body = modern_body(&json!(1), method, params);
    exchange(server, mirrored(&body), body.to_string().as_bytes()).expect("a request is answered")
}

/// A well-formed legacy exchange without a session.
pub(crate) fn legacy(server: &Server, version: &str, method: &str, params: &Value) -> Answer {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    post(server, Some(version), &body.to_string()).expect("a request is answered")
}

/// A client on a pipe, whose jobs the test polls.
pub(crate) struct Pipe {
    pub(crate) connection: Connection,
    pub(crate) jobs: Vec<(Ticket, Job)>,
    judge: Judge,
}

impl Pipe {
    pub(crate) fn new(server: &Server) -> Self {
        // Before a handshake, only `ping` and errors are served without marks: these are the same in all revisions.
        let judge = Judge::new(Revision::V2025_11_25);
        Self { connection: Connection::new(server.clone()), jobs: Vec::new(), judge }
    }

    /// A pipe after the handshake of that revision.
    pub(crate) fn opened(server: &Server, version: &str) -> Self {
        let mut pipe = Self::new(server);
        let params =
            json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        let body = json!({ "jsonrpc": "2.0", "id": "open", "method": "initialize", "params": params });
        let answers = pipe.say(&body.to_string());
        assert_eq!(answers[0]["result"]["protocolVersion"], version);
        pipe.judge = Judge::new(Revision::from_name(version).expect("a revision"));
        pipe
    }

    /// Sends one line and polls all jobs; returns the lines of the server.
    pub(crate) fn say(&mut self, line: &str) -> Vec<Value> {
        self.say_bytes(line.as_bytes())
    }

    pub(crate) fn say_bytes(&mut self, line: &[u8]) -> Vec<Value> {
        self.judge.sent(line);
        self.connection.handle_frame(&Bytes::copy_from_slice(line));
        self.drive()
    }

    /// Sends one line and returns its only answer.
    pub(crate) fn ask(&mut self, line: &str) -> Value {
        let mut answers = self.say(line);
        assert_eq!(answers.len(), 1, "{line} was answered with {answers:?}");
        answers.remove(0)
    }

    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.ask(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string())
    }

    pub(crate) fn drive(&mut self) -> Vec<Value> {
        let mut lines = Vec::new();
        loop {
            while let Some(action) = self.connection.poll_action() {
                match action {
                    Action::Send(wire) => lines.push(strict(&text(wire))),
                    Action::Start(ticket, job) => self.jobs.push((ticket, job)),
                    Action::Cancel(ticket) => self.jobs.retain(|(each, _)| *each != ticket),
                }
            }
            if !self.poll_jobs(&mut lines) {
                for line in &lines {
                    self.judge.received(line);
                }
                return lines;
            }
        }
    }

    fn poll_jobs(&mut self, lines: &mut Vec<Value>) -> bool {
        for index in 0..self.jobs.len() {
            match self.jobs[index].1.poll_now() {
                Poll::Pending | Poll::Ready(JobEvent::Suspend) => {}
                Poll::Ready(JobEvent::Cancelled) => panic!("a pipe drops cancelled jobs"),
                Poll::Ready(JobEvent::Event(wire)) => {
                    lines.push(strict(&text(wire)));
                    return true;
                }
                Poll::Ready(JobEvent::Done(wire, _)) => {
                    lines.push(strict(&text(wire)));
                    let (ticket, _) = self.jobs.remove(index);
                    self.connection.handle_done(ticket);
                    return true;
                }
            }
        }
        false
    }
}
