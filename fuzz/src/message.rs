//! Bytes as one message, in every revision over both transports: no panic, only JSON is sent, ids are echoed unchanged.

use bytes::Bytes;
use grange_core::{Accepted, Action, Connection, Lookup, Revision, Server, Wire};
use serde_json::Value;

use crate::fixture::{Head, finish, living};
use crate::oracle;

/// Reads the data as the body of a POST and as a line on a pipe.
pub fn message(data: &[u8]) {
    let body = Bytes::copy_from_slice(data);
    for head in heads(data) {
        posted(&body, &head);
    }
    for revision in Revision::ALL.into_iter().filter(|revision| revision.has_handshake()) {
        posted(&body, &Head { session: Some(in_session(revision)), ..Head::default() });
    }
    for lookup in [Lookup::Missing, Lookup::Unknown] {
        posted(&body, &Head { session: Some(lookup), ..Head::default() });
    }
    piped(&body, Connection::new(living()));
    for revision in Revision::ALL.into_iter().filter(|revision| revision.has_handshake()) {
        piped(&body, opened(revision));
    }
}

/// No header; the header of each revision; and the headers of a well-behaved client.
fn heads(data: &[u8]) -> Vec<Head> {
    let named = |revision: Revision| Head { version: vec![revision.name().into()], ..Head::default() };
    let mut heads: Vec<Head> = Revision::ALL.into_iter().map(named).collect();
    heads.push(Head::default());
    heads.extend(mirrored(data));
    heads
}

fn mirrored(data: &[u8]) -> Option<Head> {
    let message: Value = serde_json::from_slice(data).ok()?;
    let line =
        |value: &Value| -> Vec<Vec<u8>> { value.as_str().map(|text| text.as_bytes().to_vec()).into_iter().collect() };
    let params = &message["params"];
    Some(Head {
        version: line(&params["_meta"]["io.modelcontextprotocol/protocolVersion"]),
        method: line(&message["method"]),
        name: [line(&params["uri"]), line(&params["name"])].concat(),
        session: None,
    })
}

fn posted(body: &Bytes, head: &Head) {
    match living().accept(body, head) {
        Accepted::Open(opening) => answered(body, opening.accept().0),
        Accepted::Send(wire, _) => answered(body, wire),
        Accepted::Run(mut job) => {
            let mut sent = finish(&mut job);
            // In a session, a request can cancel itself.
            let Some(last) = sent.pop() else { return };
            for event in sent {
                oracle::outgoing(event);
            }
            // The last message of a held stream is a notification.
            if job.needs_stream() { drop(oracle::outgoing(last)) } else { answered(body, last) }
        }
        Accepted::Silent => assert_eq!(oracle::sent_id(body), None, "a request is not answered"),
    }
}

fn answered(body: &[u8], wire: Wire) {
    if let Some(sent) = oracle::sent_id(body) {
        let written = oracle::written_id(&wire);
        assert_eq!(written, Some(sent), "the id is not echoed unchanged");
    }
    oracle::outgoing(wire);
}

/// A session over HTTP after the handshake of that revision.
fn in_session(revision: Revision) -> Lookup {
    session_of(&living(), revision)
}

/// The same of that server.
pub(crate) fn session_of(server: &Server, revision: Revision) -> Lookup {
    let missing = Head { session: Some(Lookup::Missing), ..Head::default() };
    let Accepted::Open(opening) = server.accept(&initialize(revision), &missing) else {
        panic!("initialize opens a session")
    };
    let known = Lookup::Known(opening.accept().1);
    let ready = Bytes::from_static(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    let head = Head { session: Some(known.clone()), ..Head::default() };
    let Accepted::Silent = server.accept(&ready, &head) else { panic!("a notification is not answered") };
    known
}

fn initialize(revision: Revision) -> Bytes {
    let name = revision.name();
    let host = r#"{"extensions":{"ai.nimblebrain/host-resources":{"read":{"enabled":true},"list":{"enabled":true},"schemes":["files"]}}}"#;
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":"open","method":"initialize","params":{{"protocolVersion":"{name}","capabilities":{host},"clientInfo":{{"name":"c","version":"1"}}}}}}"#
    );
    Bytes::from(line)
}

/// A pipe after the handshake of that revision.
pub(crate) fn opened(revision: Revision) -> Connection {
    opened_at(living(), revision)
}

/// The same of that server.
pub(crate) fn opened_at(server: Server, revision: Revision) -> Connection {
    let mut connection = Connection::new(server);
    let name = revision.name();
    connection.handle_frame(&initialize(revision));
    let Some(Action::Send(answer)) = connection.poll_action() else { panic!("initialize is answered at once") };
    assert_eq!(oracle::outgoing(answer)[0]["result"]["protocolVersion"], name);
    connection
}

fn piped(body: &Bytes, mut connection: Connection) {
    connection.handle_frame(body);
    let mut answers = 0;
    while let Some(action) = connection.poll_action() {
        match action {
            Action::Send(wire) => {
                answers += 1;
                answered(body, wire);
            }
            Action::Start(ticket, mut job) => {
                answers += 1;
                let sent = finish(&mut job);
                for wire in sent {
                    oracle::outgoing(wire);
                }
                connection.handle_done(ticket);
            }
            Action::Cancel(_) => panic!("nothing was cancelled"),
        }
    }
    assert!(connection.is_idle(), "the pipe is not idle although no job runs");
    if oracle::sent_id(body).is_some() {
        assert_eq!(answers, 1, "a request has one answer");
    }
}
