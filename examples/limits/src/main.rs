//! A rate limit for each caller, by its principal: it counts requests, so that a batch of a hundred counts as a hundred.
//!
//! ```sh
//! KEY=0123456789abcdef0123456789abcdef cargo run -p example-limits
//! # http://127.0.0.1:8787/mcp, with `Authorization: Bearer $KEY`
//! ```
//!
//! A layer in front of the service would see HTTP requests, and a batch as one of them. The number of requests in flight is a limit of
//! Grange (`Limits`), of all callers together and for each.

use std::env;
use std::error::Error;
use std::num::NonZeroU32;

use axum::Router;
use governor::{Quota, RateLimiter};
use grange::auth::ApiKeys;
use grange::http::{HttpService, Principal};
use grange::{Server, resource};

/// The number of requests at once; one more is allowed each second.
const BURST: NonZeroU32 = NonZeroU32::new(20).unwrap();

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
    let guide = resource! { uri: "docs://guide", name: "guide", text: "# Guide\n" };
    let server = Server::builder("documentation", "1.0.0").resource(guide).build()?;
    // There are only as many principals as there are keys, so the memory for the counts is bounded.
    let rate = RateLimiter::keyed(Quota::per_second(NonZeroU32::MIN).allow_burst(BURST));
    let service = HttpService::builder(server)
        .authenticator(keys.build()?)
        .rate_limit(move |head| {
            let caller = head.extensions.get::<Principal>();
            caller.is_some_and(|principal| rate.check_key(principal).is_ok())
        })
        .build()?;
    Ok(Router::new().nest_service("/mcp", service))
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::extract::Request;
    use axum::http::{StatusCode, header};
    use http_body_util::BodyExt;
    use serde_json::{Value, json};
    use tower::ServiceExt;

    use super::*;

    const ALICE: &str = "0123456789abcdef0123456789abcdef";
    const BOB: &str = "fedcba9876543210fedcba9876543210";

    fn read(id: u32) -> Value {
        json!({ "jsonrpc": "2.0", "id": id, "method": "resources/read", "params": { "uri": "docs://guide" } })
    }

    async fn post(app: &Router, key: Option<&str>, message: &Value) -> (StatusCode, Value) {
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
        (head.status, serde_json::from_slice(&body).unwrap_or_default())
    }

    fn alice_and_bob() -> Router {
        app(ApiKeys::new().key(ALICE, "alice").key(BOB, "bob")).expect("an application")
    }

    #[tokio::test]
    async fn each_caller_has_a_rate_and_only_its_own() {
        let app = alice_and_bob();
        for id in 0..BURST.get() {
            let (status, answer) = post(&app, Some(ALICE), &read(id)).await;
            assert_eq!((status, &answer["result"]["contents"][0]["text"]), (StatusCode::OK, &json!("# Guide\n")));
        }
        // On a slow machine, one more may be allowed meanwhile: a few more requests are then rejected.
        let mut rejected = post(&app, Some(ALICE), &read(100)).await;
        for _ in 0..BURST.get() {
            if rejected.0 != StatusCode::OK {
                break;
            }
            rejected = post(&app, Some(ALICE), &read(100)).await;
        }
        let (status, answer) = rejected;
        assert_eq!((status, &answer["error"]["code"]), (StatusCode::SERVICE_UNAVAILABLE, &json!(503)), "{answer}");
        assert_eq!(post(&app, Some(BOB), &read(1)).await.0, StatusCode::OK, "it is not bob who asked too often");
        assert_eq!(post(&app, None, &read(1)).await.0, StatusCode::UNAUTHORIZED);
    }

    #[tokio::test]
    async fn a_batch_of_a_hundred_counts_as_a_hundred() {
        let app = alice_and_bob();
        let (status, answers) = post(&app, Some(ALICE), &(0..100).map(read).collect()).await;
        let answers = answers.as_array().expect("an array");
        let busy = answers.iter().filter(|answer| answer["error"]["code"] == 503).count();
        assert_eq!((status, answers.len()), (StatusCode::OK, 100));
        // As above, a few more may be allowed meanwhile.
        assert!((70..=80).contains(&busy), "{busy} of 100 were rejected");
        assert_eq!(post(&app, Some(BOB), &read(1)).await.0, StatusCode::OK);
    }
}
