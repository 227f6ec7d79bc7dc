//! Authentication: when it runs, its results, and who gets the identity.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use grange_core::{Limits, ReadError, Resource, Revision};
use grange_http::{
    AuthRejection, Authenticator, HttpService, HttpServiceBuilder, Identity, ResourceMetadata, async_trait,
};
use http::header::HeaderValue;
use http::request::Parts;
use http::{Method, Request};
use http_body_util::{BodyExt, Full};
use serde_json::json;
use tower_service::Service;

use super::drive::{Answer, NOTE, Post, Silent, answered, note, running, server};
use super::sockets::{Serving, soon};

const DOCUMENT: &str = r#"{"resource":"https://mcp.example.com/mcp"}"#;
const PATH: &str = "/.well-known/oauth-protected-resource/mcp";

/// How often the authenticator was called.
#[derive(Clone, Default)]
pub(super) struct Counter(Arc<AtomicUsize>);

impl Counter {
    pub(super) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// The identity that readers get.
#[derive(Clone)]
struct Subject(String);

/// Accepts `Bearer NAME`, denies `Bearer forbidden`, `twice` and `later` in different ways, and never returns for
/// `Bearer never`.
struct Names(Counter);

#[async_trait]
impl Authenticator for Names {
    async fn authenticate(&self, head: &Parts) -> Result<Identity, AuthRejection> {
        self.0.0.fetch_add(1, Ordering::SeqCst);
        let token = head.headers.get("authorization").and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        match token {
            None => Err(AuthRejection::unauthorized(HeaderValue::from_static("Bearer"), "a token is needed")),
            Some("forbidden") => {
                Err(AuthRejection::forbidden(HeaderValue::from_static("Bearer error=\"x\""), "not enough"))
            }
            Some("twice") => {
                Err(AuthRejection::bad_request(HeaderValue::from_static("Bearer error=\"y\""), "only one"))
            }
            Some("later") => Err(AuthRejection::unavailable("ask later")),
            Some("never") => std::future::pending().await,
            Some(name) => Ok(Identity::new(name).with(Subject(name.to_owned()))),
        }
    }

    fn step_up(&self, scopes: &str) -> HeaderValue {
        HeaderValue::try_from(format!("Bearer error=\"insufficient_scope\", scope=\"{scopes}\"")).unwrap()
    }

    fn metadata(&self) -> Option<ResourceMetadata> {
        Some(ResourceMetadata { paths: vec![PATH.to_owned()], body: Bytes::from_static(DOCUMENT.as_bytes()) })
    }
}

/// A service behind [`Names`].
pub(super) struct Guarded {
    pub(super) service: HttpService,
    pub(super) calls: Counter,
    /// How often a reader ran.
    runs: Counter,
}

pub(super) fn guarded() -> Guarded {
    guarded_with(|settings| settings)
}

/// The same with more settings.
pub(super) fn guarded_with(set: impl FnOnce(HttpServiceBuilder) -> HttpServiceBuilder) -> Guarded {
    let (calls, runs) = (Counter::default(), Counter::default());
    let ran = runs.clone();
    let whoami = Resource::builder().uri("docs://whoami").name("whoami").read(move |cx| {
        ran.0.fetch_add(1, Ordering::SeqCst);
        async move {
            let subject = cx.peer::<Parts>().and_then(|head| head.extensions.get::<Subject>());
            Ok(subject.map_or("an unknown caller".to_owned(), |subject| subject.0.clone()))
        }
    });
    let secret = running(|_| async { Err(ReadError::missing_scopes("files:read files:list")) });
    let server = server([note(), whoami.build(), secret], Limits::default());
    let service = set(HttpService::builder(server).authenticator(Names(calls.clone()))).build().unwrap();
    Guarded { service, calls, runs }
}

fn with_sessions() -> Guarded {
    guarded_with(HttpServiceBuilder::sessions)
}

fn as_(name: &str, post: Post) -> Post {
    post.header("authorization", format!("Bearer {name}"))
}

fn challenge(answer: &Answer) -> &str {
    answer.headers.get("www-authenticate").map_or("", |value| value.to_str().unwrap())
}

#[tokio::test]
async fn w5_4_authentication_is_the_third_check() {
    let Guarded { service, calls, runs } = guarded();
    let whoami = || Post::read_of("docs://whoami");
    for (post, status) in [
        (whoami().header("host", "evil.example"), 403),
        (whoami().header("origin", "https://evil.example"), 403),
        (whoami().method(Method::PUT).header("host", "evil.example"), 403),
    ] {
        assert_eq!(post.send(&service).await.status, status);
        assert_eq!(calls.count(), 0, "called before the checks of host and origin");
    }
    // Later checks do not reveal their result to a caller without authentication.
    for post in
        [whoami(), whoami().header("content-type", "text/plain"), whoami().header("accept", "text/html"), Post::of("{")]
    {
        let answer = post.send(&service).await;
        assert_eq!(
            (answer.status, challenge(&answer), answer.message()),
            (401, "Bearer", "a token is needed".to_owned())
        );
    }
    assert_eq!((calls.count(), runs.count()), (4, 0));
    assert_eq!(as_("alice", whoami()).send(&service).await.text(), "alice");
    assert_eq!((calls.count(), runs.count()), (5, 1));
}

/// Clients send GET or HEAD first to get the challenge.
#[tokio::test]
async fn w5_4_an_unauthenticated_caller_gets_a_challenge_for_every_method() {
    let methods =
        [Method::GET, Method::HEAD, Method::DELETE, Method::PUT, Method::PATCH, Method::OPTIONS, Method::TRACE];
    let odd = Method::from_bytes(b"PROPFIND").unwrap();
    for (service, allowed) in [(guarded().service, "POST"), (with_sessions().service, "POST, DELETE")] {
        for method in methods.iter().chain([&odd, &Method::POST]) {
            let post = Post::of("").method(method.clone()).header("accept", "text/event-stream");
            let answer = post.clone().send(&service).await;
            assert_eq!((answer.status, challenge(&answer)), (401, "Bearer"), "{method}");
            assert_eq!(
                (answer.headers.get("allow"), answer.message()),
                (None, "a token is needed".to_owned()),
                "{method}"
            );
            let known = as_("alice", post).send(&service).await;
            let session = allowed != "POST" && [Method::GET, Method::DELETE].contains(method);
            if *method != Method::POST && !session {
                assert_eq!((known.status, &known.headers["allow"]), (405, &allowed.parse().unwrap()), "{method}");
            }
            assert_eq!(challenge(&known), "", "{method}");
        }
    }
}

#[tokio::test]
async fn w5_12_only_a_preflight_is_answered_before_authentication() {
    let app = "https://app.example.com";
    let Guarded { service, calls, .. } = guarded_with(|settings| settings.cors([app]));
    let options = Post::of("").method(Method::OPTIONS).header("origin", app);
    let preflight = options.clone().header("access-control-request-method", "POST").send(&service).await;
    assert_eq!((preflight.status, calls.count()), (204, 0));
    // Without the preflight's request header, OPTIONS is not a preflight.
    let answer = options.send(&service).await;
    assert_eq!((answer.status, challenge(&answer), calls.count()), (401, "Bearer", 1));
    assert_eq!(answer.headers["access-control-allow-origin"], app);
}

#[tokio::test]
async fn w5_4_the_body_of_an_unauthenticated_request_is_not_read() {
    let request: Request<Silent> = Post::read().with(Silent);
    let answer = Answer::of(answered(soon(Service::call(&mut guarded().service, request)).await)).await;
    assert_eq!(answer.status, 401, "without waiting for the body");
}

#[tokio::test]
async fn each_denial_has_its_status() {
    let Guarded { service, .. } = guarded();
    let denied = async |name: &str| as_(name, Post::read()).send(&service).await;
    let forbidden = denied("forbidden").await;
    assert_eq!((forbidden.status, challenge(&forbidden)), (403, "Bearer error=\"x\""));
    let twice = denied("twice").await;
    assert_eq!((twice.status, challenge(&twice), twice.message()), (400, "Bearer error=\"y\"", "only one".to_owned()));
    let later = denied("later").await;
    assert_eq!((later.status, challenge(&later), later.message()), (503, "", "ask later".to_owned()));
    assert_eq!(later.headers["retry-after"], "1");
}

#[tokio::test(start_paused = true)]
async fn an_authenticator_that_never_returns_times_out() {
    let service = guarded_with(|settings| settings.read_timeout(Duration::from_secs(3))).service;
    let began = tokio::time::Instant::now();
    let answer = as_("never", Post::read()).send(&service).await;
    assert_eq!((answer.status, began.elapsed()), (503, Duration::from_secs(3)));
}

#[tokio::test]
async fn a_session_belongs_to_the_principal_that_opened_it() {
    let service = with_sessions().service;
    let version = Revision::V2025_11_25.name();
    let client = json!({ "name": "c", "version": "1" });
    let params = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client });
    let opened = as_("alice", Post::legacy("initialize", &params)).send(&service).await;
    let id = opened.headers["mcp-session-id"].to_str().unwrap().to_owned();
    let read = |name: &str, id: &str| {
        let post = Post::legacy("resources/read", &json!({ "uri": NOTE })).header("mcp-protocol-version", version);
        as_(name, post).header("mcp-session-id", id)
    };
    assert_eq!(read("alice", &id).send(&service).await.text(), "note");
    let (others, unknown) =
        (read("bob", &id).send(&service).await, read("bob", &"0".repeat(id.len())).send(&service).await);
    assert_eq!((others.status, &others.body, &others.headers), (404, &unknown.body, &unknown.headers));
}

#[tokio::test]
async fn a_missing_scope_of_a_reader_is_a_challenge() {
    let service = guarded().service;
    let legacy = Post::legacy("resources/read", &json!({ "uri": "docs://run" }));
    let legacy = legacy.header("mcp-protocol-version", Revision::V2025_06_18.name());
    for post in [Post::read_of("docs://run"), legacy, Post::read_of("docs://run").header("accept", "text/event-stream")]
    {
        let answer = as_("alice", post).send(&service).await;
        assert_eq!(answer.status, 403, "{answer:?}");
        assert_eq!(challenge(&answer), "Bearer error=\"insufficient_scope\", scope=\"files:read files:list\"");
        assert_eq!(answer.json()["error"]["data"], json!({ "requiredScopes": ["files:read", "files:list"] }));
        assert_eq!(answer.json()["id"], 1);
    }
    let without =
        HttpService::new(server([running(|_| async { Err(ReadError::missing_scopes("a")) })], Limits::default()));
    let answer = Post::read_of("docs://run").send(&without).await;
    assert_eq!(
        (answer.status, challenge(&answer)),
        (403, ""),
        "whoever authenticates outside adds the challenge there"
    );
}

#[tokio::test]
async fn the_metadata_is_readable_by_every_page_without_a_token() {
    let mut metadata = guarded().service.metadata_service().expect("there is some");
    let mut ask = async |method: Method| {
        let request =
            Post::of("").method(method).header("origin", "https://evil.example").header("host", "evil.example");
        Answer::of(answered(metadata.call(request.with(Full::new(Bytes::new()))).await)).await
    };
    let answer = ask(Method::GET).await;
    assert_eq!((answer.status, &answer.body[..]), (200, DOCUMENT.as_bytes()));
    assert_eq!(
        (&answer.headers["content-type"], &answer.headers["access-control-allow-origin"]),
        (&HeaderValue::from_static("application/json"), &HeaderValue::from_static("*"))
    );
    let preflight = ask(Method::OPTIONS).await;
    assert_eq!(
        (preflight.status, &preflight.headers["access-control-allow-methods"]),
        (204, &HeaderValue::from_static("GET"))
    );
    let post = ask(Method::POST).await;
    assert_eq!((post.status, &post.headers["allow"]), (405, &HeaderValue::from_static("GET, HEAD, OPTIONS")));
    assert!(HttpService::new(server([note()], Limits::default())).metadata_service().is_none());
}

#[tokio::test]
async fn the_small_server_serves_the_metadata_at_its_paths() {
    let serving =
        Serving::new(server([note()], Limits::default()), |http| http.authenticator(Names(Counter::default()))).await;
    let mut client = serving.http1().await;
    let absent = [
        "/.well-known/other",
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-authorization-server/mcp",
        "/.well-known/openid-configuration",
        "/mcp/.well-known/openid-configuration",
    ];
    for (path, status) in absent.map(|path| (path, 404)).into_iter().chain([(PATH, 200), ("/mcp", 401)]) {
        let request = Request::get(path).header("host", "localhost").body(Full::new(Bytes::new())).unwrap();
        let response = soon(client.send_request(request)).await.unwrap();
        assert_eq!(response.status(), status, "{path}");
        let body = soon(response.into_body().collect()).await.unwrap().to_bytes();
        assert_eq!(body == DOCUMENT, status == 200, "{path}");
    }
    let denied = Post::read().uri("/mcp").with(Full::new(Post::read().body));
    assert_eq!(soon(client.send_request(denied)).await.unwrap().status(), 401);
    serving.stop.notify_one();
    soon(serving.task).await.unwrap().unwrap();
}
