//! Pages of other origins: the answer to a preflight, and what pages may read.

use grange_core::{Limits, Resource};
use grange_http::{AuthRejection, Authenticator, HttpService, HttpServiceBuilder, Identity, async_trait};
use http::Method;
use http::header::{HeaderName, HeaderValue};
use http::request::Parts;
use serde_json::json;

use super::drive::{Answer, NOTE, Post, note, server};
use super::identity::{Guarded, guarded_with};

const APP: &str = "https://app.example.com";

fn service() -> HttpService {
    service_with(|settings| settings)
}

fn service_with(set: impl FnOnce(HttpServiceBuilder) -> HttpServiceBuilder) -> HttpService {
    let broken =
        Resource::builder().uri("docs://broken").name("broken").read(|_| async { Err::<&str, _>("no".into()) });
    let settings = HttpService::builder(server([note(), broken.build()], Limits::default())).cors([APP]);
    set(settings).build().unwrap()
}

fn preflight(headers: &str) -> Post {
    let post = Post::of("").method(Method::OPTIONS).header("origin", APP).without("content-type");
    post.header("access-control-request-method", "POST").header("access-control-request-headers", headers)
}

fn header<'a>(answer: &'a Answer, name: &str) -> Vec<&'a str> {
    answer.headers.get_all(name).iter().map(|value| value.to_str().unwrap()).collect()
}

fn names<'a>(answer: &'a Answer, name: &str) -> Vec<&'a str> {
    header(answer, name).into_iter().flat_map(|line| line.split(", ")).collect()
}

#[tokio::test]
async fn w5_12_a_preflight_allows_only_the_headers_of_clients() {
    let answer = preflight("content-type,mcp-method").send(&service()).await;
    assert_eq!((answer.status, &answer.body[..]), (204, &b""[..]), "{answer:?}");
    assert_eq!(header(&answer, "access-control-allow-origin"), [APP]);
    assert_eq!(header(&answer, "access-control-allow-methods"), ["POST"]);
    let allowed = [
        "content-type",
        "authorization",
        "mcp-method",
        "mcp-name",
        "mcp-protocol-version",
        "mcp-session-id",
        "last-event-id",
    ];
    assert_eq!(names(&answer, "access-control-allow-headers"), allowed);
    assert!(names(&answer, "vary").contains(&"origin"), "{answer:?}");
    for none in ["access-control-allow-credentials", "content-type"] {
        assert!(header(&answer, none).is_empty(), "{answer:?}");
    }
    let sessions = preflight("").send(&service_with(HttpServiceBuilder::sessions)).await;
    assert_eq!(header(&sessions, "access-control-allow-methods"), ["GET, POST, DELETE"]);
}

#[tokio::test]
async fn w5_12_headers_of_mirrored_arguments_are_allowed_if_requested() {
    let answer = preflight("Mcp-Param-City, x-other, mcp-param-a b, mcp-param-\u{e9}")
        .line("access-control-request-headers", "mcp-param-day");
    let answer = answer.send(&service()).await;
    let allowed = names(&answer, "access-control-allow-headers");
    assert_eq!(allowed[7..], ["mcp-param-day"], "a line that is no text is passed over");
    let answer = preflight("Mcp-Param-City, x-other, mcp-param-a b").send(&service()).await;
    assert_eq!(names(&answer, "access-control-allow-headers")[7..], ["mcp-param-city"]);
}

#[tokio::test]
async fn w5_12_a_preflight_needs_no_authentication() {
    let Guarded { service, calls, .. } = guarded_with(|settings| settings.cors([APP]));
    let answer = preflight("authorization").send(&service).await;
    assert_eq!((answer.status, calls.count()), (204, 0));
}

/// Takes an API key from an unregistered header.
struct Keys;

#[async_trait]
impl Authenticator for Keys {
    async fn authenticate(&self, _: &Parts) -> Result<Identity, AuthRejection> {
        Err(AuthRejection::unauthorized(self.step_up(""), "send your key as `x-api-key: …`"))
    }

    fn step_up(&self, _: &str) -> HeaderValue {
        HeaderValue::from_static("ApiKey")
    }

    fn header(&self) -> HeaderName {
        HeaderName::from_static("x-api-key")
    }
}

#[tokio::test]
async fn w5_12_an_authenticators_own_header_is_allowed() {
    let answer =
        preflight("x-api-key,mcp-param-day").send(&service_with(|settings| settings.authenticator(Keys))).await;
    assert_eq!(names(&answer, "access-control-allow-headers")[7..], ["x-api-key", "mcp-param-day"]);
    let bearer = preflight("authorization").send(&guarded_with(|settings| settings.cors([APP])).service).await;
    assert_eq!(names(&bearer, "access-control-allow-headers").len(), 7, "{bearer:?}");
}

#[tokio::test]
async fn w5_12_the_page_can_read_every_response_errors_included() {
    let read = |uri: &str| Post::read_of(uri).header("origin", APP);
    let no_method = Post::modern("no/such", json!({})).header("origin", APP);
    let listen = Post::listen().header("origin", APP);
    for (post, status) in [
        (read(NOTE), 200),
        (read("docs://none"), 200),
        (read("docs://broken"), 200),
        (read(NOTE).header("mcp-method", "other"), 400),
        (no_method, 404),
        (read(NOTE).header("content-type", "text/plain"), 415),
        (read(NOTE).method(Method::PUT), 405),
    ] {
        let answer = post.send(&service()).await;
        assert_eq!(answer.status, status, "{answer:?}");
        assert_eq!(header(&answer, "access-control-allow-origin"), [APP], "{answer:?}");
        assert_eq!(header(&answer, "access-control-expose-headers"), ["mcp-session-id, www-authenticate"]);
        assert_eq!(header(&answer, "vary"), ["origin"]);
    }
    let stream = listen.open(&service()).await;
    assert_eq!(stream.headers()["access-control-allow-origin"], APP);
    let denied = Post::read().header("origin", APP).send(&guarded_with(|settings| settings.cors([APP])).service).await;
    assert_eq!((denied.status, header(&denied, "access-control-allow-origin")), (401, vec![APP]));
}

#[tokio::test]
async fn w5_12_other_origins_get_no_cors_headers() {
    for foreign in ["https://evil.example", "https://app.example.com.evil.example", "http://app.example.com", "null"] {
        for post in [preflight("").header("origin", foreign), Post::read().header("origin", foreign)] {
            let answer = post.send(&service()).await;
            assert_eq!(answer.status, 403, "{answer:?}");
            assert!(header(&answer, "access-control-allow-origin").is_empty(), "{answer:?}");
        }
    }
    let local = Post::read().header("origin", "http://localhost:3000").send(&service()).await;
    assert_eq!((local.status, header(&local, "access-control-allow-origin")), (200, vec![]), "it may ask, not read");
    let plain = Post::read().send(&service()).await;
    assert_eq!((plain.text(), header(&plain, "vary")), ("note".to_owned(), vec!["origin"]));
    let plain_options = preflight("").without("access-control-request-method").send(&service()).await;
    assert_eq!(plain_options.status, 405);
}

#[test]
fn w5_12_an_invalid_origin_is_an_error() {
    let builder = HttpService::builder(server([note()], Limits::default()));
    let message = builder.cors(["https://app.example.com/page"]).build().unwrap_err().to_string();
    assert!(message.ends_with("write it as in `https://app.example.com`, without a path"), "{message}");
}
