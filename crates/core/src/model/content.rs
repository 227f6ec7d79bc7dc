//! Content blocks of a tool's result: text, images, audio, embedded resources and links to resources.

use bytes::Bytes;
use serde::Serialize;

use super::{Annotations, IntoText, Item, Listing, Metadata, Payload, Text};

/// One block of a tool's result (2026-07-28 server/tools, "Tool Result").
///
/// If the client's revision has no such block (audio before 2025-03-26, links before 2025-06-18), the client gets a
/// text that describes it.
///
/// ```
/// use grange_core::{ContentBlock, Item, Link, Role, Annotations};
/// let blocks = [
///     ContentBlock::text("Two charts."),
///     ContentBlock::image(vec![0x89, 0x50, 0x4e, 0x47], "image/png"),
///     ContentBlock::resource(Item::text("reports://latest", "# Report").mime_type("text/markdown")),
///     ContentBlock::link(Link::new("reports://archive", "archive"))
///         .annotations(Annotations::new().audience([Role::User])),
/// ];
/// assert_eq!(blocks[0].as_text(), Some("Two charts."));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ContentBlock {
    pub(crate) block: Block,
    pub(crate) annotations: Annotations,
    pub(crate) meta: Metadata,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Block {
    Audio { payload: Payload, mime_type: Text },
    Image { payload: Payload, mime_type: Text },
    Link(Box<Link>),
    Resource(Box<Item>),
    Text(Text),
}

impl ContentBlock {
    /// A block of text.
    pub fn text(text: impl IntoText) -> Self {
        Self::new(Block::Text(text.into_text()))
    }

    /// An image, from the bytes of its file. Sent as base64.
    pub fn image(bytes: impl Into<Bytes>, mime_type: impl Into<Text>) -> Self {
        Self::new(Block::Image { payload: Payload::Bytes(bytes.into()), mime_type: mime_type.into() })
    }

    /// An image that is already encoded in standard base64 with padding. Any other text fails the call.
    pub fn image_base64(base64: impl Into<Text>, mime_type: impl Into<Text>) -> Self {
        Self::new(Block::Image { payload: Payload::Base64(base64.into()), mime_type: mime_type.into() })
    }

    /// Audio, from the bytes of its file. Sent as base64.
    pub fn audio(bytes: impl Into<Bytes>, mime_type: impl Into<Text>) -> Self {
        Self::new(Block::Audio { payload: Payload::Bytes(bytes.into()), mime_type: mime_type.into() })
    }

    /// Audio that is already encoded in standard base64 with padding. Any other text fails the call.
    pub fn audio_base64(base64: impl Into<Text>, mime_type: impl Into<Text>) -> Self {
        Self::new(Block::Audio { payload: Payload::Base64(base64.into()), mime_type: mime_type.into() })
    }

    /// An embedded resource with its contents. The server need not list it.
    pub fn resource(item: Item) -> Self {
        Self::new(Block::Resource(Box::new(item)))
    }

    /// A link to a resource, which the client can read.
    pub fn link(link: impl Into<Link>) -> Self {
        Self::new(Block::Link(Box::new(link.into())))
    }

    fn new(block: Block) -> Self {
        Self { block, annotations: Annotations::new(), meta: Metadata::new() }
    }

    /// Sets hints for the client.
    #[must_use]
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// Adds a member to the block's `_meta`. Sent from 2025-06-18 on.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Serialize) -> Self {
        self.meta.insert(key, value);
        self
    }

    /// The text, if the block is text.
    pub fn as_text(&self) -> Option<&str> {
        match &self.block {
            Block::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The problems for which the block cannot be sent.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems: Vec<String> = self.annotations.problems().collect();
        problems.extend(self.meta.problems().iter().cloned());
        match &self.block {
            Block::Text(_) => {}
            Block::Audio { payload, mime_type } | Block::Image { payload, mime_type } => {
                problems.extend(mime_problem(mime_type));
                problems.extend(payload.problem());
            }
            Block::Link(link) => problems.extend(link.problems()),
            Block::Resource(item) => {
                problems.extend(item.problems());
                if item.uri.is_none() {
                    problems.push("an embedded resource has no uri: make it with `Item::text(uri, …)`".to_owned());
                }
            }
        }
        problems
    }
}

impl From<&'static str> for ContentBlock {
    fn from(text: &'static str) -> Self {
        Self::text(text)
    }
}

impl From<String> for ContentBlock {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

fn mime_problem(mime_type: &str) -> Option<String> {
    grange_uri::check_mime(mime_type).err().map(|error| format!("mime_type `{mime_type}` {error}"))
}

/// A link to a resource, with the fields of its list entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Link(pub(crate) Listing);

impl Link {
    /// A link to the resource with that URI and name.
    pub fn new(uri: impl Into<Text>, name: impl Into<Text>) -> Self {
        Self(Listing { uri: uri.into(), name: name.into(), ..Listing::default() })
    }

    /// Sets a name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<Text>) -> Self {
        self.0.title = Some(title.into());
        self
    }

    /// Sets a description: what the resource is, and when to read it.
    #[must_use]
    pub fn description(mut self, description: impl Into<Text>) -> Self {
        self.0.description = Some(description.into());
        self
    }

    /// Sets the MIME type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<Text>) -> Self {
        self.0.mime_type = Some(mime_type.into());
        self
    }

    /// Sets the size of the content in bytes, before any encoding.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> Self {
        self.0.size = Some(bytes);
        self
    }

    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if let Err(error) = grange_uri::check_absolute(&self.0.uri) {
            problems.push(format!("link uri `{}` {error}", self.0.uri));
        }
        if self.0.name.is_empty() {
            problems.push(format!("the link to `{}` has no name", self.0.uri));
        }
        problems.extend(self.0.mime_type.as_deref().and_then(mime_problem));
        problems
    }
}
