//! The bytes that a service holds for its clients have one budget: bodies, and answers that clients do not read.

use std::future::pending;
use std::time::Duration;

use bytes::Bytes;
use grange_core::{Limits, Resource, Server, Tool, ToolError};
use grange_http::HttpService;
use http::Response;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http2::SendRequest;
use serde_json::{Value, json};

use super::drive::{Answer, Post, note, running, server};
use super::sessions::client::{Client, limited, tool};
use super::sockets::{Serving, request2, soon};

const KIB: usize = 1024;
/// What an answer of 40 KiB that finds no room says.
const NO_ROOM: &str = "leave no room for this one";

fn text() -> &'static str {
    Box::leak("x".repeat(40 * KIB).into_boxed_str())
}

fn limits(service_bytes: usize) -> Limits {
    Limits { service_bytes, ..Limits::default() }
}

/// A reader of 40 KiB, under a budget.
fn computed(service_bytes: usize) -> HttpService {
    HttpService::new(server([running(|_| async { Ok(text()) }), note()], limits(service_bytes)))
}

fn is_without_room(answer: &Answer) -> bool {
    assert_eq!((answer.status, answer.code()), (503, 503), "{answer:?}");
    assert!(answer.headers.contains_key("retry-after"));
    answer.message().contains(NO_ROOM)
}

#[tokio::test]
async fn w5_14_answers_that_clients_do_not_read_are_counted() {
    let service = computed(100 * KIB);
    let read = || Post::read_of("docs://run");
    let (one, _two) = (read().open(&service).await, read().open(&service).await);
    assert!(is_without_room(&read().send(&service).await));
    assert_eq!(Post::read().send(&service).await.status, 200, "small answers still have room");
    drop(one);
    assert_eq!(read().send(&service).await.text().len(), 40 * KIB);
    assert_eq!(read().send(&service).await.status, 200, "an answer that was read is not counted");
}

#[tokio::test]
async fn w5_14_a_frame_is_counted_until_its_connection_has_sent_it() {
    let service = computed(50 * KIB);
    let mut body = Post::read_of("docs://run").open(&service).await.into_body();
    let frame = body.frame().await.unwrap().unwrap();
    drop(body);
    assert!(is_without_room(&Post::read_of("docs://run").send(&service).await), "the connection still has the frame");
    drop(frame);
    assert_eq!(Post::read_of("docs://run").send(&service).await.status, 200);
}

#[tokio::test]
async fn w5_14_fixed_contents_are_shared_and_do_not_count() {
    let fixed = Resource::builder().uri("docs://fixed").name("fixed").text("y".repeat(40 * KIB)).build();
    let service = HttpService::new(server([fixed], limits(50 * KIB)));
    let mut all = Vec::new();
    for _ in 0..100 {
        all.push(Post::read_of("docs://fixed").open(&service).await);
    }
    assert!(all.iter().all(|response| response.status() == 200));
}

#[tokio::test]
async fn w2_13_what_an_error_repeats_is_counted() {
    let service = computed(200 * KIB);
    let unknown = || Post::read_of(&format!("docs://{}", "u".repeat(60 * KIB)));
    let (one, _two) = (unknown().open(&service).await, unknown().open(&service).await);
    assert_eq!(unknown().send(&service).await.busy(), "service_bytes");
    drop(one);
    assert_eq!(unknown().send(&service).await.code(), -32602);
}

#[tokio::test]
async fn w8_1_each_answer_of_a_batch_is_counted() {
    let service = computed(100 * KIB);
    let read =
        |id| json!({ "jsonrpc": "2.0", "id": id, "method": "resources/read", "params": { "uri": "docs://run" } });
    let answer = Post::of((0..5).map(read).collect::<Value>().to_string()).send(&service).await.json();
    let codes: Vec<_> = answer.as_array().unwrap().iter().map(|each| each["error"]["code"].as_i64()).collect();
    assert_eq!(codes, [None, None, Some(503), Some(503), Some(503)]);
    assert_eq!(Post::read_of("docs://run").send(&service).await.status, 200);
}

/// Opens a batch of this member, whose answer is `each` bytes long or a little more, until there is no room for the next one.
async fn batches_until_full(service: &HttpService, uri: &str, each: usize) -> usize {
    let read = |id| json!({ "jsonrpc": "2.0", "id": id, "method": "resources/read", "params": { "uri": uri } });
    let batch = || Post::of((0..10).map(read).collect::<Value>().to_string());
    let mut open = Vec::new();
    loop {
        let response = batch().open(service).await;
        let whole = usize::try_from(http_body::Body::size_hint(response.body()).lower()).unwrap();
        if whole < 10 * each {
            return open.len();
        }
        open.push(response);
        assert!(open.len() < 100, "nothing is counted");
    }
}

#[tokio::test]
async fn w8_1_small_answers_of_a_batch_are_counted_together() {
    let fixed = Resource::builder().uri("docs://fixed").name("fixed").text("y".repeat(7 * KIB)).build();
    let service = HttpService::new(server([fixed], limits(300 * KIB)));
    assert_eq!(batches_until_full(&service, "docs://fixed", 7 * KIB).await, 4, "each has 70 KiB");
}

#[tokio::test]
async fn w8_1_errors_of_a_batch_are_counted() {
    let unknown = format!("docs://{}", "u".repeat(10 * KIB));
    let service = HttpService::new(server([note()], limits(1000 * KIB)));
    let full = batches_until_full(&service, &unknown, 10 * KIB).await;
    assert!((4..=9).contains(&full), "each answer has 100 KiB, and so has each request until it is answered: {full}");
}

#[tokio::test]
async fn w5_14_the_answers_of_event_streams_are_counted() {
    let service = computed(50 * KIB);
    let read = || Post::read_of("docs://run").header("accept", "text/event-stream");
    let unread = read().open(&service).await;
    assert!(is_without_room(&read().send(&service).await));
    drop(unread);
    assert!(read().send(&service).await.events()[0]["error"].is_null());
}

#[tokio::test(start_paused = true)]
async fn w5_14_the_events_of_a_session_are_counted_until_the_client_reads_them() {
    let large = tool("large", |cx| async move {
        cx.progress((1.0, 2.0));
        cx.sleep(Duration::from_secs(1)).await;
        Ok(text().to_owned())
    });
    let service = limited([large], limits(50 * KIB));
    let client = Client::open(&service).await;
    let call = |id: u64| {
        let params = json!({ "name": "large", "arguments": {}, "_meta": { "progressToken": "p" } });
        client.request(id, "tools/call", &params)
    };
    let unread = call(1).open(&service).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let rejected = async |id| {
        let answer = call(id).send(&service).await;
        String::from_utf8_lossy(&answer.body).contains(NO_ROOM)
    };
    assert!(rejected(2).await, "the first answer waits for its client");
    let taken = Answer::of(unread).await;
    assert!(taken.body.len() > 40 * KIB);
    assert!(!rejected(3).await, "the client has it; what is kept for one that resumes has a budget of its own");
    // A client that leaves its stream resumes it from what is kept.
    let unread = call(4).open(&service).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    drop(unread);
    assert!(!rejected(5).await);
}

#[tokio::test(start_paused = true)]
async fn w5_14_a_body_is_counted_as_long_as_its_request_runs() {
    let service = HttpService::new(server([running(|_| pending()), note()], limits(100 * KIB)));
    let run = || {
        let post = Post::read_of("docs://run");
        let body = [&post.body[..], &b" ".repeat(40 * KIB)[..]].concat();
        post.body(body)
    };
    let mut open = [Box::pin(run().send(&service)), Box::pin(run().send(&service))];
    for waiting in &mut open {
        assert!(tokio::time::timeout(Duration::ZERO, waiting).await.is_err());
    }
    assert_eq!(run().send(&service).await.busy(), "service_bytes");
    assert_eq!(Post::read().send(&service).await.status, 200);
    drop(open);
    assert!(tokio::time::timeout(Duration::ZERO, run().send(&service)).await.is_err(), "there is room again");
}

/// A server whose HTTP/2 connections may have so many bytes each, with an answer of this length.
async fn narrow(answer: usize, connection_bytes: usize) -> Serving {
    let text: &str = Box::leak("x".repeat(answer).into_boxed_str());
    let limits = Limits { message_bytes: KIB, connection_bytes, ..Limits::default() };
    Serving::new(server([running(move |_| async move { Ok(text) }), note()], limits), |http| http).await
}

/// Sends a read, and waits for the head of its response.
async fn read2(client: &mut SendRequest<Full<Bytes>>) -> Response<Incoming> {
    soon(client.send_request(request2(Post::read_of("docs://run"), "localhost"))).await.unwrap()
}

#[tokio::test]
async fn w5_14_one_http2_connection_cannot_have_all_bytes_of_the_service() {
    // Large answers and small ones, of which three find no room in a connection. A head takes about 5 KiB until its answer is made.
    for (length, head) in [(100 * KIB, 8 * KIB), (4 * KIB, 3 * KIB)] {
        let serving = narrow(length, 2 * length + head).await;
        let (mut client, mut other) = (serving.http2_with_window(1000).await, serving.http2_with_window(1000).await);
        let mut waiting = Vec::new();
        for expected in [200, 200, 503] {
            let response = read2(&mut client).await;
            assert_eq!(response.status(), expected, "{length}");
            waiting.push(response);
        }
        assert_eq!(read2(&mut other).await.status(), 200, "other connections have their own");
        assert!(soon(waiting.remove(0).into_body().collect()).await.unwrap().to_bytes().len() > length);
        assert_eq!(read2(&mut client).await.status(), 200, "what was read is not counted");
    }
}

#[tokio::test]
async fn w5_14_heads_over_http2_are_counted_as_long_as_their_requests_run() {
    let limits = Limits { message_bytes: KIB, connection_bytes: 100 * KIB, ..Limits::default() };
    let serving = Serving::new(server([running(|_| pending()), note()], limits), |http| http).await;
    let mut client = serving.http2().await;
    let long = |uri: &str| request2(Post::read_of(uri).header("x-long", vec![b'x'; 20 * KIB]), "localhost");
    // A head of 20 KiB takes two and a half times as much, and a stream 4 KiB.
    let running = tokio::spawn(client.send_request(long("docs://run")));
    let second = soon(client.send_request(long("docs://note"))).await.unwrap();
    assert_eq!(second.status(), 503);
    let small = soon(client.send_request(request2(Post::read(), "localhost"))).await.unwrap();
    assert_eq!(small.status(), 200, "one that is short has room");
    running.abort();
    let _ = running.await;
    loop {
        // The server has to read the reset first.
        let again = soon(client.send_request(long("docs://note"))).await.unwrap();
        if again.status() == 200 {
            break;
        }
    }
}

/// Values that take 1.8 MB, in 6 KiB of JSON.
fn values() -> Value {
    json!(vec![json!({}); 2000])
}

#[tokio::test(start_paused = true)]
async fn w2_14_the_values_of_all_requests_have_one_budget() {
    let slow = Tool::builder().name("slow").input_schema(json!({ "type": "object" }));
    let slow = slow.call_with_schema(|cx, _: Value| async move {
        cx.sleep(Duration::from_secs(1)).await;
        Ok::<_, ToolError>("done")
    });
    let meta = running(|cx| async move {
        Ok(if [cx.meta(), cx.meta()].iter().all(|meta| meta.len() == 1) { "both" } else { "neither" })
    });
    let limits = limits(4_000_000);
    let server = Server::builder("values", "1.0.0").tool(slow).resource(meta).limits(limits).build().unwrap();
    let service = HttpService::new(server);
    let call = || {
        let params = json!({ "name": "slow", "arguments": { "x": values() } });
        Post::legacy("tools/call", &params)
    };
    let read = || {
        let params = json!({ "uri": "docs://run", "_meta": { "com.example/x": values() } });
        Post::legacy("resources/read", &params)
    };
    assert_eq!(read().send(&service).await.text(), "both", "however often it is read, it counts once");
    let mut open = [Box::pin(call().send(&service)), Box::pin(call().send(&service))];
    for waiting in &mut open {
        assert!(tokio::time::timeout(Duration::ZERO, waiting).await.is_err());
    }
    assert_eq!(call().send(&service).await.code(), 503);
    assert_eq!(read().send(&service).await.text(), "neither", "its values find no room");
    for answer in open {
        assert_eq!(answer.await.status, 200);
    }
    assert_eq!(call().send(&service).await.status, 200, "they are returned with the request");
}
