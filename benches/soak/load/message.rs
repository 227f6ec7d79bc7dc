//! Requests as a client of a revision sends them: the message, its headers, and the bytes of HTTP/1.1.

use std::fmt::Write as _;

use grange_core::Revision;
use serde_json::{Map, Value, json};

/// The newest revision, which has no handshake.
pub(crate) const MODERN: Revision = Revision::V2026_07_28;
/// The revision whose streams start with an id-only event.
pub(crate) const PRIMED: Revision = Revision::V2025_11_25;
/// The revision with batches.
pub(crate) const BATCHING: Revision = Revision::V2025_03_26;
/// The revisions with a handshake.
pub(crate) const LEGACY: [Revision; 5] =
    [Revision::V2024_10_07, Revision::V2024_11_05, BATCHING, Revision::V2025_06_18, PRIMED];

const BOTH: &str = "application/json, text/event-stream";

/// A session that a handshake opened.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) revision: Revision,
}

/// The sender: a client of the newest revision, or one in a session.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sender<'a> {
    Modern,
    Legacy(&'a Session),
}

/// One HTTP request.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) method: &'static str,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

impl Sender<'_> {
    pub(crate) fn is_modern(self) -> bool {
        matches!(self, Self::Modern)
    }

    /// A request. Adds the metadata of the revision to `params`.
    pub(crate) fn request(self, id: &Value, method: &str, params: Value) -> Message {
        let params = self.with_metadata(params);
        let name = params.get("uri").or(params.get("name")).and_then(Value::as_str).map(str::to_owned);
        let mut message =
            self.post(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": Value::Object(params) }));
        if self.is_modern() {
            message.headers.push(("mcp-method", method.to_owned()));
            if let Some(name) = name {
                message.headers.push(("mcp-name", name));
            }
        }
        message
    }

    /// A POST of any message.
    pub(crate) fn post(self, message: &Value) -> Message {
        let mut post = Message { method: "POST", headers: self.headers(), body: message.to_string().into_bytes() };
        post.headers.push(("content-type", "application/json".to_owned()));
        post.headers.push(("accept", BOTH.to_owned()));
        post
    }

    /// A request without a message.
    pub(crate) fn bodiless(self, method: &'static str) -> Message {
        let mut request = Message { method, headers: self.headers(), body: Vec::new() };
        request.headers.push(("accept", "text/event-stream".to_owned()));
        request
    }

    fn headers(self) -> Vec<(&'static str, String)> {
        let version = |revision: Revision| ("mcp-protocol-version", revision.name().to_owned());
        match self {
            Self::Modern => vec![version(MODERN)],
            Self::Legacy(Session { id, revision }) => {
                let session = ("mcp-session-id", id.clone());
                std::iter::once(session).chain(revision.has_version_header().then(|| version(*revision))).collect()
            }
        }
    }

    /// Adds the metadata of the newest revision to parameters.
    fn with_metadata(self, params: Value) -> Map<String, Value> {
        let Value::Object(mut params) = params else { return Map::new() };
        if self.is_modern() {
            let meta = params.entry("_meta").or_insert_with(|| json!({}));
            meta["io.modelcontextprotocol/protocolVersion"] = json!(MODERN.name());
            meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        params
    }
}

impl Message {
    /// The request that starts a handshake.
    pub(crate) fn initialize(id: &Value, revision: Revision) -> Self {
        let client = json!({ "name": "soak", "version": "1.0.0" });
        let params = json!({ "protocolVersion": revision.name(), "capabilities": {}, "clientInfo": client });
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": "initialize", "params": params });
        let headers = vec![("content-type", "application/json".to_owned()), ("accept", BOTH.to_owned())];
        Self { method: "POST", headers, body: message.to_string().into_bytes() }
    }

    /// Replaces a header, or removes it if there is no value.
    pub(crate) fn with(mut self, name: &'static str, value: Option<&str>) -> Self {
        self.headers.retain(|header| header.0 != name);
        self.headers.extend(value.map(|value| (name, value.to_owned())));
        self
    }

    /// Replaces the body.
    pub(crate) fn with_body(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..self }
    }

    /// The bytes of the request over HTTP/1.1.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.head(&format!("content-length: {}\r\n", self.body.len()));
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// The head over HTTP/1.1, with these lines about the body.
    pub(crate) fn head(&self, of_body: &str) -> Vec<u8> {
        let mut head = format!("{} /mcp HTTP/1.1\r\n", self.method);
        if !self.headers.iter().any(|header| header.0 == "host") {
            head.push_str("host: 127.0.0.1\r\n");
        }
        for (name, value) in &self.headers {
            // Writing to a string cannot fail.
            let _ = write!(head, "{name}: {value}\r\n");
        }
        head.push_str(of_body);
        head.push_str("\r\n");
        head.into_bytes()
    }
}
