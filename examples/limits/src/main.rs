//! A rate limit for each caller: a tower layer in front of the mounted service, by the caller's principal.
//!
//! ```sh
//! KEY=0123456789abcdef0123456789abcdef cargo run -p example-limits
//! # http://127.0.0.1:8787/mcp, with `Authorization: Bearer $KEY`
//! ```
//!
//! The application authenticates the caller, so that the layer can count by principal: it comes after authentication and before the
//! service. The number of requests in flight, of all callers together, is a limit of Grange (`Limits`).

use std::env;
use std::error::Error;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::IntoResponse;
use grange::auth::ApiKeys;
use grange::http::{Authenticator, HttpService, Principal};
use grange::{Server, resource};
use tower_governor::governor::GovernorConfigBuilder;
use tower_governor::key_extractor::KeyExtractor;
use tower_governor::{GovernorError, GovernorLayer};

/// The number of requests at once; one more is allowed each second.
const BURST: u32 = 20;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8787".to_owned());
    let listener = tokio::net::TcpListener::bind(address).await?;
    eprintln!("serving on http://{}/mcp", listener.local_addr()?);
    let keys = ApiKeys::new().key(env::var("KEY").map_err(|_| "set KEY to a key of 16 bytes or more")?, "me");
    axum::serve(listener, app(keys)?).await?;
    Ok(())
}

fn app(keys: ApiKeys) -> Result<Router, Box<dyn Error>> {
    let keys: Arc<dyn Authenticator> = Arc::new(keys.build()?);
    let guide = resource! { uri: "docs://guide", name: "guide", text: "# Guide\n" };
    let server = Server::builder("documentation", "1.0.0").resource(guide).build()?;
    let rate = GovernorConfigBuilder::default().per_second(1).burst_size(BURST).key_extractor(Caller).finish();
    let limited =
        GovernorLayer::new(rate.ok_or("a burst of more than nothing")?).error_handler(|error| refused(&error));
    // The layer that is added last runs first: the key, then the rate, then the service.
    Ok(Router::new()
        .nest_service("/mcp", HttpService::new(server))
        .layer(limited)
        .layer(from_fn_with_state(keys, authenticate)))
}

/// Authenticates a request, and adds the identity for what comes after: the rate limit, and the service, whose sessions belong to the
/// same principal.
async fn authenticate(State(keys): State<Arc<dyn Authenticator>>, request: Request, next: Next) -> Response<Body> {
    let (mut head, body) = request.into_parts();
    match keys.authenticate(&head).await {
        Ok(identity) => identity.insert_into(&mut head),
        Err(denied) => return denied.into_response().map(Body::new),
    }
    next.run(Request::from_parts(head, body)).await
}

/// Counts by principal. There are only as many as there are keys, so the memory for the counts is bounded.
#[derive(Clone)]
struct Caller;

impl KeyExtractor for Caller {
    type Key = Principal;

    fn extract<T>(&self, request: &axum::http::Request<T>) -> Result<Principal, GovernorError> {
        request.extensions().get().cloned().ok_or(GovernorError::UnableToExtractKey)
    }
}

/// A rejection that MCP clients understand: a JSON-RPC error, without an id since the body was not read, and the time to wait.
fn refused(error: &GovernorError) -> Response<Body> {
    const MESSAGE: &str =
        r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"too many requests: wait before the next"}}"#;
    let &GovernorError::TooManyRequests { wait_time, .. } = error else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let json = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    // The time left is rounded down: a second more is never too early.
    (StatusCode::TOO_MANY_REQUESTS, [json, (header::RETRY_AFTER, (wait_time + 1).into())], MESSAGE).into_response()
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;
    use serde_json::{Value, json};
    use tower::ServiceExt;

    use super::*;

    const ALICE: &str = "0123456789abcdef0123456789abcdef";
    const BOB: &str = "fedcba9876543210fedcba9876543210";

    async fn read(app: &Router, key: Option<&str>) -> (StatusCode, Option<HeaderValue>, Value) {
        let message =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": { "uri": "docs://guide" } });
        let mut request = Request::post("/mcp")
            .header(header::HOST, "localhost")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json");
        if let Some(key) = key {
            request = request.header(header::AUTHORIZATION, format!("Bearer {key}"));
        }
        let request = request.body(Body::from(message.to_string())).expect("a request");
        let answer = app.clone().oneshot(request).await.expect("never an error");
        let (head, body) = answer.into_parts();
        let body = body.collect().await.expect("a body").to_bytes();
        let body = serde_json::from_slice(&body).unwrap_or_default();
        (head.status, head.headers.get(header::RETRY_AFTER).cloned(), body)
    }

    #[tokio::test]
    async fn each_caller_has_a_rate_and_only_its_own() {
        let app = app(ApiKeys::new().key(ALICE, "alice").key(BOB, "bob")).expect("an application");
        for _ in 0..BURST {
            let (status, _, answer) = read(&app, Some(ALICE)).await;
            assert_eq!((status, &answer["result"]["contents"][0]["text"]), (StatusCode::OK, &json!("# Guide\n")));
        }
        // On a slow machine, one more may be allowed meanwhile: a few more requests are then rejected.
        let mut refused = read(&app, Some(ALICE)).await;
        for _ in 0..BURST {
            if refused.0 != StatusCode::OK {
                break;
            }
            refused = read(&app, Some(ALICE)).await;
        }
        let (status, again, answer) = refused;
        assert_eq!((status, &answer["error"]["code"]), (StatusCode::TOO_MANY_REQUESTS, &json!(-32600)), "{answer}");
        assert!(again.is_some_and(|seconds| seconds == "1" || seconds == "2"));
        assert_eq!(read(&app, Some(BOB)).await.0, StatusCode::OK, "it is not bob who asked too often");
        assert_eq!(read(&app, None).await.0, StatusCode::UNAUTHORIZED);
    }
}
