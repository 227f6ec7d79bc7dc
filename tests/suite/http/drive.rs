//! Requests to the service and its responses, without a socket.

use std::convert::Infallible;

use bytes::Bytes;
use grange_core::{Contents, Limits, ReadError, Resource, Revision, Server};
use grange_http::{HttpService, HttpServiceBuilder, Principal, ResponseBody};
use http::header::{HeaderMap, HeaderName, HeaderValue};
use http::{Extensions, Method, Request, Response, Uri, Version};
use http_body_util::{BodyExt, Full};
use serde_json::{Value, json};
use tower_service::Service;

use crate::schema::fitting;

pub(crate) const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
pub(crate) const NOTE: &str = "docs://note";

/// The name of the modern revision.
pub(crate) fn modern() -> &'static str {
    Revision::V2026_07_28.name()
}

/// The text `note` at [`NOTE`].
pub(crate) fn note() -> Resource {
    Resource::builder().uri(NOTE).name("note").mime_type("text/plain").text("note").build()
}

/// A resource at `docs://run` with this reader.
pub(crate) fn running<F, Fut>(reader: F) -> Resource
where
    F: Fn(grange_core::Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<&'static str, ReadError>> + Send + 'static,
{
    let read = move |cx: grange_core::Context| {
        let uri = cx.uri().to_owned();
        let text = reader(cx);
        async move { text.await.map(|text| Contents::new().item(grange_core::Item::text(uri, text))) }
    };
    Resource::builder().uri("docs://run").name("run").read(read).build()
}

pub(crate) fn server(resources: impl IntoIterator<Item = Resource>, limits: Limits) -> Server {
    Server::builder("tests", "1.0.0").resources(resources).limits(limits).build().unwrap()
}

/// A service with the note and default settings.
pub(crate) fn service() -> HttpService {
    HttpService::new(server([note()], Limits::default()))
}

/// A service with the note and these settings.
pub(crate) fn service_with(set: impl FnOnce(HttpServiceBuilder) -> HttpServiceBuilder) -> HttpService {
    set(HttpService::builder(server([note()], Limits::default()))).build().unwrap()
}

/// A request, well-formed until a test changes it.
#[derive(Clone)]
pub(crate) struct Post {
    pub(crate) method: Method,
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) extensions: Extensions,
    pub(crate) version: Version,
    pub(crate) body: Bytes,
}

impl Post {
    /// A body with the headers of plain HTTP.
    pub(crate) fn of(body: impl Into<Bytes>) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert("host", HeaderValue::from_static("localhost:8787"));
        headers.insert("content-type", HeaderValue::from_static("application/json"));
        headers.insert("accept", HeaderValue::from_static("application/json, text/event-stream"));
        let (uri, extensions, version) = (Uri::from_static("/"), Extensions::new(), Version::HTTP_11);
        Self { method: Method::POST, uri, headers, extensions, version, body: body.into() }
    }

    /// A modern request, with its metadata and the mirrored headers.
    pub(crate) fn modern(method: &str, mut params: Value) -> Self {
        params["_meta"] = json!({ VERSION_KEY: modern(), CAPABILITIES_KEY: {} });
        let post = Self::legacy(method, &params).header("mcp-protocol-version", modern()).header("mcp-method", method);
        match params["uri"].as_str() {
            Some(uri) => post.header("mcp-name", uri),
            None => post,
        }
    }

    /// A modern read of the note.
    pub(crate) fn read() -> Self {
        Self::read_of(NOTE)
    }

    pub(crate) fn read_of(uri: &str) -> Self {
        Self::modern("resources/read", json!({ "uri": uri }))
    }

    pub(crate) fn listen() -> Self {
        Self::modern("subscriptions/listen", json!({ "notifications": {} }))
    }

    /// A legacy request, without marks.
    pub(crate) fn legacy(method: &str, params: &Value) -> Self {
        Self::of(json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string())
    }

    /// Replaces a header.
    pub(crate) fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.headers.insert(name_of(name), HeaderValue::from_bytes(value.as_ref()).unwrap());
        self
    }

    /// Adds another line of a header.
    pub(crate) fn line(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.headers.append(name_of(name), HeaderValue::from_bytes(value.as_ref()).unwrap());
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.remove(name);
        self
    }

    pub(crate) fn method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    pub(crate) fn uri(mut self, uri: &'static str) -> Self {
        self.uri = Uri::from_static(uri);
        self
    }

    pub(crate) fn version(mut self, version: Version) -> Self {
        self.version = version;
        self
    }

    /// Adds a principal as a middleware for authentication would.
    pub(crate) fn from(mut self, principal: Option<&Principal>) -> Self {
        self.extensions.extend(principal.cloned().map(with).unwrap_or_default());
        self
    }

    pub(crate) fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    /// The request with a body of another type.
    pub(crate) fn with<B>(self, body: B) -> Request<B> {
        let mut request = Request::new(body);
        *request.method_mut() = self.method;
        *request.uri_mut() = self.uri;
        *request.version_mut() = self.version;
        *request.headers_mut() = self.headers;
        *request.extensions_mut() = self.extensions;
        request
    }

    /// Sends the request and waits for the head of the response.
    pub(crate) async fn open(self, service: &HttpService) -> Response<ResponseBody> {
        let body = Full::new(self.body.clone());
        answered(service.clone().call(self.with(body)).await)
    }

    /// Sends the request and waits for the whole response.
    pub(crate) async fn send(self, service: &HttpService) -> Answer {
        Answer::of(self.open(service).await).await
    }
}

fn with(principal: Principal) -> Extensions {
    let mut extensions = Extensions::new();
    extensions.insert(principal);
    extensions
}

fn name_of(name: &str) -> HeaderName {
    HeaderName::from_bytes(name.as_bytes()).unwrap()
}

pub(crate) fn answered<T>(result: Result<T, Infallible>) -> T {
    match result {
        Ok(value) => value,
        Err(never) => match never {},
    }
}

/// A whole response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) async fn of<B>(response: Response<B>) -> Self
    where
        B: http_body::Body<Data = Bytes>,
        B::Error: std::fmt::Debug,
    {
        let (head, body) = response.into_parts();
        Self { status: head.status.as_u16(), headers: head.headers, body: body.collect().await.unwrap().to_bytes() }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.media_type() == "application/json"
    }

    pub(crate) fn is_stream(&self) -> bool {
        self.media_type() == "text/event-stream"
    }

    fn media_type(&self) -> &str {
        self.headers.get("content-type").map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn json(&self) -> Value {
        assert!(self.is_json(), "not JSON: {self:?}");
        fitting(serde_json::from_slice(&self.body).unwrap())
    }

    /// The code of an error response.
    pub(crate) fn code(&self) -> i64 {
        self.json()["error"]["code"].as_i64().unwrap_or_else(|| panic!("not an error: {self:?}"))
    }

    pub(crate) fn message(&self) -> String {
        self.json()["error"]["message"].as_str().unwrap_or_else(|| panic!("not an error: {self:?}")).to_owned()
    }

    /// The limit that a rejection for lack of capacity names. A host that finds other text in a 503 takes the server
    /// for stopped, and restarts it.
    pub(crate) fn busy(&self) -> String {
        assert_eq!((self.status, self.code(), &self.headers["retry-after"]), (503, -32600, &"1".parse().unwrap()));
        let message = self.message();
        let words = message.strip_prefix("Server busy: too many requests at once (").expect(&message);
        let (_, limit) = words.split_once("): try again, or raise `Limits::").expect(&message);
        limit.strip_suffix('`').expect(&message).to_owned()
    }

    /// The text of the only content item of a read.
    pub(crate) fn text(&self) -> String {
        text(&self.json())
    }

    /// The messages of an event stream.
    pub(crate) fn events(&self) -> Vec<Value> {
        assert!(self.is_stream(), "not a stream: {self:?}");
        events(std::str::from_utf8(&self.body).unwrap())
    }
}

pub(crate) fn text(message: &Value) -> String {
    let text = message["result"]["contents"][0]["text"].as_str();
    text.unwrap_or_else(|| panic!("not the contents of a read: {message}")).to_owned()
}

/// The messages in a piece of an event stream. Accepts only named data and comments: the server sends nothing else.
pub(crate) fn events(stream: &str) -> Vec<Value> {
    let blocks = stream.split("\n\n").filter(|block| !matches!(*block, "" | ":"));
    let messages = blocks.map(|block| block.strip_prefix("event: message\ndata: ").expect("a named event"));
    messages.map(|message| fitting(serde_json::from_str(message).unwrap())).collect()
}

/// The next piece of a streamed body; `None` at its end.
pub(crate) async fn next<B>(body: &mut B) -> Option<String>
where
    B: http_body::Body<Data = Bytes> + Unpin,
    B::Error: std::fmt::Debug,
{
    let frame = body.frame().await?.unwrap().into_data().unwrap();
    Some(String::from_utf8(frame.to_vec()).unwrap())
}

/// A body that never arrives.
pub(crate) struct Silent;

impl http_body::Body for Silent {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, Infallible>>> {
        std::task::Poll::Pending
    }
}
