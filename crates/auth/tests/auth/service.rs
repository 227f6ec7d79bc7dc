//! Requests to the service: the status, the challenge, and what a reader sees.

use std::convert::Infallible;

use bytes::Bytes;
use grange_auth::{Jwt, auth, require_scope};
use grange_core::{Context, ReadError, Resource, Server};
use grange_http::{Authenticator, HttpService, Principal};
use http::request::Parts;
use http::{Request, StatusCode};
use http_body_util::{BodyExt, Full};
use serde_json::{Value, json};
use tower_service::Service;

use super::issuer::Issuer;
use super::signer::{ED, ISSUER, RESOURCE, accepting, good};

const METADATA: &str = "resource_metadata=\"https://mcp.example.com/.well-known/oauth-protected-resource/mcp\"";

async fn who(cx: Context) -> Result<String, ReadError> {
    let Some(claims) = auth(&cx) else { return Ok("an unknown caller".to_owned()) };
    let principal = cx.peer::<Parts>().and_then(|parts| parts.extensions.get::<Principal>());
    Ok(format!("{} {}", claims.subject(), principal.map_or("", Principal::name)))
}

async fn draft(cx: Context) -> Result<String, ReadError> {
    require_scope(&cx, "drafts:read docs:read")?;
    Ok("draft".to_owned())
}

fn server() -> Server {
    let who = Resource::builder().uri("docs://who").name("who").read(who).build();
    let draft = Resource::builder().uri("docs://draft").name("draft").read(draft).build();
    Server::builder("tests", "1.0.0").resources([who, draft]).build().unwrap()
}

pub(crate) fn service(authenticator: impl Authenticator) -> HttpService {
    HttpService::builder(server()).authenticator(authenticator).build().unwrap()
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) challenge: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        let body: Value = serde_json::from_str(&self.body).unwrap();
        body["result"]["contents"][0]["text"].as_str().unwrap_or_default().to_owned()
    }
}

/// Reads a resource, with these header lines.
pub(crate) async fn read(service: &HttpService, uri: &str, lines: &[(&str, &str)]) -> Answer {
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": { "uri": uri } });
    let mut request = Request::post("/").header("host", "localhost").header("content-type", "application/json");
    request = request.header("accept", "application/json, text/event-stream");
    for (name, value) in lines {
        request = request.header(*name, *value);
    }
    let request = request.body(Full::new(Bytes::from(call.to_string()))).unwrap();
    let answer: Result<_, Infallible> = service.clone().call(request).await;
    let (head, body) = answer.unwrap().into_parts();
    let challenge = head.headers.get("www-authenticate").map_or("", |value| value.to_str().unwrap()).to_owned();
    let body = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
    Answer { status: head.status, challenge, body }
}

#[tokio::test]
async fn a_reader_sees_the_verified_identity() {
    let service = service(accepting(&[&ED]).build().unwrap());
    for scheme in ["Bearer", "bearer", "BEARER"] {
        let line = format!("{scheme} {}", ED.token(&good()));
        let answer = read(&service, "docs://who", &[("authorization", &line)]).await;
        assert_eq!(
            (answer.status, answer.text()),
            (StatusCode::OK, format!("alice {ISSUER}|alice")),
            "{}",
            answer.body
        );
    }
    let open = HttpService::new(server());
    assert_eq!(read(&open, "docs://who", &[]).await.text(), "an unknown caller");
}

#[tokio::test]
async fn a_rejection_without_a_token_names_where_to_get_one() {
    let service = service(accepting(&[&ED]).require_scopes(["docs:read", "docs:list"]).build().unwrap());
    for lines in [&[][..], &[("authorization", "Basic YTpi")], &[("authorization", "Bearer")]] {
        let answer = read(&service, "docs://who", lines).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
        assert_eq!(answer.challenge, format!("Bearer {METADATA}, scope=\"docs:read docs:list\""));
    }
}

#[tokio::test]
async fn a_bad_token_is_named_and_not_repeated() {
    let service = service(accepting(&[&ED]).build().unwrap());
    let mut old = good();
    old["exp"] = json!(1);
    let old = ED.token(&old);
    let large = "a".repeat(16 * 1024 + 1);
    for (token, words) in [
        (old.as_str(), "the token has expired: get a new one"),
        ("junk", "the token is no JWT: expected three parts of base64url"),
        ("secret\u{e4}", "the token is no JWT: expected three parts of base64url"),
        (&large, "the token is too large"),
    ] {
        let answer = read(&service, "docs://who", &[("authorization", &format!("Bearer {token}"))]).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
        let expected = format!("Bearer {METADATA}, error=\"invalid_token\", error_description=\"{words}\"");
        assert_eq!(answer.challenge, expected);
        assert!(answer.body.contains(words) && !answer.body.contains(token), "{}", answer.body);
    }
}

#[tokio::test]
async fn two_credentials_are_a_bad_request_and_neither_is_taken() {
    let service = service(accepting(&[&ED]).build().unwrap());
    let line = format!("Bearer {}", ED.token(&good()));
    for other in [line.as_str(), "Basic YTpi", ""] {
        let answer = read(&service, "docs://who", &[("authorization", &line), ("authorization", other)]).await;
        assert_eq!((answer.status, answer.text().as_str()), (StatusCode::BAD_REQUEST, ""), "{}", answer.body);
        assert!(answer.challenge.contains("error=\"invalid_request\""), "{}", answer.challenge);
    }
}

#[tokio::test]
async fn a_token_with_too_few_scopes_is_forbidden_with_those_it_needs() {
    let line = format!("Bearer {}", ED.token(&good()));
    let strict = service(accepting(&[&ED]).require_scopes(["docs:read", "docs:write"]).build().unwrap());
    let answer = read(&strict, "docs://who", &[("authorization", &line)]).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    let expected = format!("Bearer {METADATA}, scope=\"docs:read docs:write\", error=\"insufficient_scope\"");
    assert!(answer.challenge.starts_with(&expected), "{}", answer.challenge);
    let plain = service(accepting(&[&ED]).build().unwrap());
    let answer = read(&plain, "docs://draft", &[("authorization", &line)]).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.body);
    let expected = format!("Bearer {METADATA}, scope=\"drafts:read docs:read\", error=\"insufficient_scope\"");
    assert!(answer.challenge.starts_with(&expected), "{}", answer.challenge);
    let implied = service(accepting(&[&ED]).implies("docs:read", "drafts:read").build().unwrap());
    assert_eq!(read(&implied, "docs://draft", &[("authorization", &line)]).await.text(), "draft");
}

#[tokio::test]
async fn without_keys_the_answer_is_503() {
    let issuer = Issuer::start().await;
    let tokens = Jwt::new(&issuer.url, RESOURCE).build().unwrap();
    let line = format!("Bearer {}", ED.token(&good()));
    let answer = read(&service(tokens), "docs://who", &[("authorization", &line)]).await;
    assert_eq!((answer.status, answer.challenge.as_str()), (StatusCode::SERVICE_UNAVAILABLE, ""));
    assert!(answer.body.contains("try again later") && !answer.body.contains(&issuer.url), "{}", answer.body);
}

#[tokio::test]
async fn a_token_in_the_url_is_not_seen() {
    let tokens = accepting(&[&ED]).build().unwrap();
    let (head, ()) = Request::get(format!("/?access_token={}", ED.token(&good()))).body(()).unwrap().into_parts();
    assert!(format!("{:?}", tokens.authenticate(&head).await.unwrap_err()).contains("a token is required"));
}

#[test]
fn the_metadata_names_resource_and_issuer_byte_for_byte() {
    let tokens = accepting(&[&ED]).require_scopes(["docs:read"]).build().unwrap();
    let metadata = tokens.metadata().unwrap();
    let paths = ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"];
    assert_eq!(metadata.paths, paths);
    let body: Value = serde_json::from_slice(&metadata.body).unwrap();
    let expected = json!({
        "resource": RESOURCE,
        "authorization_servers": [ISSUER],
        "scopes_supported": ["docs:read"],
        "bearer_methods_supported": ["header"],
    });
    assert_eq!(body, expected);
}
