//! Section 8 of the contract: batches, for the revisions that have them.

use std::any::Any;
use std::sync::Arc;
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

use grange_core::{Accepted, ByteGuard, JobEvent, Lookup, Peer, Permits, Resource, Server, Session, Status};
use serde_json::{Value, json};

use super::fixture;
use crate::raw::{Headers, InSession, MODERN, Pipe, modern_body, post, strict};

fn ping(id: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "ping" })
}

fn over_http(version: Option<&str>, batch: &Value) -> Option<(Status, Value)> {
    post(&fixture::server(), version, &batch.to_string()).map(|answer| (answer.status.clone(), strict(&answer.text)))
}

#[test]
fn w8_1_requests_are_answered_in_one_array_over_http() {
    let read =
        json!({ "jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": { "uri": "reports://latest" } });
    let unknown = json!({ "jsonrpc": "2.0", "id": 3, "method": "foo/bar" });
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let batch = json!([ping(&json!("a")), read, notification, unknown]);
    for version in [None, Some("2025-03-26"), Some("2024-11-05"), Some("2024-10-07")] {
        let (status, answers) = over_http(version, &batch).expect("an answer");
        assert_eq!(status, Status::Ok);
        assert_eq!(answers.as_array().expect("an array").len(), 3, "{version:?}");
        assert_eq!(answers[0], json!({ "jsonrpc": "2.0", "id": "a", "result": {} }));
        assert_eq!(
            (&answers[1]["id"], &answers[1]["result"]["contents"][0]["text"]),
            (&json!(2), &json!("Report complete."))
        );
        assert_eq!((&answers[2]["id"], &answers[2]["error"]["code"]), (&json!(3), &json!(-32601)));
    }
}

#[test]
fn w8_1_a_batch_without_requests_gets_no_answer() {
    let batch = json!([
        { "jsonrpc": "2.0", "method": "notifications/initialized" },
        { "jsonrpc": "2.0", "id": 1, "result": {} },
    ]);
    assert!(over_http(Some("2025-03-26"), &batch).is_none());
    assert!(Pipe::opened(&fixture::server(), "2025-03-26").say(&batch.to_string()).is_empty());
}

#[test]
fn w8_1_on_a_pipe_each_answer_is_sent_when_it_is_ready() {
    for version in ["2025-03-26", "2024-11-05", "2024-10-07"] {
        let mut pipe = Pipe::opened(&fixture::server(), version);
        let wait = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": { "uri": "docs://wait" } });
        let answers = pipe.say(&json!([wait, ping(&json!(2)), ping(&json!(3))]).to_string());
        assert_eq!(answers, [2, 3].map(|id| json!({ "jsonrpc": "2.0", "id": id, "result": {} })));
        assert_eq!(pipe.jobs.len(), 1);
    }
}

#[test]
fn w8_1_other_revisions_reject_an_array() {
    let batch = json!([ping(&json!(1))]);
    for version in [Some("2025-06-18"), Some("2025-11-25"), Some(MODERN), Some("garbage")] {
        let (status, answer) = over_http(version, &batch).expect("an answer");
        assert_eq!((status, &answer["error"]["code"]), (Status::Invalid, &json!(-32600)), "{version:?}");
        assert!(answer.get("id").is_none());
    }
    let mut fresh = Pipe::new(&fixture::server());
    assert_eq!(fresh.ask(&batch.to_string())["error"]["code"], -32600);
    assert_eq!(Pipe::opened(&fixture::server(), "2025-06-18").ask(&batch.to_string())["error"]["code"], -32600);
}

#[test]
fn w8_1_an_empty_or_overlong_array_is_rejected_as_a_whole() {
    for count in [0, 101] {
        let batch = Value::from(vec![ping(&json!(1)); count]);
        let (status, answer) = over_http(Some("2025-03-26"), &batch).expect("an answer");
        assert_eq!((status, &answer["error"]["code"]), (Status::Invalid, &json!(-32600)), "{count}");
        let on_pipe = Pipe::opened(&fixture::server(), "2025-03-26").ask(&batch.to_string());
        assert_eq!(on_pipe["error"]["code"], -32600, "{count}");
    }
    let hundred = Value::from((0..100).map(|id| ping(&json!(id))).collect::<Vec<_>>());
    let (_, answers) = over_http(Some("2025-03-26"), &hundred).expect("an answer");
    assert_eq!(answers.as_array().expect("an array").len(), 100);
}

#[test]
fn w8_1_a_bad_member_gets_its_own_error() {
    let initialize =
        json!({ "jsonrpc": "2.0", "id": 4, "method": "initialize", "params": { "protocolVersion": "2025-03-26" } });
    let marked = modern_body(&json!(5), "resources/list", json!({}));
    let batch = json!([1, { "jsonrpc": "2.0", "id": 2 }, [ping(&json!(3))], initialize, marked, ping(&json!(6))]);
    let expected =
        [(Value::Null, -32600), (json!(2), -32600), (Value::Null, -32600), (json!(4), -32600), (json!(5), -32600)];
    let (_, over_http) = over_http(Some("2025-03-26"), &batch).expect("an answer");
    let on_pipe = Pipe::opened(&fixture::server(), "2025-03-26").say(&batch.to_string());
    for answers in [over_http.as_array().expect("an array"), &on_pipe] {
        assert_eq!(answers.len(), 6);
        for (answer, (id, code)) in answers.iter().zip(&expected) {
            assert_eq!((&answer["id"], &answer["error"]["code"]), (id, &json!(code)));
        }
        assert_eq!(answers[5]["result"], json!({}));
    }
}

/// The members wait for their turn, and large contents are slices of one text.
#[test]
fn w8_1_the_answer_of_a_batch_copies_no_large_contents() {
    const MIB: usize = 1024 * 1024;
    let large = Resource::builder().uri("docs://large").name("large").text("x".repeat(MIB)).build();
    let server = Server::builder("t", "1").resource(large).build().expect("the definitions are right");
    let read = |id: i64| json!({ "jsonrpc": "2.0", "id": id, "method": "resources/read", "params": { "uri": "docs://large" } });
    let batch = (0..50).map(read).collect::<Value>().to_string();
    let Accepted::Run(mut job) = server.accept(&batch.into(), &Headers(Vec::new())) else { panic!("a batch is a job") };
    let mut polls = 0;
    let wire = loop {
        polls += 1;
        if let Poll::Ready(JobEvent::Done(wire, _)) = job.poll_now() {
            break wire;
        }
    };
    // Each poll dispatches a few members.
    assert!((2..50).contains(&polls), "{polls}");
    assert!((50 * MIB..51 * MIB).contains(&wire.len()), "{}", wire.len());
    let parts: Vec<_> = wire.into_parts().collect();
    let (large, small): (Vec<_>, Vec<_>) = parts.iter().partition(|part| part.len() >= MIB);
    assert_eq!(large.len(), 50);
    assert!(large.iter().all(|part| part.as_ptr() == large[0].as_ptr()), "each is a slice of the same bytes");
    assert!(small.iter().map(|part| part.len()).sum::<usize>() < 64 * 1024);
    let text: Vec<u8> = parts.concat();
    assert_eq!(strict(std::str::from_utf8(&text).expect("UTF-8")).as_array().map(Vec::len), Some(50));
}

#[test]
fn w3_11_a_waiting_member_of_a_batch_can_be_cancelled_by_its_id() {
    let server = fixture::server();
    let session = InSession(Lookup::Known(opened(&server)));
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 2 } });
    let batch = json!([ping(&json!(1)), ping(&json!(2)), cancel, ping(&json!(3))]).to_string();
    let Accepted::Run(mut job) = server.accept(&batch.into(), &session) else { panic!("a batch is a job") };
    let Poll::Ready(JobEvent::Done(wire, _)) = job.poll_now() else { panic!("pings are answered at once") };
    let answers = strict(std::str::from_utf8(&wire.into_bytes()).expect("UTF-8"));
    assert_eq!(
        answers.as_array().map(|all| all.iter().map(|each| each["id"].clone()).collect()),
        Some(vec![json!(1), json!(3)])
    );
}

/// A session of the revision that has batches.
fn opened(server: &Server) -> Session {
    let params =
        json!({ "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }).to_string();
    match server.accept(&initialize.into(), &InSession(Lookup::Missing)) {
        Accepted::Open(opened) => opened.accept().1,
        accepted => panic!("a handshake opens a session: {accepted:?}"),
    }
}

/// No permit but the batch's own.
struct NoPermits;

impl Permits for NoPermits {
    fn try_permit(&self, _: Option<&Peer>, _: &Waker) -> Option<Box<dyn Any + Send>> {
        None
    }

    fn hold(&self, _: Option<&Peer>, _: usize) -> Option<ByteGuard> {
        None
    }
}

#[test]
fn w3_11_a_cancelled_member_that_waited_too_long_gets_no_answer() {
    let server = fixture::server();
    let session = opened(&server);
    let exchange = InSession(Lookup::Known(session));
    let wait = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": { "uri": "docs://wait" } });
    let batch = json!([wait, ping(&json!(2)), ping(&json!(3))]).to_string();
    let Accepted::Run(mut job) = server.accept(&batch.into(), &exchange) else { panic!("a batch is a job") };
    job.set_permits(Arc::new(NoPermits));
    let start = Instant::now();
    assert!(job.poll_now().is_pending());
    job.poll_timeout(start);
    for id in [1, 2] {
        let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
        assert!(matches!(server.accept(&cancel.to_string().into(), &exchange), Accepted::Silent));
    }
    job.handle_timeout(start + Duration::from_secs(61));
    let Poll::Ready(JobEvent::Done(wire, _)) = job.poll_now() else { panic!("no member waits") };
    let answers = strict(std::str::from_utf8(&wire.into_bytes()).expect("UTF-8"));
    assert_eq!((&answers[0]["id"], answers.as_array().map(Vec::len)), (&json!(3), Some(1)));
    assert!(answers[0]["error"]["message"].as_str().expect("a message").contains("too many requests"), "{answers}");
}
