//! Section 3 of the contract, the methods: lists, reads, capabilities, cancellation.

use std::task::Poll;

use grange_core::{CacheScope, Context, JobEvent, Limits, Resource, Server, Status};
use serde_json::{Value, json};

use super::fixture::{self, handshakes};
use crate::raw::{self, MODERN, Pipe, legacy, modern};

#[test]
fn w3_1_a_list_is_complete_and_in_registration_order() {
    let server = fixture::server();
    let listed = |result: Value| -> Vec<String> {
        let entries = result["resources"].as_array().expect("an array").clone();
        entries.iter().map(|entry| entry["uri"].as_str().expect("a uri").to_owned()).collect()
    };
    let expected: Vec<_> = server.uris().map(str::to_owned).collect();
    assert_eq!(&expected[..3], ["docs://full", "reports://latest", "docs://empty"]);
    for _ in 0..2 {
        assert_eq!(listed(modern(&server, "resources/list", json!({})).result()), expected);
        assert_eq!(listed(legacy(&server, "2025-03-26", "resources/list", &json!({})).result()), expected);
    }
    assert!(modern(&server, "resources/list", json!({})).result().get("nextCursor").is_none());
}

#[test]
fn w3_1_pages_join_to_the_whole_list() {
    for size in [1, 4, 12, 13, 100] {
        // Two servers, because a cursor is valid in every process of the same build.
        let servers = [paged(size), paged(size)];
        let (mut uris, mut cursor) = (Vec::new(), json!({}));
        for turn in 0.. {
            let page = modern(&servers[turn % 2], "resources/list", cursor).result();
            let entries = page["resources"].as_array().expect("an array").clone();
            assert!(entries.len() <= size && !entries.is_empty());
            uris.extend(entries.iter().map(|entry| entry["uri"].as_str().expect("a uri").to_owned()));
            match page.get("nextCursor") {
                Some(next) => cursor = json!({ "cursor": next }),
                None => break,
            }
        }
        assert_eq!(uris, fixture::server().uris().map(str::to_owned).collect::<Vec<_>>(), "{size}");
    }
}

fn paged(size: usize) -> Server {
    fixture::builder().page_size(size).build().expect("a paged server")
}

#[test]
fn w3_1_a_cursor_that_was_not_issued_is_rejected() {
    let issued =
        modern(&paged(4), "resources/list", json!({})).result()["nextCursor"].as_str().expect("a cursor").to_owned();
    let mut cursors: Vec<String> = ["", "4", "0-", "4-0", "ffffffffffffffffff-0", "x", "-"].map(str::to_owned).to_vec();
    cursors.push(format!("{issued} "));
    cursors.push(issued.replacen('4', "8", 1));
    for cursor in cursors {
        let answer = modern(&paged(4), "resources/list", json!({ "cursor": cursor }));
        assert_eq!((answer.status.clone(), answer.code()), (Status::Ok, -32602), "{cursor:?}");
    }
    // A cursor of another page size, and any cursor without pages.
    for (server, method) in
        [(paged(2), "resources/list"), (fixture::server(), "resources/list"), (paged(4), "resources/templates/list")]
    {
        assert_eq!(modern(&server, method, json!({ "cursor": issued })).code(), -32602, "{method}");
    }
    assert_eq!(modern(&paged(4), "resources/list", json!({ "cursor": 4 })).code(), -32602);
    assert_eq!(modern(&fixture::server(), "resources/templates/list", json!({ "cursor": "" })).code(), -32602);
}

#[test]
fn w3_2_a_uri_is_matched_byte_for_byte() {
    let server = fixture::server();
    let read = |uri: &str| modern(&server, "resources/read", json!({ "uri": uri }));
    assert_eq!(read("docs://a").result()["contents"][0]["text"], "none");
    assert_eq!(read("docs://a/").result()["contents"][0]["text"], "slash");
    for other in ["docs://A", "docs://a//", "docs://./a", "docs://%61", "docs://a#", "docs:a", ""] {
        let answer = read(other);
        assert_eq!((answer.status.clone(), answer.code()), (Status::Ok, -32602), "{other:?}");
        assert_eq!(answer.json()["error"]["data"]["uri"], other);
    }
    let spaced = raw::modern_body(&json!(1), "resources/read", json!({ "uri": " docs://a" }));
    assert_eq!(Pipe::new(&server).ask(&spaced.to_string())["error"]["data"]["uri"], " docs://a");
    // JSON escapes are decoded before the comparison.
    let line = raw::modern_body(&json!(1), "resources/read", json!({ "uri": "docs://a" }));
    let answer = Pipe::new(&server).ask(&line.to_string().replace("docs://a", "docs:\\/\\/\\u0061"));
    assert_eq!(answer["result"]["contents"][0]["text"], "none");
}

#[test]
fn w3_6_the_list_of_templates_is_empty() {
    for revision in handshakes() {
        let result = legacy(&fixture::server(), revision.name(), "resources/templates/list", &json!({})).result();
        assert_eq!(result, json!({ "resourceTemplates": [] }));
    }
    assert_eq!(
        modern(&fixture::server(), "resources/templates/list", json!({})).result()["resourceTemplates"],
        json!([])
    );
}

#[test]
fn w3_7_discover_describes_the_server() {
    let mut result = modern(&fixture::server(), "server/discover", json!({})).result();
    let meta = result.as_object_mut().expect("an object").remove("_meta").expect("_meta");
    assert_eq!(meta["io.modelcontextprotocol/serverInfo"]["name"], "fixture");
    assert_eq!(
        result,
        json!({
            "resultType": "complete", "ttlMs": 0, "cacheScope": "private", "supportedVersions": [MODERN],
            "capabilities": { "resources": {} }, "instructions": "Read docs://full first.",
        })
    );
    let plain = Server::builder("plain", "1").build().expect("a server");
    assert!(modern(&plain, "server/discover", json!({})).result().get("instructions").is_none());
}

#[test]
fn w3_8_cache_hints_of_a_resource_override_those_of_the_server() {
    let server = fixture::builder()
        .ttl(std::time::Duration::from_millis(1500))
        .cache_scope(CacheScope::Public)
        .build()
        .expect("a server");
    let hints = |method: &str, params: Value| {
        let result = modern(&server, method, params).result();
        assert_eq!(result["resultType"], "complete");
        (result["ttlMs"].as_u64().expect("ttlMs"), result["cacheScope"].as_str().expect("cacheScope").to_owned())
    };
    assert_eq!(hints("server/discover", json!({})), (1500, "public".into()));
    assert_eq!(hints("resources/read", json!({ "uri": "docs://full" })), (1500, "public".into()));
    assert_eq!(hints("resources/read", json!({ "uri": "reports://latest" })), (60_000, "private".into()));
    // One private entry makes every page of the list private.
    assert_eq!(hints("resources/list", json!({})), (1500, "private".into()));
    let public = Server::builder("p", "1").cache_scope(CacheScope::Public).resource(fixture::full()).build();
    let list = modern(&public.expect("a server"), "resources/list", json!({})).result();
    assert_eq!(list["cacheScope"], "public");
}

#[test]
fn w3_10_methods_that_are_not_declared_do_not_exist() {
    let server = fixture::server();
    for method in [
        "foo/bar",
        "ping",
        "initialize",
        "logging/setLevel",
        "resources/subscribe",
        "tools/list",
        "prompts/list",
        "RESOURCES/LIST",
    ] {
        let answer = modern(&server, method, json!({}));
        assert_eq!((answer.status.clone(), answer.code()), (Status::NoSuchMethod, -32601), "{method}");
    }
    for method in
        ["foo/bar", "server/discover", "subscriptions/listen", "logging/setLevel", "resources/subscribe", "tools/list"]
    {
        let answer = legacy(&server, "2025-11-25", method, &json!({}));
        assert_eq!((answer.status.clone(), answer.code()), (Status::Ok, -32601), "{method}");
    }
}

#[test]
fn w3_10_a_long_method_is_truncated_in_the_answer() {
    let method = "\u{e9}".repeat(100_000);
    let answer = legacy(&fixture::server(), "2025-11-25", &method, &json!({}));
    assert_eq!(answer.code(), -32601);
    assert!(answer.text.len() < 1000, "{} bytes", answer.text.len());
}

/// A pipe with one waiting read, and the context of its reader.
fn waiting(id: &Value) -> (Pipe, Context) {
    let (sender, receiver) = std::sync::mpsc::channel();
    let resource = Resource::builder().uri("w:1").name("w").read(move |cx| {
        let _ = sender.send(cx.clone());
        async move {
            // A poll after the cancellation would be reported as a failure.
            cx.cancelled().await;
            Err::<String, _>("cancelled".into())
        }
    });
    let server = Server::builder("w", "1").resource(resource.build()).on_error(|failure, _| panic!("{failure}"));
    let mut pipe = Pipe::opened(&server.build().expect("a server"), "2025-11-25");
    let line = json!({ "jsonrpc": "2.0", "id": id, "method": "resources/read", "params": { "uri": "w:1" } });
    assert!(pipe.say(&line.to_string()).is_empty());
    (pipe, receiver.recv().expect("the reader ran"))
}

fn cancel(pipe: &mut Pipe, id: &Value) {
    let line = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    assert!(pipe.say(&line.to_string()).is_empty());
}

#[test]
fn w3_11_a_cancelled_request_stops_and_gets_no_answer() {
    let (mut pipe, cx) = waiting(&json!(7));
    assert!(!cx.is_cancelled());
    cancel(&mut pipe, &json!(7));
    assert!(cx.is_cancelled() && cx.cancellation_token().is_cancelled());
    assert!(pipe.jobs.is_empty() && pipe.connection.is_idle());
    // The id is free again.
    assert_eq!(pipe.request("ping", &json!({}))["result"], json!({}));
}

#[test]
fn w3_11_ids_are_typed_and_compared_decoded() {
    for (id, others, same) in [
        (json!(1), vec![json!("1"), json!(2), json!(null), json!(1.5)], "1.0"),
        (json!("1"), vec![json!(1), json!("01")], "\"\\u0031\""),
        (json!(0), vec![json!("0")], "-0"),
    ] {
        let (mut pipe, cx) = waiting(&id);
        for other in others {
            cancel(&mut pipe, &other);
            assert!(!cx.is_cancelled(), "{other} cancelled {id}");
        }
        let line = format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{same}}}}}"#);
        assert!(pipe.say(&line).is_empty());
        assert!(cx.is_cancelled(), "{same} did not cancel {id}");
    }
}

#[test]
fn w3_11_cancelling_an_unknown_id_is_ignored() {
    let mut pipe = Pipe::opened(&fixture::server(), "2025-11-25");
    for params in [json!({}), json!({ "requestId": 99 }), json!({ "requestId": "open" }), json!({ "requestId": [] })] {
        let line = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        assert!(pipe.say(&line.to_string()).is_empty(), "{params}");
    }
    assert_eq!(pipe.request("ping", &json!({}))["result"], json!({}));
}

#[test]
fn w3_11_over_http_a_cancellation_cancels_no_other_request() {
    let line = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    for version in ["2025-06-18", MODERN] {
        assert!(raw::post(&fixture::server(), Some(version), line).is_none());
    }
}

#[test]
fn w3_12_a_panic_is_an_internal_error_of_only_that_request() {
    let panicking =
        Resource::builder().uri("p:1").name("p").read(|_| async { if true { panic!("secret={}", 1) } else { Ok("") } });
    let (server, reported) = fixture::reported(panicking.build());
    let answer = modern(&server, "resources/read", json!({ "uri": "p:1" }));
    assert_eq!(answer.json()["error"], json!({ "code": -32603, "message": "Internal error" }));
    assert_eq!(answer.status.clone(), Status::Ok);
    assert_eq!(*reported.lock().expect("no panic before"), ["p:1: the code panicked: secret=1"]);
    assert_eq!(modern(&server, "resources/list", json!({})).status, Status::Ok);
}

#[test]
fn w3_12_a_panic_before_the_first_await_and_one_in_on_error_are_caught() {
    let resource =
        Resource::builder().uri("p:1").name("p").read(|_| -> std::future::Ready<Result<String, _>> { panic!("early") });
    let server = Server::builder("p", "1").resource(resource.build()).on_error(|_, _| panic!("in on_error")).build();
    assert_eq!(modern(&server.expect("a server"), "resources/read", json!({ "uri": "p:1" })).code(), -32603);
}

#[test]
fn w5_14_a_timed_out_read_is_an_internal_error_and_its_token_is_cancelled() {
    let limits = Limits { request_time: std::time::Duration::from_millis(1234), ..Limits::default() };
    let resource =
        Resource::builder().uri("w:1").name("w").read(|_| std::future::pending::<Result<String, _>>()).build();
    let (sender, receiver) = std::sync::mpsc::channel();
    let server = Server::builder("w", "1").resource(resource).limits(limits).on_error(move |failure, cx| {
        assert!(cx.is_cancelled());
        sender.send(failure.to_string()).expect("the test listens");
    });
    let mut pipe = Pipe::opened(&server.build().expect("a server"), "2025-06-18");
    assert!(pipe.say(r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"w:1"}}"#).is_empty());
    let (_, mut job) = pipe.jobs.remove(0);
    let now = std::time::Instant::now();
    let due = job.poll_timeout(now).expect("a request has its time");
    assert_eq!(due - now, std::time::Duration::from_millis(1234));
    job.handle_timeout(due);
    let Poll::Ready(JobEvent::Done(wire, _)) = job.poll_now() else { panic!("an expired job is done") };
    let answer: Value = serde_json::from_slice(&wire.into_bytes()).expect("JSON");
    assert_eq!(answer["error"], json!({ "code": -32603, "message": "Internal error" }));
    assert_eq!(receiver.try_recv().expect("the failure was reported"), "it took longer than 1234 ms");
}

#[test]
fn w3_13_modern_requests_need_their_metadata() {
    let version = raw::VERSION_KEY;
    let capabilities = raw::CAPABILITIES_KEY;
    for (meta, named) in [
        (json!({ capabilities: {} }), version),
        (json!({ version: 5, capabilities: {} }), version),
        (json!({ version: MODERN }), capabilities),
        (json!({ version: MODERN, capabilities: [] }), capabilities),
        (json!({ version: MODERN, capabilities: null }), capabilities),
    ] {
        let answer = modern(&fixture::server(), "resources/list", json!({ "_meta": meta }));
        assert_eq!((answer.status.clone(), answer.code()), (Status::Invalid, -32602), "{meta}");
        assert!(answer.json()["error"]["message"].as_str().expect("a message").contains(named), "{}", answer.text);
    }
}

#[test]
fn w3_13_malformed_optional_metadata_is_ignored_and_unknown_keys_reach_the_reader() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let resource = Resource::builder().uri("m:1").name("m").read(move |cx| {
        let seen_data = (cx.meta(), cx.client_info(), cx.client_capabilities(), cx.protocol_version());
        sender.send(seen_data).expect("the test listens");
        async { Ok("") }
    });
    let server = Server::builder("m", "1").resource(resource.build()).build().expect("a server");
    let mut meta = raw::meta();
    meta["io.modelcontextprotocol/clientInfo"] = json!(5);
    meta["io.modelcontextprotocol/logLevel"] = json!([]);
    meta["traceparent"] = json!("00-1-2-01");
    meta[raw::CAPABILITIES_KEY] = json!({ "roots": {} });
    let answer = modern(&server, "resources/read", json!({ "uri": "m:1", "_meta": meta }));
    assert_eq!(answer.result()["contents"][0]["text"], "");
    let (seen, info, capabilities, version) = receiver.try_recv().expect("the reader ran");
    assert_eq!(Value::Object(seen), meta);
    assert_eq!(info, None);
    assert_eq!(Value::Object(capabilities), json!({ "roots": {} }));
    assert_eq!(version, Some(MODERN));
}

#[test]
fn w3_17_a_second_initialize_is_rejected_and_requests_need_not_wait() {
    let mut pipe = Pipe::opened(&fixture::server(), "2025-06-18");
    // `notifications/initialized` was not sent yet.
    assert!(pipe.request("resources/list", &json!({}))["result"]["resources"].is_array());
    let again = pipe.request("initialize", &json!({ "protocolVersion": "2025-11-25" }));
    assert_eq!(again["error"]["code"], -32600);
    // The revision of the first one stays in force.
    assert!(pipe.request("resources/list", &json!({}))["result"]["resources"][0].get("icons").is_none());
}

#[test]
fn w6_4_a_static_server_acknowledges_no_subscription_and_holds_the_stream() {
    let mut pipe = Pipe::new(&fixture::server());
    let filter = json!({ "notifications": { "resourcesListChanged": true, "resourceSubscriptions": ["docs://full"] } });
    let line = raw::modern_body(&json!("l"), "subscriptions/listen", filter);
    let subscription = json!({ "io.modelcontextprotocol/subscriptionId": "l" });
    assert_eq!(
        pipe.say(&line.to_string()),
        [json!({
            "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
            "params": { "_meta": subscription, "notifications": {} },
        })]
    );
    assert!(pipe.drive().is_empty());
    assert_eq!(pipe.jobs[0].1.poll_timeout(std::time::Instant::now()), None);
    pipe.jobs[0].1.handle_shutdown();
    let ended = pipe.drive();
    assert_eq!(ended.len(), 2);
    assert_eq!(ended[0]["id"], "l");
    assert_eq!(ended[0]["result"]["resultType"], "complete");
    assert_eq!(ended[0]["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "l");
    assert_eq!(ended[0]["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "fixture");
    assert_eq!(ended[1]["method"], "notifications/cancelled");
    assert_eq!(ended[1]["params"], json!({ "requestId": "l", "_meta": subscription }));
    assert!(pipe.connection.is_idle());
}

#[test]
fn w6_4_listen_requires_its_filter() {
    for params in [json!({}), json!({ "notifications": 5 })] {
        let answer = modern(&fixture::server(), "subscriptions/listen", params);
        assert_eq!((answer.status.clone(), answer.code()), (Status::Invalid, -32602));
    }
}
