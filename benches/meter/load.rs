//! The measured requests as bytes, and the settings of their server.

use grange_core::Revision;

/// One request, sent repeatedly, and the settings of its server.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) name: &'static str,
    pub(crate) revision: Revision,
    /// The URI of a read; `None` for a list.
    pub(crate) uri: Option<&'static str>,
    /// The number of small resources of the server.
    pub(crate) resources: u32,
    /// Whether the server has the large resources too.
    pub(crate) big: bool,
    /// Whether readers build the contents.
    pub(crate) computed: bool,
}

pub(crate) const SMALL: &str = "docs://getting-started";
pub(crate) const TEXT_1M: &str = "docs://big-text";
pub(crate) const TEXT_16M: &str = "docs://huge-text";
pub(crate) const BLOB_1M: &str = "docs://big-blob";

/// The reference for all comparisons: a read of 1 KiB of fixed text in the newest revision.
pub(crate) const READ: Load = Load {
    name: "read-1k",
    revision: Revision::V2026_07_28,
    uri: Some(SMALL),
    resources: 10,
    big: false,
    computed: false,
};

impl Load {
    fn method(&self) -> &'static str {
        if self.uri.is_some() { "resources/read" } else { "resources/list" }
    }

    /// The message, without framing.
    pub(crate) fn message(&self) -> String {
        grange_benches::request(self.revision, self.method(), self.uri)
    }

    /// The whole HTTP request.
    pub(crate) fn post(&self) -> Vec<u8> {
        let mirrored = match (self.revision.has_handshake(), self.uri) {
            (true, _) => String::new(),
            (false, None) => format!("Mcp-Method: {}\r\n", self.method()),
            (false, Some(uri)) => format!("Mcp-Method: {}\r\nMcp-Name: {uri}\r\n", self.method()),
        };
        post(self.revision, &mirrored, &self.message())
    }

    /// The environment variables of the server.
    pub(crate) fn environment(&self) -> [(&'static str, String); 3] {
        let flag = |set| String::from(if set { "1" } else { "0" });
        [("N", self.resources.to_string()), ("BIG", flag(self.big)), ("COMPUTED", flag(self.computed))]
    }
}

/// The HTTP request that opens an event stream.
pub(crate) fn listen(revision: Revision) -> Vec<u8> {
    let message = grange_benches::request(revision, "subscriptions/listen", None);
    let message = message.replacen(r#""params":{"#, r#""params":{"notifications":{},"#, 1);
    post(revision, "Mcp-Method: subscriptions/listen\r\n", &message)
}

fn post(revision: Revision, mirrored: &str, message: &str) -> Vec<u8> {
    let length = message.len();
    format!(
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench/1\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nMCP-Protocol-Version: {revision}\r\n{mirrored}Content-Length: {length}\r\n\r\n{message}"
    )
    .into_bytes()
}
