//! L2.8: a completer runs like a reader.

use std::sync::mpsc;
use std::task::Poll;
use std::time::{Duration, Instant};

use grange_core::{Context, JobEvent, Limits, ReadError, Server, Status, Template};
use serde_json::{Value, json};

use super::{ITEM, ask, params, reported, template};
use crate::raw::{self, Pipe};
use crate::schema::clients;

/// The template, whose variable this code completes.
fn completing<F, Fut>(code: F) -> Template
where
    F: Fn(Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Vec<String>, ReadError>> + Send + 'static,
{
    template(ITEM).complete("id", move |cx, _| code(cx)).build()
}

fn request() -> Value {
    params(ITEM, "id", "7")
}

#[tokio::test]
async fn l2_8_a_modern_result_has_its_type_and_no_cache_hints() {
    let server = completing(|_| async { Ok(vec!["7".to_owned()]) });
    let server = Server::builder("one", "1.0.0").template(server).ttl(Duration::from_secs(9)).build().unwrap();
    for mut client in clients(&server).await {
        let result = client.complete(ITEM, "id", "7").await.unwrap().result().clone();
        assert_eq!(result.get("resultType").is_some(), !client.revision().has_handshake());
        assert!(result.get("ttlMs").is_none() && result.get("cacheScope").is_none(), "{result}");
    }
}

#[test]
fn l2_8_an_error_is_private_and_reported() {
    let failing = [
        completing(|_| async { Err(std::io::Error::other("secret=/srv/key").into()) }),
        completing(|_| async { if true { panic!("secret=/srv/key") } else { Ok(Vec::new()) } }),
        completing(|cx| async move { cx.get::<u8>().await.map(|value| vec![value.to_string()]) }),
        completing(|_| async { Err(ReadError::not_found()) }),
    ];
    let expected = ["secret=/srv/key", "the code panicked: secret=/srv/key", "u8", "does not exist"];
    for (template, expected) in failing.into_iter().zip(expected) {
        let (server, failures) = reported(template);
        let answer = ask(&server, request());
        assert_eq!(answer.json()["error"], json!({ "code": -32603, "message": "Internal error" }));
        assert_eq!(answer.status, Status::Ok);
        let failures = failures.lock().unwrap();
        let [failure] = &failures[..] else { panic!("{failures:?}") };
        assert!(failure.starts_with("completion of `id` in `demo://items/{id}`: "), "{failure}");
        assert!(failure.contains(expected), "{failure}");
    }
}

#[test]
fn l2_8_errors_for_the_client_are_those_of_a_read() {
    let scopes = completing(|_| async { Err(ReadError::missing_scopes("ids:read")) });
    let (server, failures) = reported(scopes);
    let answer = ask(&server, request());
    assert_eq!(answer.status, Status::MissingScopes("ids:read".into()));
    assert_eq!(answer.json()["error"]["data"], json!({ "requiredScopes": ["ids:read"] }));
    let quota = completing(|_| async { Err(ReadError::public(4290, "quota")) });
    let (public, _) = reported(quota);
    assert_eq!(ask(&public, request()).code(), 4290);
    assert_eq!(failures.lock().unwrap().len(), 0);
}

#[test]
fn l2_8_identity_and_providers_are_those_of_the_request() {
    let template = completing(|cx| async move {
        let client = cx.client_info().and_then(|info| info["name"].as_str().map(str::to_owned));
        let uri = cx.uri().to_string();
        Ok(vec![cx.get::<String>().await?.to_string(), client.unwrap_or_default(), format!("<{uri}>")])
    });
    let server = Server::builder("one", "1.0.0").template(template).provide_value("provided".to_owned());
    let answer = Pipe::opened(&server.build().unwrap(), "2025-11-25").request("completion/complete", &request());
    assert_eq!(answer["result"]["completion"]["values"], json!(["provided", "t", "<>"]));
}

#[test]
fn l2_8_a_completion_can_be_cancelled() {
    let (sender, receiver) = mpsc::channel();
    let template = completing(move |cx| {
        sender.send(cx).expect("the test listens");
        std::future::pending()
    });
    let (server, failures) = reported(template);
    let mut pipe = Pipe::opened(&server, "2025-06-18");
    let line = json!({ "jsonrpc": "2.0", "id": 7, "method": "completion/complete", "params": request() });
    assert!(pipe.say(&line.to_string()).is_empty());
    let cx = receiver.try_recv().expect("it runs");
    assert!(!cx.is_cancelled());
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
    assert!(pipe.say(&cancel.to_string()).is_empty());
    assert!(cx.is_cancelled() && pipe.jobs.is_empty());
    assert_eq!(failures.lock().unwrap().len(), 0);
}

#[test]
fn l2_8_a_completion_has_the_time_of_a_request() {
    let (sender, receiver) = mpsc::channel();
    let limits = Limits { request_time: Duration::from_millis(1234), ..Limits::default() };
    let server = Server::builder("one", "1.0.0").template(completing(|_| std::future::pending())).limits(limits);
    let server = server.on_error(move |failure, _| sender.send(failure.to_string()).expect("the test listens"));
    let mut pipe = Pipe::opened(&server.build().unwrap(), "2025-11-25");
    let line = json!({ "jsonrpc": "2.0", "id": 1, "method": "completion/complete", "params": request() });
    assert!(pipe.say(&line.to_string()).is_empty());
    let (_, mut job) = pipe.jobs.remove(0);
    let due = job.poll_timeout(Instant::now()).expect("a request has its time");
    job.handle_timeout(due);
    let Poll::Ready(JobEvent::Done(wire, _)) = job.poll_now() else { panic!("an expired job is done") };
    let answer: Value = serde_json::from_slice(&wire.into_bytes()).expect("JSON");
    assert_eq!(answer["error"]["code"], -32603);
    assert_eq!(receiver.try_recv().expect("the failure was reported"), "it took longer than 1234 ms");
}

#[test]
fn l2_8_a_completer_may_send_progress() {
    let template = completing(|cx| async move {
        cx.progress((1.0, 2.0));
        Ok(vec!["7".to_owned()])
    });
    let mut params = request();
    params["_meta"] = raw::meta();
    params["_meta"]["progressToken"] = json!("p");
    let (server, _) = reported(template);
    assert_eq!(ask(&server, params).events.len(), 1);
}

/// A value is whatever a client types. The message bounds it, and none of it is kept that no variable has.
#[test]
fn l2_9_what_is_typed_reaches_code_as_it_was_sent() {
    let echo = template(ITEM).complete("id", |_, typed| async move {
        assert_eq!((typed.name(), typed.other("id")), ("id", None));
        Ok([typed.value().len().to_string()])
    });
    let (server, failures) = reported(echo.build());
    let mut params = params(ITEM, "id", &"'; drop table; %\u{0}/../\u{1F600}".repeat(10_000));
    let others: serde_json::Map<_, _> = (0..50_000).map(|at| (at.to_string(), json!("x"))).collect();
    params["context"] = json!({ "arguments": others });
    assert_eq!(ask(&server, params).result()["completion"]["values"], json!(["250000"]));
    assert_eq!(*failures.lock().unwrap(), [""; 0]);
}
