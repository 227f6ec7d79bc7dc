//! The headers that mirror the body, in a real header map.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::drive::{NOTE, Post, VERSION_KEY, modern, service};

async fn check(post: Post, status: u16, code: Option<i64>) {
    let answer = post.clone().send(&service()).await;
    let got = (answer.status, answer.json()["error"]["code"].as_i64());
    assert_eq!(got, (status, code), "{:?} {answer:?}", post.headers);
}

#[tokio::test]
async fn w5_1_header_and_body_are_compared_before_support_is_checked() {
    let unknown = Post::modern("server/discover", json!({}));
    let body = String::from_utf8(unknown.body.to_vec()).unwrap().replace(modern(), "v999");
    check(unknown.clone().body(body.clone()), 400, Some(-32020)).await;
    check(unknown.body(body).header("mcp-protocol-version", "v999"), 400, Some(-32022)).await;
    let bare = Post::legacy("server/discover", &json!({})).header("mcp-method", "server/discover");
    check(bare.clone().header("mcp-protocol-version", modern()), 400, Some(-32602)).await;
    let lacking = json!({ "jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": { "_meta": {} } });
    check(bare.body(lacking.to_string()).header("mcp-protocol-version", modern()), 400, Some(-32602)).await;
}

#[tokio::test]
async fn w5_2_mirrored_headers_must_be_present_once_and_equal() {
    check(Post::read(), 200, None).await;
    for name in ["mcp-protocol-version", "mcp-method", "mcp-name"] {
        let value = Post::read().headers[name].as_bytes().to_vec();
        check(Post::read().without(name), 400, Some(-32020)).await;
        check(Post::read().line(name, &value), 400, Some(-32020)).await;
        check(Post::read().header(name, "other"), 400, Some(-32020)).await;
        check(Post::read().header(name, [b" \t", &*value, b"\t "].concat()), 200, None).await;
    }
    check(Post::read().header("mcp-method", "Resources/Read"), 400, Some(-32020)).await;
    check(Post::modern("resources/list", json!({})).header("mcp-name", "whatever"), 200, None).await;
    let notification =
        json!({ "jsonrpc": "2.0", "method": "notifications/x", "params": { "_meta": { VERSION_KEY: modern() } } });
    assert_eq!(Post::of(notification.to_string()).send(&service()).await.status, 202);
}

#[tokio::test]
async fn w5_3_an_encoded_name_is_decoded_strictly_before_the_comparison() {
    let named = |value: &str| Post::read().header("mcp-name", value);
    let marked = |value: &[u8]| format!("=?base64?{}?=", STANDARD.encode(value));
    check(named(&marked(NOTE.as_bytes())), 200, None).await;
    check(named(&marked(b"docs://other")), 400, Some(-32020)).await;
    check(named(&marked(b"docs://\xff")), 400, Some(-32020)).await;
    check(named("=?base64?ZG9jczovL25vdGU?="), 400, Some(-32020)).await;
    check(named("=?BASE64?ZG9jczovL25vdGU=?="), 400, Some(-32020)).await;
    check(named("=?base64?ZG9jczovL25vdGU="), 400, Some(-32020)).await;
    let coffee = "docs://caf\u{e9}";
    check(
        Post::read_of("docs://x").body(Post::read_of(coffee).body).header("mcp-name", marked(coffee.as_bytes())),
        200,
        Some(-32602),
    )
    .await;
    check(Post::read_of(coffee), 400, Some(-32020)).await;
    check(named(NOTE).line("mcp-name", NOTE), 400, Some(-32020)).await;
}
