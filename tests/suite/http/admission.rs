//! The checks of a request and their order: rows 1 to 15 of the list.

use std::time::Duration;

use grange_core::{Error, Limits, Revision};
use grange_http::{HttpConfig, HttpService, HttpServiceBuilder, http};
use http::{Method, Version};
use serde_json::{Value, json};

use super::drive::{Answer, CAPABILITIES_KEY, NOTE, Post, VERSION_KEY, modern, note, server, service, service_with};

/// A request that fails every row, corrected row by row: the answer is always that of the first row that still fails.
#[tokio::test]
async fn w5_4_the_first_failed_check_decides_the_answer() {
    let service = HttpService::new(server([note()], Limits { message_bytes: 1024, ..Limits::default() }));
    let meta = |version: &str| json!({ VERSION_KEY: version, CAPABILITIES_KEY: {} });
    let body = |method: &str, meta: Value, uri: Value| {
        json!({ "jsonrpc": "2.0", "id": "x", "method": method, "params": { "_meta": meta, "uri": uri } }).to_string()
    };
    let post = Post::of(vec![b'{'; 1025]).header("host", "one.example").line("host", "two.example");
    let post = post.header("origin", "https://evil.example").header("content-type", "text/plain");
    let mut post = post.header("accept", "text/html").header("mcp-protocol-version", modern()).method(Method::PUT);
    let mut expect = async |mend: &dyn Fn(Post) -> Post, status: u16, code: i64, id: Value| {
        post = mend(post.clone());
        let answer = post.clone().send(&service).await;
        assert_eq!((answer.status, answer.code(), answer.json()["id"].clone()), (status, code, id), "{answer:?}");
    };
    expect(&|post| post, 400, -32600, Value::Null).await;
    expect(&|post| post.header("host", "one.example"), 403, -32600, Value::Null).await;
    expect(&|post| post.header("host", "localhost"), 403, -32600, Value::Null).await;
    expect(&|post| post.without("origin"), 405, -32600, Value::Null).await;
    expect(&|post| post.method(Method::POST), 415, -32600, Value::Null).await;
    expect(&|post| post.header("content-type", "application/json"), 406, -32600, Value::Null).await;
    expect(&|post| post.header("accept", "application/json"), 413, -32600, Value::Null).await;
    expect(&|post| post.body("{"), 400, -32700, Value::Null).await;
    expect(&|post| post.body(body("no/such", meta("v999"), json!(5))), 400, -32020, json!("x")).await;
    let mended = |post: Post| post.header("mcp-method", "no/such").header("mcp-protocol-version", "v999");
    let incomplete = body("no/such", json!({ VERSION_KEY: "v999" }), json!(5));
    expect(&|post| mended(post).body(incomplete.clone()), 400, -32602, json!("x")).await;
    expect(&|post| post.body(body("no/such", meta("v999"), json!(5))), 400, -32022, json!("x")).await;
    let served = |post: Post, method| post.header("mcp-protocol-version", modern()).header("mcp-method", method);
    expect(&|post| served(post, "no/such").body(body("no/such", meta(modern()), json!(5))), 404, -32601, json!("x"))
        .await;
    let read = |uri| body("resources/read", meta(modern()), uri);
    expect(&|post| served(post, "resources/read").body(read(json!(5))), 400, -32602, json!("x")).await;
    expect(&|post| post.header("mcp-name", "docs://none").body(read(json!("docs://none"))), 200, -32602, json!("x"))
        .await;
    let answer = post.header("mcp-name", NOTE).body(read(json!(NOTE))).send(&service).await;
    assert_eq!((answer.status, answer.text()), (200, "note".to_owned()));
}

#[tokio::test]
async fn w5_4_a_rejection_names_the_setting_or_the_remedy() {
    let check = async |post: Post, status: u16, remedy: &str| {
        let answer = post.send(&service()).await;
        assert_eq!(answer.status, status, "{answer:?}");
        assert!(answer.json().get("id").is_none(), "{answer:?}");
        assert!(answer.message().contains(remedy), "{answer:?}");
    };
    let host = |value: &str| Post::read().header("host", value);
    check(host("mcp.example.com"), 403, ".public_hosts([\"mcp.example.com\"])").await;
    check(host("mcp.example.com"), 403, ".behind_proxy()").await;
    check(Post::read().without("host"), 400, "exactly one host").await;
    check(Post::read().header("host", ""), 400, "exactly one host").await;
    let origin = |value: &str| Post::read().header("origin", value);
    check(origin("https://app.example.com"), 403, ".allow_origins([\"https://app.example.com\"])").await;
    check(origin("null"), 403, ".allow_origins(").await;
    check(Post::read().method(Method::GET), 405, "POST").await;
    check(Post::read().header("content-type", "text/plain"), 415, "application/json").await;
    check(Post::read().header("content-encoding", "gzip"), 415, "Content-Encoding").await;
    check(Post::read().header("accept", "text/html"), 406, "text/event-stream").await;
    let long = Post::read().body(vec![b' '; 4 * 1024 * 1024 + 1]);
    check(long, 413, "4194304 bytes").await;
    check(Post::listen().header("accept", "application/json"), 406, "text/event-stream").await;
}

#[tokio::test]
async fn w5_4_a_body_must_be_unencoded_json() {
    let check = async |served: bool, post: Post| {
        let answer = post.clone().send(&service()).await;
        assert_eq!(answer.status, if served { 200 } else { 415 }, "{:?}", post.headers);
    };
    let typed = |value: &str| Post::read().header("content-type", value);
    for value in [
        "application/json",
        "application/json; charset=utf-8",
        "application/json;charset=\"utf-8\"",
        "Application/JSON ; v=1",
        "application/json;",
    ] {
        check(true, typed(value)).await;
    }
    for value in ["", "json", "text/plain", "application/jsonp", "application/json-patch+json", "application/*"] {
        check(false, typed(value)).await;
    }
    for value in ["application/json, text/plain", "application/json text/plain", "application/x-www-form-urlencoded"] {
        check(false, typed(value)).await;
    }
    check(false, Post::read().without("content-type")).await;
    check(false, Post::read().line("content-type", "application/json")).await;
}

#[tokio::test]
async fn w5_4_identity_is_the_only_accepted_coding() {
    let encoded = |value: &str| Post::read().header("content-encoding", value);
    // An empty list element names no coding, as an absent header does.
    for value in ["identity", "Identity", "IDENTITY", " identity\t", "identity,", ", ,identity", "", " , "] {
        let answer = encoded(value).send(&service()).await;
        assert_eq!((answer.status, answer.text()), (200, "note".to_owned()), "{value:?}");
    }
    let wrong = ["br", "gzip", "x-gzip", "identity, gzip", "gzip, identity", "identity, identity", "identity;q=1"];
    let odd = ["identity gzip", "\"identity\"", "*", "none", "aws-chunked"];
    let lines = ["identity", "gzip", ""].map(|second| encoded("identity").line("content-encoding", second));
    for post in wrong.into_iter().chain(odd).map(encoded).chain(lines) {
        let answer = post.clone().send(&service()).await;
        let accepted = answer.headers.get("accept-encoding").map(|value| value.to_str().unwrap());
        assert_eq!((answer.status, accepted), (415, Some("identity")), "{:?}", post.headers);
        assert!(answer.message().contains("Content-Encoding"), "{answer:?}");
    }
    // If the type is the reason, no other coding would help.
    let typed = encoded("identity").header("content-type", "text/plain").send(&service()).await;
    assert_eq!((typed.status, typed.headers.get("accept-encoding")), (415, None));
}

#[tokio::test]
async fn w5_11_by_default_only_local_hosts_and_origins_are_accepted() {
    let check = async |status: u16, post: Post| {
        let answer = post.clone().send(&service()).await;
        assert_eq!(answer.status, status, "{:?}", post.headers);
    };
    for here in ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:65535", "127.9.8.7:80", "[::1]", "[::1]:8787"] {
        check(200, Post::read().header("host", here)).await;
        for scheme in ["http", "https"] {
            check(200, Post::read().header("origin", format!("{scheme}://{here}"))).await;
        }
        for other in ["ftp", "null", "chrome-extension"] {
            check(403, Post::read().header("origin", format!("{other}://{here}"))).await;
        }
    }
    let foreign =
        ["evil.example", "localhost.evil.example", "evil.example:8787", "127.0.0.1.evil.example", "128.0.0.1"];
    let odd =
        ["0.0.0.0", "localhost.", "127.1", "[::2]", "[::1", "::1", "localhost:", "localhost:x", "localhost:99999"];
    let tricks =
        ["localhost@evil.example", "evil.example@localhost", "localhost:80:80", "localhost/", "localhost, localhost"];
    for there in foreign.into_iter().chain(odd).chain(tricks) {
        check(403, Post::read().header("origin", format!("http://{there}"))).await;
        if there != "localhost:" {
            check(403, Post::read().header("host", there)).await;
        }
    }
    for origin in
        ["", "null", "localhost", "http:/localhost", "http://", "http://localhost/x", "http://localhost http://x"]
    {
        check(403, Post::read().header("origin", origin)).await;
    }
    check(403, Post::read().header("origin", "http://localhost").line("origin", "http://localhost")).await;
    check(403, Post::read().header("origin", b"http://localhost\xff")).await;
    check(400, Post::read().line("host", "localhost:8787")).await;
}

#[tokio::test]
async fn w5_11_the_authority_of_the_target_is_checked_as_the_host() {
    let check = async |status: u16, post: Post| assert_eq!(post.send(&service()).await.status, status);
    let aimed = |target, host: &str| Post::read().uri(target).header("host", host);
    // HTTP/1.1: the authority of the target is used, for any `Host`, which must be present once.
    for host in ["localhost", "evil.example", "", "127.0.0.1:1"] {
        check(200, aimed("http://LOCALHOST:8787/mcp", host)).await;
        check(200, aimed("http://[::1]/", host)).await;
        for foreign in ["http://evil.example/", "https://localhost.evil.example/", "http://evil.example:8787/mcp"] {
            check(403, aimed(foreign, host)).await;
        }
        for user in
            ["http://localhost@evil.example/", "http://evil.example@localhost/", "http://localhost:80@evil.example"]
        {
            check(403, aimed(user, host)).await;
        }
    }
    check(400, aimed("http://localhost/", "localhost").line("host", "localhost")).await;
    check(400, aimed("http://localhost/", "localhost").header("host", b"localhost\xff")).await;
    check(400, Post::read().without("host").uri("http://localhost/")).await;
    // HTTP/1.0 requires no `Host`; in HTTP/2 it must equal the authority.
    let bare = |version| Post::read().without("host").version(version);
    for version in [Version::HTTP_10, Version::HTTP_2, Version::HTTP_3] {
        check(200, bare(version).uri("http://localhost:8787/mcp")).await;
        check(403, bare(version).uri("http://evil.example/mcp")).await;
        check(400, bare(version)).await;
    }
    for version in [Version::HTTP_2, Version::HTTP_3] {
        check(200, aimed("http://LOCALHOST/", "localhost").version(version)).await;
        check(400, aimed("http://localhost/", "evil.example").version(version)).await;
        check(400, aimed("http://evil.example/", "localhost").version(version)).await;
        check(400, aimed("http://localhost/", "").version(version)).await;
    }
}

#[tokio::test]
async fn w5_11_an_absolute_target_is_checked_as_the_host() {
    let named = service_with(|settings| settings.public_hosts(["mcp.example.com"]));
    let aimed = |target| Post::read().uri(target).header("host", "localhost");
    assert_eq!(aimed("https://MCP.example.com/mcp").send(&named).await.status, 200);
    for foreign in ["https://mcp.example.com:8443/", "https://x.mcp.example.com/", "http://localhost/"] {
        assert_eq!(aimed(foreign).send(&named).await.status, 403, "{foreign}");
    }
    // An absolute target does not vouch for the origin of a page.
    let page = aimed("https://mcp.example.com/").header("origin", "https://mcp.example.com");
    assert_eq!(page.send(&named).await.status, 403);
}

#[tokio::test]
async fn w5_11_a_foreign_origin_is_rejected_on_every_method() {
    for method in [Method::POST, Method::GET, Method::DELETE, Method::OPTIONS, Method::HEAD] {
        let post = Post::read().method(method.clone());
        assert_eq!(
            post.clone().header("origin", "https://evil.example").send(&service()).await.status,
            403,
            "{method}"
        );
        let status = post.send(&service()).await.status;
        assert_eq!(status, if method == Method::POST { 200 } else { 405 }, "{method}");
    }
}

#[tokio::test]
async fn w5_11_configured_hosts_and_origins_match_exactly() {
    let service = service_with(|settings| {
        let settings = settings.public_hosts(["mcp.example.com", "mcp.example.com:8443"]);
        settings.allow_origins(["https://app.example.com", "vscode-webview://panel"])
    });
    let check = async |status: u16, host: &str, origin: Option<&str>| {
        let post = Post::read().header("host", host);
        let post = origin.map_or(post.clone(), |origin| post.header("origin", origin));
        assert_eq!(post.send(&service).await.status, status, "{host} {origin:?}");
    };
    check(200, "mcp.example.com", None).await;
    check(200, "MCP.example.com:8443", None).await;
    for host in
        ["mcp.example.com:443", "example.com", "x.mcp.example.com", "mcp.example.com.", "localhost", "127.0.0.1"]
    {
        check(403, host, None).await;
    }
    check(200, "mcp.example.com", Some("https://app.example.com")).await;
    check(200, "mcp.example.com", Some("vscode-webview://panel")).await;
    let near = ["http://app.example.com", "https://app.example.com:8443", "https://app.example.com/", "null"];
    for origin in near.into_iter().chain(["https://mcp.example.com", "https://x.app.example.com", "http://localhost"]) {
        check(403, "mcp.example.com", Some(origin)).await;
    }
}

#[tokio::test]
async fn w5_11_behind_proxy_disables_the_host_check_and_not_the_origin_check() {
    let service = service_with(HttpServiceBuilder::behind_proxy);
    assert_eq!(Post::read().header("host", "mcp.example.com").send(&service).await.status, 200);
    assert_eq!(Post::read().without("host").send(&service).await.status, 400);
    let foreign = Post::read().header("host", "mcp.example.com").header("origin", "https://mcp.example.com");
    assert_eq!(foreign.send(&service).await.status, 403);
}

#[tokio::test]
async fn w5_11_an_open_address_needs_a_host_policy() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let error = http(address).bind().await.unwrap_err();
        assert!(matches!(error, Error::Config(_)), "{error}");
        for remedy in [".public_hosts(", ".behind_proxy()", "127.0.0.1"] {
            assert!(error.to_string().contains(remedy), "{error}");
        }
    }
    assert!(http("0.0.0.0:0").behind_proxy().bind().await.is_ok());
    assert!(http("0.0.0.0:0").public_hosts(["mcp.example.com"]).bind().await.is_ok());
    assert!(http("localhost:0").bind().await.is_ok());
}

/// Settings that both have, with five errors.
fn mistaken<T>(settings: HttpConfig<T>) -> HttpConfig<T> {
    let settings = settings.public_hosts(["https://mcp.example.com", "mcp.example.com"]).trusted_proxies(["nginx"]);
    settings.allow_origins(["https://a.example/", "https://a.example:443"]).cors(["*"])
}

#[tokio::test]
async fn all_errors_in_the_settings_are_reported_at_once() {
    let mounted = mistaken(HttpService::builder(server([note()], Limits::default()))).build().unwrap_err();
    let served = mistaken(http("nowhere").path("mcp")).bind().await.unwrap_err();
    for (error, count) in [(mounted, 5), (served, 7)] {
        assert!(matches!(error, Error::Config(_)), "{error}");
        let text = error.to_string();
        let parts = ["`https://mcp.example.com` is no host", "`nginx`", "`https://a.example/`", "leave out", "`*`"];
        for part in parts.iter().chain(if count == 7 { &["`/mcp`", "`nowhere`"][..] } else { &[] }) {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(text.lines().count(), count, "{text}");
    }
}

#[tokio::test]
async fn w5_14_a_setting_of_0_that_rejects_every_request_is_an_error() {
    let never = Duration::ZERO;
    let transport = http("127.0.0.1:0").max_connections(0).idle_timeout(never).write_timeout(never);
    let error = transport.read_timeout(never).keep_alive(never).bind().await.unwrap_err();
    let text = error.to_string();
    for setting in ["max_connections", "idle_timeout", "write_timeout", "read_timeout", "keep_alive"] {
        assert!(text.contains(&format!("`.{setting}(…)` is 0")), "{setting}: {text}");
    }
    assert_eq!((matches!(error, Error::Config(_)), text.lines().count()), (true, 5), "{text}");
    // The shortest duration, and one longer than the clock's range.
    let (least, most) = (Duration::from_nanos(1), Duration::MAX);
    for time in [least, most] {
        let transport = http("127.0.0.1:0").max_connections(1).idle_timeout(time).write_timeout(time);
        assert!(transport.read_timeout(time).keep_alive(time).bind().await.is_ok(), "{time:?}");
    }
}

#[test]
fn w5_14_a_setting_of_0_of_a_mounted_service_is_an_error() {
    let settings = HttpService::builder(server([note()], Limits::default())).keep_alive(Duration::ZERO);
    let text = settings.read_timeout(Duration::ZERO).build().unwrap_err().to_string();
    for setting in ["keep_alive", "read_timeout"] {
        assert!(text.contains(&format!("`.{setting}(…)` is 0")), "{setting}: {text}");
    }
    // The last value applies.
    let settings = HttpService::builder(server([note()], Limits::default())).keep_alive(Duration::ZERO);
    assert!(settings.keep_alive(Duration::from_secs(1)).build().is_ok());
}

#[test]
fn w5_14_a_limit_of_0_that_rejects_every_request_is_an_error() {
    let built = |limits| grange_core::Server::builder("tests", "1.0.0").limits(limits).build();
    let limits = Limits { requests_in_flight: 0, message_bytes: 0, sessions: 0, ..Limits::default() };
    let text = built(limits).unwrap_err().to_string();
    for limit in ["requests_in_flight", "message_bytes", "sessions"] {
        assert!(text.contains(&format!("`Limits::{limit}` is 0")), "{limit}: {text}");
    }
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(built(Limits { streams: 0, shutdown_grace: Duration::ZERO, ..Limits::default() }).is_ok(), "a choice");
}

/// The version header, or its absence, determines the era.
#[tokio::test]
async fn w4_1_a_modern_version_header_marks_a_request() {
    let list = || Post::legacy("resources/list", &json!({}));
    let check = async |post: Post, status: u16, code: Option<i64>| -> Answer {
        let answer = post.send(&service()).await;
        assert_eq!((answer.status, answer.json()["error"]["code"].as_i64()), (status, code), "{answer:?}");
        answer
    };
    let marked = list().header("mcp-method", "resources/list");
    check(marked.clone().header("mcp-protocol-version", modern()), 400, Some(-32602)).await;
    check(marked.header("mcp-protocol-version", "2099-01-01"), 400, Some(-32022)).await;
    let initialize = Post::legacy("initialize", &json!({ "protocolVersion": Revision::V2025_06_18.name() }));
    let answer = check(initialize, 200, None).await;
    assert_eq!(answer.json()["result"]["protocolVersion"], Revision::V2025_06_18.name());
    check(list(), 200, None).await;
    check(list().header("mcp-protocol-version", Revision::V2025_11_25.name()), 200, None).await;
}

#[tokio::test]
async fn w4_3_a_legacy_revision_that_is_not_served_is_rejected_by_its_header() {
    let builder = grange_core::Server::builder("tests", "1.0.0").resource(note());
    let service: HttpService =
        HttpService::new(builder.revisions([Revision::V2025_11_25, Revision::V2026_07_28]).build().unwrap());
    let post = Post::legacy("resources/list", &json!({})).header("mcp-protocol-version", Revision::V2025_06_18.name());
    let answer = post.send(&service).await;
    assert_eq!((answer.status, answer.code()), (400, -32022));
}
