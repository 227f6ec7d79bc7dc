//! The requirements of NimbleBrain's host for a server, one test per statement: the recorded messages of its two
//! clients, sent over HTTP byte for byte.
//!
//! `host/` has the tests of the host's files.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::time::Duration;

use grange_core::{Contents, ReadError, Resource, Revision, Server, Tool};
use grange_http::HttpService;
use http::Method;
use serde_json::{Value, json};

use crate::http::drive::{self, Answer, Post};

/// The recorded request of the legacy client, with this version.
fn initialize(version: &str) -> String {
    format!(
        r#"{{"method":"initialize","params":{{"protocolVersion":"{version}","capabilities":{{"tasks":{{"requests":{{"tools":{{"call":{{}}}}}},"cancel":{{}}}},"extensions":{{"ai.nimblebrain/host-resources":{{"read":{{"enabled":true,"range":false,"maxSize":10485760}},"list":{{"enabled":true}},"write":{{"enabled":false}},"schemes":["files"]}}}}}},"clientInfo":{{"name":"nimblebrain","version":"0.1.0"}}}},"jsonrpc":"2.0","id":0}}"#
    )
}

const INITIALIZED: &str = r#"{"method":"notifications/initialized","jsonrpc":"2.0"}"#;

/// The recorded request of the modern client.
fn modern(id: &str, method: &str, params: &str) -> Post {
    let separator = if params.is_empty() { "" } else { "," };
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":"{id}","method":"{method}","params":{{{params}{separator}"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{{"name":"nimblebrain","version":"0.1.0"}},"io.modelcontextprotocol/clientCapabilities":{{"tasks":{{"requests":{{"tools":{{"call":{{}}}}}},"cancel":{{}}}},"extensions":{{"io.modelcontextprotocol/skills":{{}}}}}}}}}}}}"#
    );
    post(body).header("mcp-protocol-version", drive::modern()).header("mcp-method", method)
}

fn post(body: impl Into<bytes::Bytes>) -> Post {
    Post::of(body).header("user-agent", "node")
}

/// A server that reads the host's files.
fn service() -> HttpService {
    let empty = Resource::builder().uri("acme://empty").name("empty").read(|_cx| async { Ok(Contents::new()) });
    let gone = Resource::builder().uri("acme://gone").name("gone");
    let gone = gone.read(|_cx| async { Err::<String, _>(ReadError::not_found()) });
    let tool = Tool::builder()
        .name("status")
        .call_without_arguments(|cx| async move { Ok(format!("{:?}", grange_core::host(&cx).status())) });
    let entries = (0..300).map(|number| {
        Resource::builder().uri(format!("acme://page/{number}")).name(format!("page-{number}")).text("page").build()
    });
    let server = Server::builder("acme", "1.0.0\u{1b}").instructions("Read acme://page/0 first.").tool(tool);
    let server = server
        .resources([empty.build(), gone.build()])
        .resources(entries)
        .requests_to_client()
        .revisions(Revision::ALL);
    HttpService::new(server.build().unwrap())
}

/// A legacy client after the handshake.
struct Host {
    service: HttpService,
    session: String,
    version: String,
}

impl Host {
    async fn connected(version: &str) -> Self {
        let service = service();
        let answer = post(initialize(version)).send(&service).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let session = answer.headers["mcp-session-id"].to_str().unwrap().to_owned();
        let host = Self { service, session, version: version.to_owned() };
        assert_eq!(host.send(INITIALIZED).await.status, 202);
        host
    }

    fn headed(&self, post: Post) -> Post {
        post.header("mcp-session-id", &self.session).header("mcp-protocol-version", &self.version)
    }

    async fn send(&self, body: &str) -> Answer {
        self.headed(post(body.to_owned())).send(&self.service).await
    }
}

/// The only message of a response, as JSON or an event.
fn message(answer: &Answer) -> Value {
    if answer.is_json() { answer.json() } else { answer.events().remove(0) }
}

#[tokio::test(start_paused = true)]
async fn a1_2_a_probe_of_any_revision_never_gets_a_server_error() {
    let probe = || modern("server-discover-probe-1", "server/discover", "");
    assert_eq!(probe().send(&service()).await.status, 200);
    let legacy = Revision::ALL.into_iter().filter(|revision| revision.has_handshake());
    let only_legacy = HttpService::new(Server::builder("acme", "1").revisions(legacy).build().unwrap());
    let refused = probe().send(&only_legacy).await;
    assert_eq!((refused.status, refused.code()), (400, -32600));
    let accepted = post(initialize("2025-11-25")).send(&only_legacy).await;
    assert_eq!(accepted.json()["result"]["protocolVersion"], "2025-11-25");
    for method in ["unknown/method", "prompts/list", "tasks/list"] {
        assert!(modern("1", method, "").send(&service()).await.status < 500);
        let body = json!({ "method": method, "jsonrpc": "2.0", "id": 3 }).to_string();
        assert!(Host::connected("2025-11-25").await.send(&body).await.status < 500);
    }
}

#[tokio::test(start_paused = true)]
async fn a1_3_each_of_the_five_handshakes_gets_its_revision() {
    for version in ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"] {
        let answer = post(initialize(version)).send(&service()).await;
        assert_eq!(answer.json()["result"]["protocolVersion"], version);
    }
}

#[tokio::test(start_paused = true)]
async fn a1_6_there_are_no_redirects() {
    for uri in ["/", "/mcp", "/mcp/", "//"] {
        let answer = post(initialize("2025-11-25")).uri(uri).send(&service()).await;
        assert!(!(300..400).contains(&answer.status), "{uri}: {answer:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a2_1_zero_is_a_valid_id_and_jsonrpc_may_be_the_last_member() {
    let answer = post(initialize("2025-11-25")).send(&service()).await;
    assert_eq!(answer.json()["id"], 0);
    let host = Host::connected("2025-11-25").await;
    let answer = host.send(r#"{"method":"ping","id":"0","jsonrpc":"2.0"}"#).await;
    assert_eq!(message(&answer), json!({ "jsonrpc": "2.0", "id": "0", "result": {} }));
}

#[tokio::test(start_paused = true)]
async fn a2_2_any_capabilities_are_accepted() {
    for capabilities in
        ["{}", r#"{"tasks":{"list":{}},"extensions":{"io.modelcontextprotocol/skills":{}}}"#, r#"{"x":1}"#]
    {
        let body = format!(
            r#"{{"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{capabilities},"clientInfo":{{"name":"nimblebrain","version":"0.1.0"}}}},"jsonrpc":"2.0","id":0}}"#
        );
        assert_eq!(post(body).send(&service()).await.status, 200, "{capabilities}");
    }
}

#[tokio::test(start_paused = true)]
async fn a2_3_the_answer_is_json_or_a_stream_and_has_a_session_id() {
    let answer = post(initialize("2025-11-25")).send(&service()).await;
    assert!(answer.is_json() || answer.is_stream());
    let session = answer.headers["mcp-session-id"].as_bytes();
    assert!(session.len() >= 16 && session.iter().all(u8::is_ascii_graphic));
}

#[tokio::test(start_paused = true)]
async fn a2_4_initialized_is_answered_202_and_empty() {
    let host = Host::connected("2025-11-25").await;
    let answer = host.send(INITIALIZED).await;
    assert_eq!((answer.status, &answer.body[..]), (202, &b""[..]));
}

#[tokio::test(start_paused = true)]
async fn a2_5_a_get_is_a_stream_with_immediate_bytes_or_405() {
    let host = Host::connected("2025-11-25").await;
    let get = |service| {
        let get = host.headed(post("")).method(Method::GET).without("content-type");
        async move { get.header("accept", "text/event-stream").open(&service).await }
    };
    let mut stream = get(host.service.clone()).await;
    assert_eq!(stream.status(), 200);
    assert!(drive::next(stream.body_mut()).await.is_some());
    // A server that never sends a message on a `GET` stream.
    let plain = HttpService::new(Server::builder("acme", "1").build().unwrap());
    let refused = get(plain).await;
    assert_eq!(refused.status(), 405);
    assert_eq!(refused.headers()["allow"], "POST");
}

#[tokio::test(start_paused = true)]
async fn a2_6_missing_params_are_empty_params() {
    let host = Host::connected("2025-11-25").await;
    for method in ["tools/list", "resources/list"] {
        let without = host.send(&format!(r#"{{"method":"{method}","jsonrpc":"2.0","id":1}}"#)).await;
        let with = host.send(&format!(r#"{{"method":"{method}","params":{{}},"jsonrpc":"2.0","id":1}}"#)).await;
        assert!(message(&without)["result"].is_object());
        assert_eq!(message(&without), message(&with));
    }
}

#[tokio::test(start_paused = true)]
async fn a2_7_a_post_of_a_response_is_answered_202() {
    let host = Host::connected("2025-11-25").await;
    for stray in
        [r#"{"jsonrpc":"2.0","id":7,"result":{}}"#, r#"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m"}}"#]
    {
        assert_eq!(host.send(stray).await.status, 202);
    }
}

#[tokio::test(start_paused = true)]
async fn a2_8_a_host_that_never_ends_its_session_does_not_leak_it() {
    let host = Host::connected("2025-11-25").await;
    tokio::time::advance(Duration::from_secs(31 * 60)).await;
    assert_eq!(host.send(r#"{"method":"ping","jsonrpc":"2.0","id":1}"#).await.status, 404);
    let ended = Host::connected("2025-11-25").await;
    let delete = ended.headed(post("")).method(Method::DELETE).without("content-type").header("accept", "*/*");
    assert!([200, 204, 405].contains(&delete.send(&ended.service).await.status));
}

#[tokio::test(start_paused = true)]
async fn a2_9_a_lost_session_has_the_error_text_that_the_host_expects() {
    let mut host = Host::connected("2025-11-25").await;
    host.session = "0123456789abcdef0123456789abcdef".to_owned();
    let answer = host.send(r#"{"method":"tools/list","jsonrpc":"2.0","id":4}"#).await;
    assert_eq!(answer.status, 404);
    assert_eq!(
        answer.json(),
        json!({ "jsonrpc": "2.0", "id": 4, "error": { "code": -32600, "message": "Session not found" } })
    );
    let answer = host.send(INITIALIZED).await;
    assert_eq!((answer.status, answer.json().get("id")), (404, None));
}

#[tokio::test(start_paused = true)]
async fn a2_10_no_answer_has_the_code_of_a_lost_connection() {
    let host = Host::connected("2025-11-25").await;
    for body in [
        r#"{"method":"resources/read","params":{"uri":"acme://gone"},"jsonrpc":"2.0","id":1}"#,
        r#"{"method":"resources/read","params":{},"jsonrpc":"2.0","id":1}"#,
        r#"{"method":"tools/call","params":{"name":"none"},"jsonrpc":"2.0","id":1}"#,
        r#"{"method":"none","jsonrpc":"2.0","id":1}"#,
        r#"{"method":"none","jsonrpc":"2.0","id":null}"#,
        "{",
    ] {
        let code = message(&host.send(body).await)["error"]["code"].as_i64().expect("an error");
        assert!([-32700, -32600, -32601, -32602, -32603, -32002].contains(&code), "{body}: {code}");
    }
}

#[tokio::test(start_paused = true)]
async fn a3_1_a_read_mirrors_its_uri_and_skills_need_no_header() {
    let read = modern("1", "resources/read", r#""uri":"acme://page/0""#);
    assert_eq!(read.clone().header("mcp-name", "acme://page/0").send(&service()).await.status, 200);
    assert_eq!(read.header("mcp-name", "=?base64?YWNtZTovL3BhZ2UvMA==?=").send(&service()).await.status, 200);
    // The method does not exist, so its header is not required.
    for uri in [None, Some("skill://a/SKILL.md")] {
        let get = modern("2", "skills/get", r#""uri":"skill://a/SKILL.md""#);
        let get = uri.map_or(get.clone(), |uri| get.header("mcp-name", uri));
        let answer = get.send(&service()).await;
        assert_eq!((answer.status, answer.code()), (404, -32601));
    }
}

#[tokio::test(start_paused = true)]
async fn a3_2_the_modern_client_has_no_session_and_no_files() {
    let call = modern("1", "tools/call", r#""name":"status","arguments":{}"#).header("mcp-name", "status");
    let answer = call.send(&service()).await;
    assert_eq!(answer.headers.get("mcp-session-id"), None);
    assert_eq!(answer.json()["result"]["content"][0]["text"], "EraUnsupported");
}

#[tokio::test(start_paused = true)]
async fn a3_3_a_discovery_has_all_members() {
    let result =
        modern("server-discover-probe-1", "server/discover", "").send(&service()).await.json()["result"].take();
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(result["capabilities"], json!({ "resources": {}, "tools": {} }));
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(0), &json!("private")));
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "acme");
    assert_eq!(result["instructions"], "Read acme://page/0 first.");
}

#[tokio::test(start_paused = true)]
async fn a3_4_statuses_of_the_modern_errors_and_200_for_all_legacy_ones() {
    for (post, status, code) in [
        (modern("1", "resources/read", ""), 400, -32602),
        (modern("1", "none", ""), 404, -32601),
        (modern("1", "resources/list", "").header("mcp-method", "tools/list"), 400, -32020),
    ] {
        let answer = post.send(&service()).await;
        assert_eq!((answer.status, answer.code()), (status, code));
    }
    let host = Host::connected("2025-11-25").await;
    for body in [r#"{"method":"none","jsonrpc":"2.0","id":1}"#, r#"{"method":"resources/read","jsonrpc":"2.0","id":1}"#]
    {
        let answer = host.send(body).await;
        assert_eq!((answer.status, message(&answer)["error"].is_object()), (200, true));
    }
}

#[tokio::test(start_paused = true)]
async fn a4_1_fixed_contents_have_one_item_and_empty_contents_none() {
    let host = Host::connected("2025-11-25").await;
    let read = |uri: &str| json!({ "method": "resources/read", "params": { "uri": uri }, "jsonrpc": "2.0", "id": 1 });
    let fixed = message(&host.send(&read("acme://page/0").to_string()).await);
    assert_eq!(fixed["result"]["contents"], json!([{ "uri": "acme://page/0", "text": "page" }]));
    let empty = message(&host.send(&read("acme://empty").to_string()).await);
    assert_eq!(empty["result"]["contents"], json!([]));
}

#[tokio::test(start_paused = true)]
async fn a4_4_a_miss_has_the_code_of_its_era() {
    let read = r#""uri":"acme://none""#;
    let missed = modern("1", "resources/read", read).header("mcp-name", "acme://none").send(&service()).await;
    assert_eq!(missed.code(), -32602);
    let host = Host::connected("2025-11-25").await;
    let body = format!(r#"{{"method":"resources/read","params":{{{read}}},"jsonrpc":"2.0","id":1}}"#);
    let missed = message(&host.send(&body).await);
    assert_eq!(missed["error"]["code"], -32002);
    assert_eq!(missed["error"]["message"], "Resource not found");
}

#[tokio::test(start_paused = true)]
async fn a4_5_a_long_list_is_one_page() {
    let result = modern("1", "resources/list", "").send(&service()).await.json()["result"].take();
    assert_eq!(result["resources"].as_array().map(Vec::len), Some(302));
    assert_eq!(result.get("nextCursor"), None);
}

#[tokio::test(start_paused = true)]
async fn a4_9_instructions_come_with_either_opening() {
    let opened = post(initialize("2025-11-25")).send(&service()).await;
    assert_eq!(opened.json()["result"]["instructions"], "Read acme://page/0 first.");
}

#[tokio::test(start_paused = true)]
async fn a4_10_a_version_with_control_characters_arrives_as_json() {
    let opened = post(initialize("2025-11-25")).send(&service()).await;
    assert_eq!(opened.json()["result"]["serverInfo"]["version"], "1.0.0\u{1b}");
}

#[tokio::test(start_paused = true)]
async fn a8_1_a_server_without_skills_rejects_the_method_as_unknown() {
    let host = Host::connected("2025-11-25").await;
    let answer = host.send(r#"{"method":"skills/list","params":{},"jsonrpc":"2.0","id":3}"#).await;
    assert_eq!((answer.status, message(&answer)["error"]["code"].as_i64()), (200, Some(-32601)));
    let answer = modern("3", "skills/list", "").send(&service()).await;
    assert_eq!((answer.status, answer.code()), (404, -32601));
}
