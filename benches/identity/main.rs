//! The cost of authentication: a read through the service with a token whose key is available, the same read without
//! authentication, and the bare verification of the token's signature.
//!
//! ```sh
//! cargo bench -p grange-benches --bench identity
//! ```
//!
//! Runs in the process and without sockets: the result is a few microseconds, and the variation of the operating
//! system's share is larger. The last column is the time without the signature: finding and parsing the token, its
//! claims, the rules, the identity. The rows are measured in turn, and the minimum of each is reported.

mod token;

use std::convert::Infallible;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use bytes::Bytes;
use grange_auth::Jwt;
use grange_core::{Resource, Revision, Server};
use grange_http::HttpService;
use http::header::{AUTHORIZATION, HeaderValue};
use http::{HeaderMap, Request};
use http_body::Body;
use http_body_util::Full;
use tower_service::Service;

use crate::token::{ISSUER, RESOURCE, Signed};

const URI: &str = "docs://getting-started";
const TURNS: usize = 60;
/// The duration of one measurement, so short that most are not interrupted.
const ROUND: Duration = Duration::from_millis(4);

fn main() {
    println!("{:<8} {:>14} {:>12} {:>14} {:>18}", "", "signature µs", "without µs", "with token µs", "remainder µs");
    for signed in Signed::each() {
        let open = HttpService::new(server());
        let guarded = HttpService::builder(server()).authenticator(accepting(&signed)).build().expect("right settings");
        let mut least = [f64::INFINITY; 3];
        for _ in 0..TURNS {
            let costs = [
                microseconds(|| usize::from(signed.verifies())),
                microseconds(|| read(&open, &request(&signed))),
                microseconds(|| read(&guarded, &request(&signed))),
            ];
            for (least, cost) in least.iter_mut().zip(costs) {
                *least = least.min(cost);
            }
        }
        let [signature, without, with] = least;
        let besides = with - without - signature;
        println!("{:<8} {signature:>14.2} {without:>12.2} {with:>14.2} {besides:>18.2}", signed.name);
    }
}

/// The microseconds of one run, averaged over a round. Allocations are not counted, because counting would cost as much
/// as parts of the measured work.
fn microseconds(mut run: impl FnMut() -> usize) -> f64 {
    let (began, mut runs) = (Instant::now(), 0_u32);
    while began.elapsed() < ROUND {
        for _ in 0..16 {
            black_box(run());
        }
        runs += 16;
    }
    began.elapsed().as_secs_f64() * 1e6 / f64::from(runs)
}

fn server() -> Server {
    let resource = Resource::builder().uri(URI).name("getting-started").text("x".repeat(1024)).build();
    let server = Server::builder("bench", "1.0.0").resource(resource).build();
    server.expect("one right resource")
}

fn accepting(signed: &Signed) -> grange_auth::JwtAuthenticator {
    Jwt::new(ISSUER, RESOURCE).jwks(signed.keys.clone()).build().expect("right settings")
}

fn request(signed: &Signed) -> Request<Full<Bytes>> {
    let mut request = Request::new(Full::new(signed.body.clone()));
    *request.method_mut() = http::Method::POST;
    *request.headers_mut() = signed.headers.clone();
    request
}

/// The headers of a read in the newest revision, with the token.
fn headers(token: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let lines = [
        ("host", "127.0.0.1"),
        ("accept", "application/json, text/event-stream"),
        ("content-type", "application/json"),
        ("mcp-protocol-version", Revision::V2026_07_28.name()),
        ("mcp-method", "resources/read"),
        ("mcp-name", URI),
    ];
    for (name, value) in lines {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(AUTHORIZATION, format!("Bearer {token}").parse().expect("a token is ASCII"));
    headers
}

/// Runs one read, which completes in one poll; returns the length of its answer.
fn read(service: &HttpService, request: &Request<Full<Bytes>>) -> usize {
    let answering = pin!(service.clone().call(request.clone()));
    let Poll::Ready(answer) = answering.poll(&mut Context::from_waker(Waker::noop())) else { return 0 };
    let Ok(answer): Result<_, Infallible> = answer;
    assert_eq!(answer.status(), 200, "a rejection would be cheaper");
    let length = answer.body().size_hint().exact().unwrap_or_default();
    black_box(answer);
    usize::try_from(length).unwrap_or_default()
}
