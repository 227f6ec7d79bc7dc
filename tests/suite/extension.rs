//! The interface for extensions of MCP, used as a third party would: declared and answered on every revision, even if
//! its code fails.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use grange_core::{
    CacheScope, Context, DefinitionError, Extension, ExtensionAnswer, ExtensionError, ExtensionParams, Limits,
    ReadError, Resource, Server, ServerBuilder, async_trait,
};
use serde_json::{Map, Value, json};

use crate::raw;
use crate::schema::clients;

const ID: &str = "com.example/clock";
const READ: &str = "clock/read";

/// An extension with a method for each test.
#[derive(Default)]
struct Clock {
    settings: Map<String, Value>,
    resources: Vec<Resource>,
    errors: Vec<DefinitionError>,
    warnings: Vec<String>,
    calls: Arc<AtomicUsize>,
}

#[async_trait]
impl Extension for Clock {
    fn id(&self) -> &'static str {
        ID
    }

    fn settings(&self) -> Map<String, Value> {
        self.settings.clone()
    }

    fn resources(&self) -> Vec<Resource> {
        self.resources.clone()
    }

    fn methods(&self) -> &[&'static str] {
        &[READ]
    }

    async fn answer(
        &self,
        _: Context,
        method: &str,
        params: ExtensionParams,
    ) -> Result<ExtensionAnswer, ExtensionError> {
        assert_eq!(method, READ);
        self.calls.fetch_add(1, Ordering::SeqCst);
        let answer = |time: &str, zone: &str| ExtensionAnswer::new(&json!({ "zone": zone, "time": time }));
        match &*params.required("zone")? {
            "fails" => Err(ExtensionError::internal(std::io::Error::other("secret=1"))),
            "panics" => panic!("secret=2"),
            "list" => ExtensionAnswer::new(&[1]),
            "unwritable" => ExtensionAnswer::new(&std::collections::BTreeMap::from([((), ())])),
            "cached" => Ok(answer("12:00", "cached")?.cached(Some(Duration::from_secs(1)), Some(CacheScope::Public))),
            "server's" => Ok(answer("12:00", "server's")?.cached(None, None)),
            "empty" => ExtensionAnswer::new(&json!({})),
            zone => answer(&params.string("time")?.unwrap_or("12:00".into()), zone),
        }
    }

    fn errors(&self) -> Vec<DefinitionError> {
        self.errors.clone()
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }
}

fn served(clock: Clock) -> Server {
    Server::builder("clock", "1.0.0").ttl(Duration::from_secs(9)).extension(clock).on_error(|_, _| {}).build().unwrap()
}

fn note(uri: &'static str) -> Resource {
    Resource::builder().uri(uri).name("note").text("note").build()
}

#[tokio::test]
async fn an_extension_is_declared_with_its_settings_on_every_revision() {
    let settings = Map::from_iter([("zones".to_owned(), json!(["UTC"]))]);
    for client in clients(&served(Clock { settings, ..Clock::default() })).await {
        assert_eq!(client.capabilities(), &json!({ "extensions": { ID: { "zones": ["UTC"] } } }));
    }
    let server = served(Clock { resources: vec![note("clock://now")], ..Clock::default() });
    for client in clients(&server).await {
        assert_eq!(client.capabilities(), &json!({ "resources": {}, "extensions": { ID: {} } }));
    }
}

#[tokio::test]
async fn answers_have_the_members_that_the_revision_adds() {
    for mut client in clients(&served(Clock::default())).await {
        let is_modern = !client.revision().has_handshake();
        let result = client.request(READ, json!({ "zone": "UTC", "time": "caf\u{e9}\n" })).await.unwrap();
        assert_eq!((&result["zone"], &result["time"]), (&json!("UTC"), &json!("caf\u{e9}\n")));
        assert_eq!((result.get("resultType").is_some(), result.get("_meta").is_some()), (is_modern, is_modern));
        assert_eq!((result.get("ttlMs"), result.get("cacheScope")), (None, None));
        for (zone, ttl, scope) in [("cached", 1000, "public"), ("server's", 9000, "private")] {
            let result = client.request(READ, json!({ "zone": zone })).await.unwrap();
            let hints = is_modern.then(|| (json!(ttl), json!(scope)));
            assert_eq!(result.get("ttlMs").cloned().zip(result.get("cacheScope").cloned()), hints, "{zone}");
        }
        let empty = client.request(READ, json!({ "zone": "empty" })).await.unwrap();
        assert_eq!(empty.as_object().unwrap().len(), if is_modern { 2 } else { 0 }, "{empty}");
    }
}

#[tokio::test]
async fn errors_in_parameters_are_reported_to_the_client() {
    for mut client in clients(&served(Clock::default())).await {
        for (params, expected) in [
            (json!({}), "Invalid params: \"zone\" is missing"),
            (json!({ "zone": 1 }), "Invalid params: \"zone\" must be a string"),
            (json!({ "zone": null }), "Invalid params: \"zone\" must be a string"),
            (json!({ "zone": { "zone": "UTC" } }), "Invalid params: \"zone\" must be a string"),
            (json!({ "zone": "UTC", "time": [] }), "Invalid params: \"time\" must be a string"),
        ] {
            let error = client.request(READ, params).await.unwrap_err();
            assert_eq!((error.code, &*error.message, error.data), (-32602, expected, None));
        }
    }
}

#[tokio::test]
async fn failures_are_private_and_a_panic_ends_only_its_request() {
    let clock = Clock::default();
    let calls = clock.calls.clone();
    let server = served(clock);
    let mut clients = clients(&server).await;
    for client in &mut clients {
        for zone in ["fails", "panics", "list", "unwritable"] {
            let error = client.request(READ, json!({ "zone": zone })).await.unwrap_err();
            assert_eq!((error.code, &*error.message, error.data), (-32603, "Internal error", None), "{zone}");
        }
        assert!(client.request(READ, json!({ "zone": "UTC" })).await.is_ok());
    }
    assert_eq!(calls.load(Ordering::SeqCst), 5 * clients.len());
}

#[test]
fn methods_that_an_extension_does_not_name_are_unknown() {
    let server = served(Clock::default());
    for method in ["clock/write", "clock", "clock/read/", "Clock/read", ""] {
        assert_eq!(raw::legacy(&server, "2025-11-25", method, &json!({ "zone": "UTC" })).code(), -32601, "{method:?}");
    }
}

#[tokio::test]
async fn resources_of_an_extension_come_after_those_of_the_server() {
    let clock = Clock { resources: vec![note("clock://b"), note("clock://a")], ..Clock::default() };
    let builder = Server::builder("t", "1").resource(note("docs://z")).extension(clock).resource(note("docs://a"));
    for mut client in clients(&builder.build().unwrap()).await {
        let uris: Vec<_> = client.list().await.unwrap().iter().map(|entry| entry["uri"].clone()).collect();
        assert_eq!(uris, ["docs://z", "docs://a", "clock://b", "clock://a"]);
        assert_eq!(client.read("clock://a").await.unwrap().text(), Some("note"));
    }
}

#[test]
fn warnings_of_an_extension_are_warnings_of_the_server() {
    let server = served(Clock { warnings: vec!["slow: wind it up".to_owned()], ..Clock::default() });
    assert_eq!(server.warnings(), ["slow: wind it up"]);
    assert_eq!(served(Clock::default()).warnings(), [""; 0]);
}

/// An extension with names only.
struct Named(&'static str, &'static [&'static str]);

#[async_trait]
impl Extension for Named {
    fn id(&self) -> &str {
        self.0
    }

    fn methods(&self) -> &[&'static str] {
        self.1
    }
}

/// The errors of `build()` for a server with these extensions.
fn errors(extensions: impl IntoIterator<Item = Named>) -> Vec<String> {
    let builder = extensions.into_iter().fold(Server::builder("t", "1"), ServerBuilder::extension);
    builder.build().err().map_or_else(Vec::new, |error| error.errors().iter().map(ToString::to_string).collect())
}

#[test]
fn identifiers_and_methods_must_be_unique() {
    const OWN: [&str; 6] =
        ["initialize", "ping", "resources/read", "server/discover", "subscriptions/listen", "tools/call"];
    assert_eq!(
        errors([Named("com.example/a", &["a/read"]), Named("com.example/a", &["b/read"])]),
        ["extension `com.example/a`: it is added twice: add it once"]
    );
    assert_eq!(
        errors([Named("com.example/a", &["a/read"]), Named("com.example/b", &["b/read", "a/read"])]),
        ["extension `com.example/b`: the method `a/read` is answered twice: leave it to one extension"]
    );
    let expected = OWN.map(|method| {
        format!("extension `com.example/a`: the method `{method}` is the protocol's own: name it otherwise")
    });
    assert_eq!(errors([Named("com.example/a", &OWN)]), expected);
    assert_eq!(errors([Named("com.example/a", &["a/read"]), Named("com.example/b", &[])]), [""; 0]);
}

#[test]
fn an_identifier_needs_a_prefix_and_the_syntax_of_a_meta_key() {
    const PREFIX: &str = "the identifier needs a prefix and a name: write it as in `com.example/clock`";
    assert_eq!(errors([Named("clock", &[])]), [format!("extension `clock`: {PREFIX}")]);
    assert_eq!(errors([Named("", &[])]), [format!("extension ``: {PREFIX}")]);
    for id in ["/clock", "com..example/clock", "com.example/a/b", "com.example/a b", "-a.b/c", "1a/b"] {
        let found = errors([Named(id, &[])]);
        assert!(found.len() == 1 && found[0].starts_with(&format!("extension `{id}`: the identifier ")), "{found:?}");
    }
}

#[test]
fn errors_of_an_extension_fail_the_build_with_all_others() {
    let own = DefinitionError::new("clock `wall`", "it has no hands: add two");
    let clock = Clock { errors: vec![own.clone()], resources: vec![note("relative")], ..Clock::default() };
    let error = Server::builder("", "1").extension(clock).build().expect_err("the build must fail");
    assert!(error.errors().contains(&own), "{error}");
    assert_eq!(error.errors().len(), 3, "{error}");
}

/// An extension with only an identifier.
struct Silent;

#[async_trait]
impl Extension for Silent {
    fn id(&self) -> &'static str {
        "com.example/silent"
    }

    fn methods(&self) -> &[&'static str] {
        &["clock/read"]
    }
}

#[test]
fn a_declared_method_without_an_answer_is_an_internal_error() {
    let server = Server::builder("t", "1").extension(Silent).build().unwrap();
    let error = raw::legacy(&server, "2025-11-25", "clock/read", &json!({})).json()["error"].take();
    assert_eq!(error, json!({ "code": -32603, "message": "Internal error" }));
    assert_eq!(
        raw::modern(&server, "server/discover", json!({})).result()["capabilities"]["extensions"],
        json!({ "com.example/silent": {} })
    );
}

/// An extension whose method waits, asks for a provided value, or reports progress.
struct Work(Arc<AtomicUsize>);

/// Counts the calls that were dropped before their end.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl Extension for Work {
    fn id(&self) -> &'static str {
        "com.example/work"
    }

    fn methods(&self) -> &[&'static str] {
        &["work/do"]
    }

    async fn answer(&self, cx: Context, _: &str, params: ExtensionParams) -> Result<ExtensionAnswer, ExtensionError> {
        match params.required("what")?.as_str() {
            "wait" => {
                let _dropped = Dropped(self.0.clone());
                std::future::pending::<()>().await;
                ExtensionAnswer::new(&json!({}))
            }
            "provided" => ExtensionAnswer::new(&json!({ "text": cx.get::<&'static str>().await?.to_string() })),
            "public" => Err(ReadError::public(7, "no work today").into()),
            _ => {
                cx.progress((1.0, 2.0));
                ExtensionAnswer::new(&json!({ "text": cx.protocol_version() }))
            }
        }
    }
}

fn working(dropped: &Arc<AtomicUsize>) -> Server {
    let limits = Limits { request_time: Duration::from_secs(60), ..Limits::default() };
    let builder = Server::builder("work", "1.0.0").extension(Work(dropped.clone())).limits(limits);
    builder
        .provide_value("provided")
        .on_error(|failure, cx| {
            assert_eq!(cx.target().to_string(), "extension `com.example/work` (`work/do`)", "{failure}");
        })
        .build()
        .unwrap()
}

#[tokio::test]
async fn its_methods_have_the_context_of_a_reader() {
    for mut client in clients(&working(&Arc::default())).await {
        let provided = client.request("work/do", json!({ "what": "provided" })).await.unwrap();
        assert_eq!(provided["text"], "provided");
        let seen = client.request("work/do", json!({ "what": "look" })).await.unwrap();
        assert!(seen["text"].as_str().is_some_and(|version| version.starts_with("20")), "{seen}");
        let error = client.request("work/do", json!({ "what": "public" })).await.unwrap_err();
        assert_eq!((error.code, &*error.message), (7, "no work today"));
    }
}

#[test]
fn w3_11_its_work_ends_when_the_client_cancels_the_request() {
    let dropped = Arc::<AtomicUsize>::default();
    let mut pipe = raw::Pipe::opened(&working(&dropped), "2025-11-25");
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "work/do", "params": { "what": "wait" } });
    assert_eq!((pipe.say(&request.to_string()).len(), pipe.jobs.len()), (0, 1));
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    assert!(pipe.say(&cancel.to_string()).is_empty());
    assert_eq!((pipe.jobs.len(), dropped.load(Ordering::SeqCst)), (0, 1));
}

#[test]
fn w5_14_its_work_has_the_time_of_a_request() {
    let dropped = Arc::<AtomicUsize>::default();
    let mut pipe = raw::Pipe::opened(&working(&dropped), "2025-11-25");
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "work/do", "params": { "what": "wait" } });
    assert!(pipe.say(&request.to_string()).is_empty());
    let (start, job) = (std::time::Instant::now(), &mut pipe.jobs[0].1);
    assert_eq!(job.poll_timeout(start), Some(start + Duration::from_secs(60)));
    job.handle_timeout(start + Duration::from_secs(60));
    let answers = pipe.drive();
    assert_eq!((answers[0]["error"]["code"].as_i64(), dropped.load(Ordering::SeqCst)), (Some(-32603), 1));
}

#[test]
fn its_progress_comes_before_its_answer() {
    let mut pipe = raw::Pipe::opened(&working(&Arc::default()), "2025-11-25");
    let params = json!({ "what": "look", "_meta": { "progressToken": "p" } });
    let lines = pipe.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "work/do", "params": params }).to_string());
    assert_eq!((&lines[0]["method"], &lines[0]["params"]["total"]), (&json!("notifications/progress"), &json!(2.0)));
    assert_eq!((lines.len(), &lines[1]["id"]), (2, &json!(1)));
}
