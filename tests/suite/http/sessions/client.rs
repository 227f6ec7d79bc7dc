//! A client with a session, and its parsed event streams.

use std::time::Duration;

use bytes::Bytes;
use grange_core::{ClientRequestError, Context, Limits, Revision, Server, ServerBuilder, Tool, ToolError};
use grange_http::{HttpService, Principal, ResponseBody};
use http::{Method, Response};
use http_body_util::BodyExt;
use serde_json::{Value, json};

use super::super::drive::{Answer, Post, note};
use crate::schema::{check, fitting};

/// The newest revision that has sessions. Its streams start with an id-only event.
pub(in crate::http) const PRIMED: Revision = Revision::V2025_11_25;
/// The revision before, whose streams do not.
pub(in crate::http) const UNPRIMED: Revision = Revision::V2025_06_18;

pub(in crate::http) const LEGACY: [Revision; 5] =
    [Revision::V2024_10_07, Revision::V2024_11_05, Revision::V2025_03_26, Revision::V2025_06_18, Revision::V2025_11_25];

/// A tool with this function.
pub(in crate::http) fn tool<F, Fut>(name: &'static str, does: F) -> Tool
where
    F: Fn(Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<String, ToolError>> + Send + 'static,
{
    Tool::builder().name(name).call_without_arguments(does)
}

/// A server that sends requests to the client, with the note.
pub(in crate::http) fn builder(tools: impl IntoIterator<Item = Tool>, limits: Limits) -> ServerBuilder {
    Server::builder("tests", "1.0.0")
        .resource(note())
        .tools(tools)
        .limits(limits)
        .requests_to_client()
        .revisions(Revision::ALL)
}

pub(in crate::http) fn service(tools: impl IntoIterator<Item = Tool>) -> HttpService {
    limited(tools, Limits::default())
}

pub(in crate::http) fn limited(tools: impl IntoIterator<Item = Tool>, limits: Limits) -> HttpService {
    HttpService::new(builder(tools, limits).build().unwrap())
}

/// The outcome of a request to the client, as text for a tool's result.
pub(in crate::http) fn outcome_text(outcome: Result<Value, ClientRequestError>) -> String {
    match outcome {
        Ok(result) => result.to_string(),
        Err(error) => format!("{error:?}"),
    }
}

/// A tool that sends `x/y` to the client and returns the outcome.
pub(in crate::http) fn asking() -> Tool {
    tool(
        "ask",
        |cx| async move { Ok(outcome_text(cx.request("x/y", json!({ "q": 1 }), Duration::from_secs(30)).await)) },
    )
}

pub(in crate::http) fn initialize(revision: Revision) -> Post {
    let client = json!({ "name": "tests", "version": "1.0.0" });
    let params = json!({ "protocolVersion": revision.name(), "capabilities": {}, "clientInfo": client });
    Post::legacy("initialize", &params)
}

/// A client after the handshake.
#[derive(Clone)]
pub(in crate::http) struct Client {
    pub(in crate::http) service: HttpService,
    pub(super) session: String,
    pub(in crate::http) revision: Revision,
    pub(super) principal: Option<Principal>,
}

impl Client {
    pub(in crate::http) async fn open(service: &HttpService) -> Self {
        Self::open_with(service, PRIMED, None).await
    }

    pub(in crate::http) async fn open_with(
        service: &HttpService,
        revision: Revision,
        principal: Option<&Principal>,
    ) -> Self {
        let client = Self::try_open(service, revision, principal).await.expect("a session");
        assert_eq!(client.notify("notifications/initialized", &json!({})).await.status, 202);
        client
    }

    /// Sends only `initialize`; returns the answer if there is no session.
    pub(in crate::http) async fn try_open(
        service: &HttpService,
        revision: Revision,
        principal: Option<&Principal>,
    ) -> Result<Self, Answer> {
        let answer = initialize(revision).from(principal).send(service).await;
        let Some(session) = answer.headers.get("mcp-session-id") else { return Err(answer) };
        assert_eq!((answer.status, &answer.json()["result"]["protocolVersion"]), (200, &json!(revision.name())));
        let session = session.to_str().unwrap().to_owned();
        Ok(Self { service: service.clone(), session, revision, principal: principal.cloned() })
    }

    /// A message of this client.
    pub(in crate::http) fn post(&self, message: &Value) -> Post {
        self.dress(Post::of(message.to_string()))
    }

    fn dress(&self, post: Post) -> Post {
        let post = post.header("mcp-session-id", &self.session).from(self.principal.as_ref());
        if self.revision.has_version_header() {
            post.header("mcp-protocol-version", self.revision.name())
        } else {
            post
        }
    }

    pub(in crate::http) fn request(&self, id: impl Into<Value>, method: &str, params: &Value) -> Post {
        self.post(&json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params }))
    }

    /// A call with a progress token.
    pub(in crate::http) fn call(&self, id: impl Into<Value>, tool: &str) -> Post {
        let id = id.into();
        let params = json!({ "name": tool, "arguments": {}, "_meta": { "progressToken": id } });
        self.request(id, "tools/call", &params)
    }

    pub(in crate::http) async fn ping(&self) -> Answer {
        self.request(1, "ping", &json!({})).send(&self.service).await
    }

    pub(in crate::http) async fn notify(&self, method: &str, params: &Value) -> Answer {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.post(&message).send(&self.service).await
    }

    pub(in crate::http) async fn cancel(&self, id: impl Into<Value>) {
        let answer = self.notify("notifications/cancelled", &json!({ "requestId": id.into() })).await;
        assert_eq!((answer.status, &answer.body[..]), (202, &b""[..]));
    }

    /// Answers a request of the server.
    pub(in crate::http) async fn answer(&self, id: impl Into<Value>, result: &Value) -> Answer {
        self.post(&json!({ "jsonrpc": "2.0", "id": id.into(), "result": result })).send(&self.service).await
    }

    pub(in crate::http) fn get(&self) -> Post {
        let post = self.dress(Post::of("")).method(Method::GET).without("content-type");
        post.header("accept", "text/event-stream")
    }

    pub(in crate::http) fn delete(&self) -> Post {
        self.dress(Post::of("")).method(Method::DELETE).without("content-type").header("accept", "*/*")
    }

    /// Resumes the stream of that event.
    pub(in crate::http) async fn resume(&self, last: &str) -> Events {
        self.events(self.get().header("last-event-id", last)).await
    }

    /// Sends a request that is answered by an event stream.
    pub(in crate::http) async fn events(&self, post: Post) -> Events {
        Events::of(post.open(&self.service).await, self.revision)
    }
}

/// One event or comment. Only events with a message have a name.
#[derive(Debug, Default, PartialEq)]
pub(in crate::http) struct Event {
    pub(in crate::http) id: Option<String>,
    pub(super) retry: Option<String>,
    pub(in crate::http) message: Option<Value>,
}

impl Event {
    pub(in crate::http) fn method(&self) -> &str {
        self.message.as_ref().and_then(|message| message["method"].as_str()).unwrap_or_default()
    }

    /// The progress in a progress notification.
    pub(in crate::http) fn progress(&self) -> Option<f64> {
        (self.method() == "notifications/progress")
            .then(|| self.message.as_ref().unwrap()["params"]["progress"].as_f64())?
    }

    /// The text of a tool's result.
    pub(in crate::http) fn text(&self) -> &str {
        let message = self.message.as_ref().expect("a message");
        message["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("not of a tool: {message}"))
    }

    pub(in crate::http) fn id(&self) -> &str {
        self.id.as_deref().unwrap_or_else(|| panic!("no id: {self:?}"))
    }

    fn read(text: &str, revision: Revision) -> Self {
        let mut event = Self::default();
        let mut name = None;
        for line in text.lines() {
            match line.split_once(':').expect("a field") {
                ("" | "data", "") => {}
                ("event", given) => name = Some(given),
                ("id", id) => event.id = Some(id.strip_prefix(' ').unwrap().to_owned()),
                ("retry", time) => event.retry = Some(time.strip_prefix(' ').unwrap().to_owned()),
                ("data", data) => event.message = Some(checked(serde_json::from_str(data).unwrap(), revision)),
                other => panic!("no such field is ever sent: {other:?}"),
            }
        }
        assert_eq!(name, event.message.as_ref().map(|_| " message"), "{text}");
        event
    }
}

fn checked(message: Value, revision: Revision) -> Value {
    if message.get("method").is_none() {
        return fitting(message);
    }
    assert_eq!(check(revision, "", &message), [""; 0], "{message}");
    message
}

/// An event stream, read event by event.
pub(in crate::http) struct Events {
    body: ResponseBody,
    revision: Revision,
    text: String,
}

impl Events {
    pub(in crate::http) fn of(response: Response<ResponseBody>, revision: Revision) -> Self {
        let header = |name: &str| response.headers()[name].to_str().unwrap();
        assert_eq!((response.status().as_u16(), header("content-type")), (200, "text/event-stream"));
        assert_eq!((header("cache-control"), header("x-accel-buffering")), ("no-cache", "no"));
        Self { body: response.into_body(), revision, text: String::new() }
    }

    /// The next event or comment; `None` at the end.
    pub(in crate::http) async fn next_any(&mut self) -> Option<Event> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let (event, rest) = (Event::read(event, self.revision), rest.to_owned());
                self.text = rest;
                return Some(event);
            }
            let Some(frame) = self.body.frame().await else {
                assert_eq!(self.text, "", "the stream ends within an event");
                return None;
            };
            let data: Bytes = frame.unwrap().into_data().unwrap();
            self.text.push_str(std::str::from_utf8(&data).unwrap());
        }
    }

    /// The next event that is not a comment.
    pub(in crate::http) async fn next(&mut self) -> Option<Event> {
        loop {
            match self.next_any().await {
                Some(comment) if comment == Event::default() => {}
                event => return event,
            }
        }
    }

    /// The next event, which must exist.
    pub(in crate::http) async fn event(&mut self) -> Event {
        self.next().await.expect("one more event")
    }

    /// All remaining events.
    pub(in crate::http) async fn rest(&mut self) -> Vec<Event> {
        let mut rest = Vec::new();
        while let Some(event) = self.next().await {
            rest.push(event);
        }
        rest
    }
}
