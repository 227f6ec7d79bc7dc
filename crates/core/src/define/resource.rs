//! A resource's definition: frozen, cheap to clone, reusable across servers.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::bounds::{AsyncCode, ReadOutcome};
use super::context::Context;
use super::extended::{Extended, ExtensionParts};
use super::failure::ReadError;
use super::told::ReadFailure;
use crate::model::{
    Annotations, CacheScope, Contents, Icon, IntoContents, IntoText, Item, Listing, Metadata, Payload, Text,
};

/// A declared resource (2026-07-28 server/resources).
///
/// Made by `resource!` or, the same by hand, by [`Resource::builder`]. Nothing is checked here but by the compiler:
/// `Server::builder(…).build()` reports every mistake of every definition at once.
///
/// ```
/// use grange_core::Resource;
/// let guide = Resource::builder()
///     .uri("docs://getting-started")
///     .name("getting-started")
///     .mime_type("text/markdown")
///     .text("# Getting started")
///     .build();
/// let draft = guide.to_builder().uri("docs://draft").build();
/// assert_eq!((guide.uri(), draft.uri()), ("docs://getting-started", "docs://draft"));
/// ```
#[derive(Clone)]
pub struct Resource(Arc<Definition>);

/// The definition behind a [`Resource`].
#[derive(Clone, Default)]
pub(crate) struct Definition {
    pub(crate) listing: Listing,
    /// The size the author gave; without one, a fixed payload's is listed.
    size: Option<u64>,
    pub(crate) content_meta: Metadata,
    pub(crate) ttl: Option<Duration>,
    pub(crate) cache_scope: Option<CacheScope>,
    pub(crate) source: Option<ContentSource>,
    /// What extensions have put on it.
    pub(crate) parts: ExtensionParts,
}

/// Where the contents come from.
#[derive(Clone)]
pub(crate) enum ContentSource {
    Fixed(Payload),
    Read(Reader),
}

/// A reader's running future.
pub(crate) type BoxRead = Pin<Box<dyn Future<Output = Result<Contents, ReadError>> + Send>>;
type Reader = Arc<dyn Fn(Context) -> BoxRead + Send + Sync>;

impl Resource {
    /// Starts a definition. `uri`, `name` and one of `text`, `bytes` and `read` are required.
    pub fn builder() -> ResourceBuilder {
        ResourceBuilder { definition: Definition::default() }
    }

    /// A changed copy: every key that is set replaces the one of this definition, a payload its payload.
    pub fn to_builder(&self) -> ResourceBuilder {
        ResourceBuilder { definition: (*self.0).clone() }
    }

    /// The URI, byte for byte as it is listed and read.
    pub fn uri(&self) -> &str {
        &self.0.listing.uri
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.0.listing.name
    }

    /// The media type.
    pub fn mime_type(&self) -> Option<&str> {
        self.0.listing.mime_type.as_deref()
    }

    /// Reads the contents directly, for tests: no transport, no authentication, and **no validation of the result**.
    /// Items of a bare payload are given the resource's own URI, MIME type and `content_meta`.
    ///
    /// # Errors
    /// What the reader failed with.
    pub async fn read(&self, context: impl Into<Context>) -> Result<Contents, ReadFailure> {
        let context = context.into().for_uri(&self.0.listing.uri);
        let contents = match &self.0.source {
            None => return Err(ReadFailure::InvalidContents(vec!["there is no payload".to_owned()])),
            Some(ContentSource::Fixed(payload)) => Item::own(payload.clone()).into_contents(),
            Some(ContentSource::Read(reader)) => reader(context).await?,
        };
        Ok(self.0.owned(contents))
    }

    pub(crate) fn definition(&self) -> &Definition {
        &self.0
    }
}

impl Definition {
    /// Puts on the items that are the resource itself what extensions have put on the resource, where an item says nothing else.
    pub(crate) fn extend(&self, contents: &mut Contents) {
        for part in self.parts.iter().filter(|part| !part.content_meta.is_empty()) {
            let own = |item: &&mut Item| item.uri.as_ref() == Some(&self.listing.uri);
            for item in contents.items.iter_mut().filter(own) {
                let said = std::mem::replace(&mut item.meta, part.content_meta.clone());
                item.meta.merge(&said);
            }
        }
    }

    /// Gives items without a URI of their own the resource's.
    pub(crate) fn owned(&self, mut contents: Contents) -> Contents {
        self.extend(&mut contents);
        for item in contents.items.iter_mut().filter(|item| item.uri.is_none()) {
            item.uri = Some(self.listing.uri.clone());
            item.mime_type.get_or_insert_with(|| self.listing.mime_type.clone().unwrap_or_default());
            item.mime_type = item.mime_type.take().filter(|mime| !mime.is_empty());
            if item.meta.is_empty() {
                item.meta = self.content_meta.clone();
            }
        }
        contents
    }

    /// What is wrong with the definition, each fault with its remedy.
    pub(crate) fn faults(&self) -> Vec<String> {
        let listing = &self.listing;
        let mut faults = Vec::new();
        if let Err(error) = grange_uri::check_resource(&listing.uri) {
            faults.push(format!("uri {error}"));
        }
        if listing.name.is_empty() {
            faults.push("name is missing: give the resource one, such as `getting-started`".to_owned());
        }
        if let Some(mime) = &listing.mime_type
            && let Err(error) = grange_uri::check_mime(mime)
        {
            faults.push(format!("mime_type `{mime}` {error}"));
        }
        if self.source.is_none() {
            faults.push("there is no payload: give the resource `text`, `bytes` or `read`".to_owned());
        }
        faults.extend(listing.annotations.faults());
        faults.extend(listing.icons.iter().flat_map(Icon::faults));
        faults.extend(listing.meta.faults().iter().cloned());
        faults.extend(self.content_meta.faults().iter().cloned());
        faults.extend(self.parts.resource_faults(listing));
        faults
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resource").field("uri", &self.uri()).field("name", &self.name()).finish_non_exhaustive()
    }
}

/// A definition in the making; see [`Resource::builder`].
#[must_use]
pub struct ResourceBuilder {
    definition: Definition,
}

impl ResourceBuilder {
    /// The URI: absolute RFC 3986, matched byte for byte.
    pub fn uri(mut self, uri: impl Into<Text>) -> Self {
        self.definition.listing.uri = uri.into();
        self
    }

    /// The programmatic name.
    pub fn name(mut self, name: impl Into<Text>) -> Self {
        self.definition.listing.name = name.into();
        self
    }

    /// A name for people. Sent from 2025-06-18 on.
    pub fn title(mut self, title: impl Into<Text>) -> Self {
        self.definition.listing.title = Some(title.into());
        self
    }

    /// What it is and when to read it.
    pub fn description(mut self, description: impl Into<Text>) -> Self {
        self.definition.listing.description = Some(description.into());
        self
    }

    /// The media type.
    pub fn mime_type(mut self, mime_type: impl Into<Text>) -> Self {
        self.definition.listing.mime_type = Some(mime_type.into());
        self
    }

    /// Bytes of the content before any encoding. A fixed payload's is known already.
    pub fn size(mut self, bytes: u64) -> Self {
        self.definition.size = Some(bytes);
        self
    }

    /// Hints for the client.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.definition.listing.annotations = annotations;
        self
    }

    /// Images to show beside the name. Sent from 2025-11-25 on.
    pub fn icons(mut self, icons: impl IntoIterator<Item = Icon>) -> Self {
        self.definition.listing.icons = icons.into_iter().collect();
        self
    }

    /// `_meta` of the list entry. Sent from 2025-06-18 on.
    pub fn meta(mut self, meta: impl Into<Metadata>) -> Self {
        self.definition.listing.meta = meta.into();
        self
    }

    /// `_meta` of the content item, for fixed payloads and readers that return a bare one.
    pub fn content_meta(mut self, meta: impl Into<Metadata>) -> Self {
        self.definition.content_meta = meta.into();
        self
    }

    /// How long a client may keep the contents. Sent as `ttlMs` where the revision has cache hints.
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.definition.ttl = Some(ttl);
        self
    }

    /// Who may share cached contents. Sent as `cacheScope` where the revision has cache hints.
    pub fn cache_scope(mut self, scope: CacheScope) -> Self {
        self.definition.cache_scope = Some(scope);
        self
    }

    /// What an extension of MCP puts on it, in place of what the same extension put there before.
    pub fn extended(mut self, part: impl Into<Extended>) -> Self {
        self.definition.parts.add(part.into());
        self
    }

    /// Fixed text.
    pub fn text(mut self, text: impl IntoText) -> Self {
        self.definition.source = Some(ContentSource::Fixed(Payload::Text(text.into_text())));
        self
    }

    /// Fixed bytes.
    pub fn bytes(mut self, bytes: impl IntoBlob) -> Self {
        self.definition.source = Some(ContentSource::Fixed(Payload::Bytes(bytes.into_blob().0)));
        self
    }

    /// A reader, run for each read: async code that ends in a `Result<C, ReadError>`, where `C` is [`IntoContents`].
    pub fn read<F, Fut, O>(mut self, reader: F) -> Self
    where
        F: Fn(Context) -> Fut + Send + Sync + 'static,
        Fut: AsyncCode<Output = O> + Send + 'static,
        O: ReadOutcome,
        O::Contents: IntoContents,
    {
        let reader = move |cx| -> BoxRead {
            let reading = reader(cx);
            Box::pin(async move { reading.await.into_result().map(IntoContents::into_contents) })
        };
        self.definition.source = Some(ContentSource::Read(Arc::new(reader)));
        self
    }

    /// Freezes the definition. It is checked by the server's `build()`.
    pub fn build(mut self) -> Resource {
        let Definition { listing, content_meta, parts, .. } = &mut self.definition;
        for part in parts.iter() {
            listing.meta.merge(&part.meta);
            content_meta.merge(&part.content_meta);
            if let Some(mime_type) = part.mime_type {
                listing.mime_type.get_or_insert(mime_type.into());
            }
        }
        let size = match &self.definition.source {
            Some(ContentSource::Fixed(Payload::Text(text))) => Some(text.len()),
            Some(ContentSource::Fixed(Payload::Bytes(bytes))) => Some(bytes.len()),
            _ => None,
        };
        self.definition.listing.size = self.definition.size.or(size.and_then(|size| u64::try_from(size).ok()));
        Resource(Arc::new(self.definition))
    }
}

/// Bytes of a fixed payload, from whatever owns them.
pub struct Blob(Bytes);

/// Bytes, from whatever owns them: all that a [`Blob`] can be made from.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no bytes",
    label = "these are no bytes",
    note = "bytes are a `&'static [u8]` (as `include_bytes!` gives them), a `Vec<u8>`, `Bytes` and what converts into `Blob`; text goes in `text`"
)]
pub trait IntoBlob {
    /// The bytes.
    fn into_blob(self) -> Blob;
}

#[diagnostic::do_not_recommend]
impl<T: Into<Blob>> IntoBlob for T {
    fn into_blob(self) -> Blob {
        self.into()
    }
}

impl<const N: usize> From<&'static [u8; N]> for Blob {
    fn from(bytes: &'static [u8; N]) -> Self {
        Self(Bytes::from_static(bytes))
    }
}

impl From<&'static [u8]> for Blob {
    fn from(bytes: &'static [u8]) -> Self {
        Self(Bytes::from_static(bytes))
    }
}

impl From<Vec<u8>> for Blob {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

impl From<Box<[u8]>> for Blob {
    fn from(bytes: Box<[u8]>) -> Self {
        Self(bytes.into())
    }
}

impl From<Bytes> for Blob {
    fn from(bytes: Bytes) -> Self {
        Self(bytes)
    }
}
