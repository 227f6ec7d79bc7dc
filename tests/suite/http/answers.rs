//! Responses: JSON or an event stream, their headers, and when there is no body.

use std::future::pending;
use std::time::Duration;

use grange_core::{Limits, ReadError, Revision, Server};
use grange_http::HttpService;
use http::Method;
use serde_json::{Value, json};

use super::drive::{
    Answer, NOTE, Post, answered, events, modern, next, note, running, server, service, service_with, text,
};

/// The form of a response.
#[derive(Debug, PartialEq)]
enum Kind {
    Json,
    Stream,
    NotAcceptable,
}

fn kind(answer: &Answer) -> Kind {
    match answer.status {
        406 => Kind::NotAcceptable,
        200 if answer.is_json() => Kind::Json,
        200 if answer.is_stream() => Kind::Stream,
        status => panic!("{status}: {answer:?}"),
    }
}

#[tokio::test]
async fn w5_5_accept_follows_rfc_9110() {
    let check = async |lines: &[&str], expected: Kind| {
        let post = lines.iter().fold(Post::read().without("accept"), |post, line| post.line("accept", line));
        assert_eq!(kind(&post.send(&service()).await), expected, "{lines:?}");
    };
    for any in ["*/*", "", " , ", "application/*", "application/json", "application/json, text/event-stream"] {
        check(&[any], Kind::Json).await;
    }
    check(&[], Kind::Json).await;
    check(&["text/event-stream", "application/json"], Kind::Json).await;
    check(&["TEXT/Event-Stream;q=1 , Application/JSON ; q=0.1"], Kind::Json).await;
    check(&["text/html", "*/*;q=0.001"], Kind::Json).await;
    check(&["application/json;profile=\"a,b;q=0\""], Kind::Json).await;
    check(&["text/html;x=\", application/json, \""], Kind::NotAcceptable).await;
    check(&["text/event-stream"], Kind::Stream).await;
    check(&["text/*"], Kind::Stream).await;
    check(&["application/json;q=0, */*"], Kind::Stream).await;
    check(&["*/*", "application/*; Q=0.000"], Kind::Stream).await;
    check(&["application/json;q=0.0;x=1, text/event-stream"], Kind::Stream).await;
    for none in ["text/html", "image/*", "*/*;q=0", "application/json;q=0", "application/jsonp", "json", "*"] {
        check(&[none], Kind::NotAcceptable).await;
    }
}

#[tokio::test]
async fn w5_5_a_client_that_accepts_only_streams_gets_one() {
    let answer = Post::read().header("accept", "text/event-stream").send(&service()).await;
    assert_eq!(answer.events().iter().map(text).collect::<Vec<_>>(), ["note"]);
    assert_eq!(answer.headers["cache-control"], "no-cache");
    assert_eq!(answer.headers["x-accel-buffering"], "no");
    let unknown = Post::read_of("docs://none").header("accept", "text/event-stream").send(&service()).await;
    assert_eq!((unknown.status, unknown.events()[0]["error"]["code"].as_i64()), (200, Some(-32602)));
}

#[tokio::test]
async fn w5_5_a_large_answer_is_the_same_as_json_and_as_an_event() {
    let large = "0123456789abcdef\n".repeat(64 * 1024);
    let resource = grange_core::Resource::builder().uri(NOTE).name("large").text(large.clone()).build();
    let service = HttpService::new(server([resource], Limits::default()));
    assert_eq!(Post::read().send(&service).await.text(), large);
    let streamed = Post::read().header("accept", "text/event-stream").send(&service).await;
    assert_eq!(text(&streamed.events()[0]), large);
}

#[tokio::test]
async fn w5_4_rejections_are_json_for_any_accept_header() {
    let only_streams = |post: Post| post.header("accept", "text/event-stream");
    let unknown = only_streams(Post::modern("no/such", json!({}))).send(&service()).await;
    assert_eq!((unknown.status, unknown.code()), (404, -32601));
    let broken = only_streams(Post::of("{")).send(&service()).await;
    assert_eq!((broken.status, broken.code()), (400, -32700));
}

#[tokio::test]
async fn w5_4_errors_of_a_reader_have_status_200_on_every_revision() {
    let failing = running(|_| async { Err(std::io::Error::other("secret").into()) });
    let panicking = running(|_| async { panic!("secret") });
    let missing = running(|_| async { Err(ReadError::not_found()) });
    for (resource, codes) in [(failing, [-32603; 2]), (panicking, [-32603; 2]), (missing, [-32602, -32002])] {
        let builder = Server::builder("tests", "1.0.0").resource(resource).on_error(|_, _| {});
        let service = HttpService::new(builder.build().unwrap());
        let posts = [Post::read_of("docs://run"), Post::legacy("resources/read", &json!({ "uri": "docs://run" }))];
        for (post, code) in posts.into_iter().zip(codes) {
            let answer = post.send(&service).await;
            assert_eq!((answer.status, answer.code()), (200, code), "{answer:?}");
            assert!(!String::from_utf8_lossy(&answer.body).contains("secret"));
        }
    }
}

#[tokio::test]
async fn w5_7_notifications_and_responses_are_accepted_without_a_body() {
    let silent = async |body: Value| {
        let answer = Post::of(body.to_string()).send(&service()).await;
        assert_eq!((answer.status, &answer.body[..], answer.headers.len()), (202, &b""[..], 0), "{body}");
    };
    silent(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    silent(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } })).await;
    silent(json!({ "jsonrpc": "2.0", "id": 7, "result": {} })).await;
    silent(json!([{ "jsonrpc": "2.0", "method": "notifications/initialized" }])).await;
    let response = json!({ "jsonrpc": "2.0", "id": 7, "result": {} }).to_string();
    let answer = Post::of(response).header("mcp-protocol-version", Revision::V2026_07_28.name()).send(&service()).await;
    assert_eq!((answer.status, answer.code()), (400, -32600));
}

#[tokio::test]
async fn w5_7_a_notification_of_the_newest_revision_needs_only_its_header() {
    for (method, params) in [
        ("notifications/cancelled", Some(json!({ "requestId": 1 }))),
        ("notifications/cancelled", None),
        ("notifications/x", Some(json!({}))),
        ("notifications/x", Some(json!({ "_meta": { "traceparent": "x", "com.example/k": 1 } }))),
        ("notifications/x", None),
    ] {
        let mut note = json!({ "jsonrpc": "2.0", "method": method });
        if let Some(params) = params {
            note["params"] = params;
        }
        let post = Post::of(note.to_string()).header("mcp-protocol-version", modern());
        for post in [post.clone(), post.clone().header("mcp-method", method), post.header("mcp-name", "a")] {
            let answer = post.send(&service()).await;
            assert_eq!((answer.status, &answer.body[..]), (202, &b""[..]), "{note}");
        }
    }
}

#[tokio::test]
async fn w8_1_a_batch_is_answered_in_one_array() {
    let request = |id: i64, method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let batch =
        json!([request(1, "ping", json!({})), note, request(2, "resources/read", json!({ "uri": "docs://run" }))]);
    let service = HttpService::new(server([running(|_| async { Ok("run") })], Limits::default()));
    let answer = Post::of(batch.to_string()).send(&service).await;
    let answers = answer.json();
    assert_eq!((answer.status, answers.as_array().unwrap().len()), (200, 2));
    assert_eq!((answers[0]["id"].as_i64(), text(&answers[1])), (Some(1), "run".to_owned()));
}

#[tokio::test]
async fn w5_8_without_sessions_only_post_is_allowed_and_session_headers_are_ignored() {
    for method in [Method::GET, Method::DELETE, Method::OPTIONS, Method::PUT, Method::HEAD] {
        let answer = Post::read().method(method.clone()).send(&service()).await;
        assert_eq!((answer.status, &answer.headers["allow"]), (405, &"POST".parse().unwrap()), "{method}");
        assert_eq!(answer.code(), -32600);
    }
    let initialize = Post::legacy("initialize", &json!({ "protocolVersion": Revision::V2025_11_25.name() }));
    for post in [Post::read(), initialize, Post::legacy("resources/read", &json!({ "uri": NOTE }))] {
        let answer = post.header("mcp-session-id", "gone").header("last-event-id", "7").send(&service()).await;
        assert_eq!((answer.status, answer.headers.get("mcp-session-id")), (200, None), "{answer:?}");
    }
}

#[tokio::test]
async fn w5_9_without_session_features_any_replica_answers() {
    let initialize = Post::legacy("initialize", &json!({ "protocolVersion": Revision::V2025_06_18.name() }));
    let answer = initialize.send(&service()).await;
    assert_eq!(answer.headers.keys().collect::<Vec<_>>(), ["content-type"]);
    let read = Post::legacy("resources/read", &json!({ "uri": NOTE }));
    let answer = read.header("mcp-protocol-version", Revision::V2025_06_18.name()).send(&service()).await;
    assert_eq!((answer.text(), answer.headers.len()), ("note".to_owned(), 1));
}

#[tokio::test]
async fn w5_12_cors_is_off_by_default() {
    let preflight = Post::of("").method(Method::OPTIONS).header("origin", "http://localhost:3000");
    let preflight = preflight.header("access-control-request-method", "POST").send(&service()).await;
    assert_eq!(preflight.status, 405);
    for answer in [preflight, Post::read().header("origin", "http://localhost:3000").send(&service()).await] {
        assert!(!answer.headers.keys().any(|name| name.as_str().starts_with("access-control")), "{answer:?}");
    }
}

#[tokio::test]
async fn w5_10_the_service_answers_at_any_path() {
    for uri in ["/", "/mcp", "/mcp/", "/a/b", "/mcp?x=1", "http://localhost:8787/mcp/"] {
        assert_eq!(Post::read().uri(uri).send(&service()).await.text(), "note", "{uri}");
    }
}

/// Opens a held stream and reads its acknowledgement.
pub(super) async fn hold(service: &HttpService, post: Post) -> grange_http::ResponseBody {
    let response = post.open(service).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body();
    let first = next(&mut body).await.unwrap();
    assert_eq!(events(&first)[0]["method"], "notifications/subscriptions/acknowledged", "{first}");
    body
}

#[tokio::test(start_paused = true)]
async fn w5_5_a_comment_is_sent_at_every_interval() {
    let check = async |service: HttpService, interval: Duration| {
        let mut body = hold(&service, Post::listen()).await;
        for _ in 0..3 {
            let before = tokio::time::Instant::now();
            assert_eq!(next(&mut body).await.as_deref(), Some(":\n\n"));
            assert_eq!(before.elapsed().as_millis(), interval.as_millis());
        }
    };
    check(service(), Duration::from_secs(15)).await;
    let interval = Duration::from_millis(300);
    check(service_with(|settings| settings.keep_alive(interval)), interval).await;
}

#[tokio::test(start_paused = true)]
async fn w5_5_a_stream_sends_its_first_bytes_at_once() {
    let slow = running(|_| async {
        tokio::time::sleep(Duration::from_secs(20)).await;
        Ok("slow")
    });
    let service = HttpService::new(server([slow], Limits::default()));
    let before = tokio::time::Instant::now();
    let response = Post::read_of("docs://run").header("accept", "text/event-stream").open(&service).await;
    let mut body = response.into_body();
    assert_eq!(next(&mut body).await.as_deref(), Some(":\n\n"));
    assert!(before.elapsed().is_zero());
    assert_eq!(next(&mut body).await.as_deref(), Some(":\n\n"));
    assert_eq!(before.elapsed(), Duration::from_secs(15));
    assert_eq!(text(&events(&next(&mut body).await.unwrap())[0]), "slow");
    assert_eq!((before.elapsed(), next(&mut body).await), (Duration::from_secs(20), None));
}

#[tokio::test(start_paused = true)]
async fn w5_6_a_stream_without_a_session_has_no_ids_or_retry() {
    let service = service();
    let mut stream = String::new();
    let mut body = hold(&service, Post::listen()).await;
    stream.push_str(&next(&mut body).await.unwrap());
    service.end_streams();
    while let Some(piece) = next(&mut body).await {
        stream.push_str(&piece);
    }
    let known = |line: &str| ["", ":", "event: message"].contains(&line) || line.starts_with("data: ");
    assert_eq!(stream.lines().find(|line| !known(line)), None);
}

/// Some clients ignore events without a name. Tests a copied and a borrowed message, of both eras.
#[tokio::test(start_paused = true)]
async fn w5_6_every_event_with_data_is_a_message() {
    for length in [4, 8 * 1024, 64 * 1024] {
        let text = "x".repeat(length);
        let resource = grange_core::Resource::builder().uri(NOTE).name("note").text(text.clone()).build();
        let service = HttpService::new(server([resource], Limits::default()));
        let legacy = Post::legacy("resources/read", &json!({ "uri": NOTE }));
        let legacy = legacy.header("mcp-protocol-version", Revision::V2025_11_25.name());
        for post in [Post::read(), legacy] {
            let answer = post.header("accept", "text/event-stream").send(&service).await;
            let body = std::str::from_utf8(&answer.body).unwrap();
            assert!(body.starts_with("event: message\ndata: {") && body.ends_with("}\n\n"), "{length}: {body:.60}");
            assert_eq!((body.lines().count(), body.matches("event:").count()), (3, 1), "{length}");
            assert_eq!(super::drive::text(&answer.events()[0]), text);
        }
    }
    // Progress before the answer, and messages of a held stream.
    let mut body = hold(&service(), Post::listen()).await;
    assert_eq!(next(&mut body).await.as_deref(), Some(":\n\n"), "a comment has no name");
}

#[tokio::test(start_paused = true)]
async fn w6_4_a_static_server_acknowledges_no_subscription_and_holds_the_stream() {
    let service = service();
    for id in [json!("a"), json!(7)] {
        let mut message: Value = serde_json::from_slice(&Post::listen().body).unwrap();
        message["id"] = id.clone();
        let response = Post::listen().body(message.to_string()).open(&service).await;
        assert_eq!(
            (response.status().as_u16(), &response.headers()["x-accel-buffering"]),
            (200, &"no".parse().unwrap())
        );
        let mut body = response.into_body();
        let acknowledged = events(&next(&mut body).await.unwrap()).remove(0);
        assert_eq!(acknowledged["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], id);
        let mut quiet = std::pin::pin!(next(&mut body));
        let timed_out = tokio::time::timeout(Duration::from_secs(14), &mut quiet).await;
        assert!(timed_out.is_err(), "{timed_out:?}");
        assert_eq!(quiet.await.as_deref(), Some(":\n\n"));
    }
}

#[tokio::test]
async fn w3_16_a_client_without_streams_cannot_listen() {
    for accept in ["application/json", "application/*", "*/*, text/event-stream;q=0"] {
        let answer = Post::listen().header("accept", accept).send(&service()).await;
        assert_eq!((answer.status, answer.code()), (406, -32600), "{accept}");
    }
    drop(hold(&service(), Post::listen().without("accept")).await);
}

/// Readers get the head of the request, with the extensions of an embedding application.
#[tokio::test]
async fn a_reader_sees_the_head_of_the_request() {
    #[derive(Clone)]
    struct User(&'static str);
    let whoami = running(|cx| async move {
        let head = cx.peer::<http::request::Parts>().expect("the head");
        assert_eq!(head.headers["x-tenant"], "blue");
        Ok(head.extensions.get::<User>().expect("the extension").0)
    });
    let service = HttpService::new(server([whoami, note()], Limits::default()));
    let post = Post::read_of("docs://run").header("x-tenant", "blue");
    let mut request = post.clone().with(http_body_util::Full::new(post.body));
    request.extensions_mut().insert(User("alice"));
    let response = answered(tower_service::Service::call(&mut service.clone(), request).await);
    assert_eq!(Answer::of(response).await.text(), "alice");
}

/// Two requests with the same id are independent. The stream of a request ends when it is dropped.
#[tokio::test]
async fn w2_9_two_concurrent_requests_may_have_the_same_id() {
    let service = HttpService::new(server([running(|_| pending()), note()], Limits::default()));
    let mut waiting = std::pin::pin!(Post::read_of("docs://run").send(&service));
    assert!(tokio::time::timeout(Duration::ZERO, &mut waiting).await.is_err());
    assert_eq!(Post::read().send(&service).await.text(), "note");
}
