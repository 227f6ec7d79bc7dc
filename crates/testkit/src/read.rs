//! The result of `resources/read` as a client sees it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::{Map, Value};

/// The result of a read.
///
/// ```
/// # use grange_core::{Resource, Revision, Server};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let logo = Resource::builder().uri("docs://logo").name("logo").bytes(b"\x89PNG").build();
/// let server = Server::builder("documentation", "1.0.0").resource(logo).build()?;
/// let mut client = grange_testkit::connect(&server, Revision::V2026_07_28).await?;
/// let read = client.read("docs://logo").await?;
/// assert_eq!(read.bytes().as_deref(), Some(&b"\x89PNG"[..]));
/// assert_eq!(read.items()[0].uri(), "docs://logo");
/// assert_eq!(read.result()["cacheScope"], "private");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    result: Value,
    items: Vec<ReadItem>,
    meta: Map<String, Value>,
}

impl Read {
    pub(crate) fn from_result(result: Value) -> Self {
        let items = result["contents"].as_array().into_iter().flatten().cloned().map(ReadItem).collect();
        let meta = object(&result);
        Self { result, items, meta }
    }

    /// The text, if the contents are a single text item.
    pub fn text(&self) -> Option<&str> {
        if let [item] = &*self.items { item.text() } else { None }
    }

    /// The bytes, if the contents are a single binary item.
    pub fn bytes(&self) -> Option<Bytes> {
        if let [item] = &*self.items { item.bytes() } else { None }
    }

    /// The items, in order.
    pub fn items(&self) -> &[ReadItem] {
        &self.items
    }

    /// The `_meta` of the whole result. For a revision without a handshake it includes the server's own entry.
    pub fn meta(&self) -> &Map<String, Value> {
        &self.meta
    }

    /// The whole result.
    pub fn result(&self) -> &Value {
        &self.result
    }
}

/// One item of `contents`.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadItem(Value);

impl ReadItem {
    /// The URI.
    pub fn uri(&self) -> &str {
        self.0["uri"].as_str().unwrap_or_default()
    }

    /// The MIME type.
    pub fn mime_type(&self) -> Option<&str> {
        self.0["mimeType"].as_str()
    }

    /// The text, if it is a text item.
    pub fn text(&self) -> Option<&str> {
        self.0["text"].as_str()
    }

    /// The bytes, if it is a binary item.
    pub fn bytes(&self) -> Option<Bytes> {
        STANDARD.decode(self.0["blob"].as_str()?).ok().map(Bytes::from)
    }

    /// The item's `_meta`.
    pub fn meta(&self) -> Map<String, Value> {
        object(&self.0)
    }

    /// The whole item, as JSON.
    pub fn json(&self) -> &Value {
        &self.0
    }
}

fn object(of: &Value) -> Map<String, Value> {
    of["_meta"].as_object().cloned().unwrap_or_default()
}
