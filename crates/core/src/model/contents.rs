//! The result of a read: items, each with exactly one payload, and metadata of the whole result.

use base64_simd::STANDARD;
use bytes::Bytes;
use serde::Serialize;

use super::{IntoText, Metadata, Text};

/// The contents of a resource (2026-07-28 server/resources, "Reading resources").
///
/// Contents without items are legal: the resource exists and is empty.
///
/// ```
/// use grange_core::{Contents, Item};
/// let contents = Contents::new()
///     .item(Item::text("reports://latest", "Report complete.").mime_type("text/plain"))
///     .item(Item::bytes("reports://latest/data", vec![1, 2, 3]))
///     .meta("example.com/report-version", 1);
/// assert_eq!(contents.items()[0].as_text(), Some("Report complete."));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    pub(crate) items: Vec<Item>,
    pub(crate) meta: Metadata,
}

impl Contents {
    /// Contents without items.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an item.
    #[must_use]
    pub fn item(mut self, item: Item) -> Self {
        self.items.push(item);
        self
    }

    /// Adds a member to the `_meta` of the whole result.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Serialize) -> Self {
        self.meta.insert(key, value);
        self
    }

    /// The items, in order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The `_meta` of the whole result.
    pub fn metadata(&self) -> &Metadata {
        &self.meta
    }
}

/// One item of a resource's contents: a URI, and either text or bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// `None` for a bare or fixed payload, which has the URI, the MIME type and the `content_meta` of its resource.
    pub(crate) uri: Option<Text>,
    pub(crate) mime_type: Option<Text>,
    /// The MIME type if neither the item nor its resource has one.
    default_mime_type: Option<Text>,
    pub(crate) meta: Metadata,
    pub(crate) payload: Payload,
    /// The problem for which there is no payload.
    payload_problem: Option<String>,
}

const JSON: &str = "application/json";

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Payload {
    Text(Text),
    Bytes(Bytes),
    /// Base64 from the author. It is checked before it is sent.
    Base64(Text),
}

impl Payload {
    pub(crate) fn problem(&self) -> Option<String> {
        let Self::Base64(base64) = self else { return None };
        STANDARD.check(base64.as_bytes()).err()?;
        Some(
            "item base64 is not standard base64 with padding: encode the bytes as that, or give them as they are"
                .into(),
        )
    }

    /// Length in bytes, before the engine encodes the payload.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Text(text) | Self::Base64(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }
}

impl Item {
    /// An item with text.
    pub fn text(uri: impl Into<Text>, text: impl IntoText) -> Self {
        Self::new(Some(uri.into()), Payload::Text(text.into_text()))
    }

    /// An item with bytes, which are sent as standard base64 with padding.
    pub fn bytes(uri: impl Into<Text>, bytes: impl Into<Bytes>) -> Self {
        Self::new(Some(uri.into()), Payload::Bytes(bytes.into()))
    }

    /// An item whose bytes are already encoded in standard base64 with padding. Any other text fails the read.
    pub fn base64(uri: impl Into<Text>, base64: impl Into<Text>) -> Self {
        Self::new(Some(uri.into()), Payload::Base64(base64.into()))
    }

    /// An item with a value as JSON. Its MIME type is `application/json`, unless [`mime_type`](Self::mime_type) sets another. A value that
    /// cannot be serialized fails the read.
    pub fn json(uri: impl Into<Text>, value: impl Serialize) -> Self {
        Self { uri: Some(uri.into()), ..Self::of_json(&value) }.mime_type(JSON)
    }

    /// An item without a URI of its own, with a value as JSON.
    pub(super) fn of_json(value: &impl Serialize) -> Self {
        let (text, payload_problem) = match serde_json::to_string(value) {
            Ok(json) => (Text::from(json), None),
            Err(error) => (Text::default(), Some(format!("the value cannot be serialized as JSON: {error}"))),
        };
        let default_mime_type = Some(Text::from_static(JSON));
        Self { default_mime_type, payload_problem, ..Self::own(Payload::Text(text)) }
    }

    pub(crate) fn own(payload: Payload) -> Self {
        Self::new(None, payload)
    }

    fn new(uri: Option<Text>, payload: Payload) -> Self {
        let (mime_type, default_mime_type, payload_problem) = Default::default();
        Self { uri, mime_type, default_mime_type, meta: Metadata::new(), payload, payload_problem }
    }

    /// Sets the item's MIME type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<Text>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Adds a member to the item's `_meta`. Sent from 2025-06-18 on.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Serialize) -> Self {
        self.meta.insert(key, value);
        self
    }

    /// The item's URI; `None` if it has the URI of its resource.
    pub fn uri(&self) -> Option<&str> {
        self.uri.as_deref()
    }

    /// The item's MIME type, if it has one of its own.
    pub fn media_type(&self) -> Option<&str> {
        self.mime_type.as_deref()
    }

    /// The item's `_meta`.
    pub fn metadata(&self) -> &Metadata {
        &self.meta
    }

    /// The text, if the payload is text.
    pub fn as_text(&self) -> Option<&str> {
        match &self.payload {
            Payload::Text(text) => Some(text),
            Payload::Bytes(_) | Payload::Base64(_) => None,
        }
    }

    /// The bytes, decoded if they were given as base64. `None` for text and for malformed base64.
    pub fn as_bytes(&self) -> Option<Bytes> {
        match &self.payload {
            Payload::Text(_) => None,
            Payload::Bytes(bytes) => Some(bytes.clone()),
            Payload::Base64(base64) => STANDARD.decode_to_vec(base64.as_bytes()).ok().map(Bytes::from),
        }
    }

    /// The problems for which the item cannot be sent.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems = self.meta.problems().to_vec();
        if let Some(uri) = &self.uri
            && let Err(error) = grange_uri::check_absolute(uri)
        {
            problems.push(format!("item uri `{uri}` {error}"));
        }
        if let Some(mime) = &self.mime_type
            && let Err(error) = grange_uri::check_mime(mime)
        {
            problems.push(format!("item mime_type `{mime}` {error}"));
        }
        problems.extend(self.payload.problem());
        problems.extend(self.payload_problem.clone());
        problems
    }

    /// The MIME type that is sent. An item without a URI of its own takes that of its resource.
    pub(crate) fn sent_mime_type<'a>(&'a self, of_resource: Option<&'a Text>) -> Option<&'a Text> {
        let of_resource = of_resource.filter(|_| self.uri.is_none());
        self.mime_type.as_ref().or(of_resource).or(self.default_mime_type.as_ref())
    }
}

/// A type that a reader may return: [`Contents`], [`Item`]s, or a bare payload. A bare payload becomes one item with
/// the URI, the MIME type and the `content_meta` of its resource.
#[diagnostic::on_unimplemented(
    message = "a reader cannot return `{Self}`",
    note = "return `Contents`, an `Item`, a `Vec<Item>`, a bare `String`, `&'static str`, `Vec<u8>` or `Bytes`, or `Json(value)`"
)]
pub trait IntoContents {
    /// Converts into contents.
    fn into_contents(self) -> Contents;
}

impl IntoContents for Contents {
    fn into_contents(self) -> Contents {
        self
    }
}

impl IntoContents for Item {
    fn into_contents(self) -> Contents {
        [self].into_contents()
    }
}

impl IntoContents for Vec<Item> {
    fn into_contents(self) -> Contents {
        Contents { items: self, meta: Metadata::new() }
    }
}

impl<const N: usize> IntoContents for [Item; N] {
    fn into_contents(self) -> Contents {
        Vec::from(self).into_contents()
    }
}

impl IntoContents for Text {
    fn into_contents(self) -> Contents {
        Item::own(Payload::Text(self)).into_contents()
    }
}

impl IntoContents for String {
    fn into_contents(self) -> Contents {
        Text::from(self).into_contents()
    }
}

impl IntoContents for &'static str {
    fn into_contents(self) -> Contents {
        Text::from(self).into_contents()
    }
}

impl IntoContents for Bytes {
    fn into_contents(self) -> Contents {
        Item::own(Payload::Bytes(self)).into_contents()
    }
}

impl IntoContents for Vec<u8> {
    fn into_contents(self) -> Contents {
        Bytes::from(self).into_contents()
    }
}
