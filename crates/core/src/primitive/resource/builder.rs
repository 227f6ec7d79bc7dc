//! A declared resource: frozen, cheap to clone, reusable across servers; and its builder.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::blob::IntoBlob;
use super::definition::{BoxRead, ContentSource, Definition};
use super::setters::listing_setters;
use crate::define::{
    AsyncCode, Context, Declared, ExtensionData, ExtensionParts, HandlerFailure, ReadError, ReadOutcome,
};
use crate::model::{Annotations, CacheScope, Contents, Icon, IntoContents, IntoText, Item, Metadata, Payload, Text};

/// A declared resource (2026-07-28 server/resources).
///
/// Made by `resource!` or by [`Resource::builder`]. `Server::builder(…).build()` checks all definitions, and reports all problems at
/// once.
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

impl Resource {
    /// Starts a definition. `uri`, `name` and one of `text`, `bytes` and `read` are required.
    pub fn builder() -> ResourceBuilder {
        ResourceBuilder { definition: Definition::default() }
    }

    /// Starts a definition from a copy of this one. Each setting replaces the copied one, and so does a payload.
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

    /// The MIME type.
    pub fn mime_type(&self) -> Option<&str> {
        self.0.listing.mime_type.as_deref()
    }

    /// Reads the contents directly, for tests: without a transport, without authentication, and **without validation of the result**.
    /// Items of a bare payload get the resource's own URI, MIME type and `content_meta`.
    ///
    /// # Errors
    /// The failure of the reader.
    pub async fn read(&self, context: impl Into<Context>) -> Result<Contents, HandlerFailure> {
        let context = context.into().for_uri(&self.0.listing.uri);
        let contents = match &self.0.source {
            None => return Err(HandlerFailure::InvalidContents(vec!["there is no payload".to_owned()])),
            Some(ContentSource::Fixed(payload)) => Item::own(payload.clone()).into_contents(),
            Some(ContentSource::Read(reader)) => reader(context).await?,
        };
        Ok(self.0.owned(contents))
    }

    /// The resource of a definition that is not listed: one that a template names.
    pub(crate) fn of(definition: Definition) -> Self {
        Self(Arc::new(definition))
    }

    pub(crate) fn definition(&self) -> &Definition {
        &self.0
    }

    /// Whether no client can tell the two apart.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.is_same(&other.0)
    }
}

impl Declared for Resource {
    const NOUN: &'static str = "resource";

    fn key(&self) -> &str {
        self.uri()
    }

    fn problems(&self) -> Vec<String> {
        self.0.problems()
    }

    fn duplicate(&self, first: &Self) -> String {
        let names = format!("`{}` and `{}`", first.name(), self.name());
        format!("the uri is declared twice, by {names}: give each resource its own")
    }

    fn parts(&self) -> &ExtensionParts {
        &self.0.parts
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resource").field("uri", &self.uri()).field("name", &self.name()).finish_non_exhaustive()
    }
}

/// A check as a reader without contents.
pub(crate) fn checked<O>(checking: impl Future<Output = O> + Send + 'static) -> BoxRead
where
    O: ReadOutcome<Contents = bool>,
{
    Box::pin(async move {
        if checking.await.into_result()? { Ok(Contents::default()) } else { Err(ReadError::not_found()) }
    })
}

/// Builds a [`Resource`]; see [`Resource::builder`].
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

    listing_setters!(definition);

    /// The size of the contents in bytes, before any encoding. Default for fixed contents: their size.
    pub fn size(mut self, bytes: u64) -> Self {
        self.definition.size = Some(bytes);
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

    /// A reader, which runs for each read: async code that returns a `Result<C, ReadError>`, where `C` is [`IntoContents`].
    ///
    /// ```
    /// use grange_core::Resource;
    /// let today = Resource::builder()
    ///     .uri("reports://today")
    ///     .name("today")
    ///     .read(|cx| async move { Ok(format!("# Report at {}", cx.uri())) })
    ///     .build();
    /// ```
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

    /// Decides whether a client may subscribe to changes: async code that returns a `Result<bool, ReadError>`; `false` makes the resource
    /// unknown to that client. Without it the reader runs for each subscription, and its contents are dropped.
    ///
    /// ```
    /// use grange_core::Resource;
    /// let report = Resource::builder()
    ///     .uri("reports://year")
    ///     .name("year")
    ///     .read(|_cx| async { Ok("a long report") })
    ///     .check(|_cx| async { Ok(true) })
    ///     .build();
    /// ```
    pub fn check<F, Fut, O>(mut self, check: F) -> Self
    where
        F: Fn(Context) -> Fut + Send + Sync + 'static,
        Fut: AsyncCode<Output = O> + Send + 'static,
        O: ReadOutcome<Contents = bool>,
    {
        self.definition.check = Some(Arc::new(move |cx| checked(check(cx))));
        self
    }

    /// Freezes the definition. The server's `build()` checks it.
    pub fn build(mut self) -> Resource {
        self.definition.merge_parts();
        let size = match &self.definition.source {
            Some(ContentSource::Fixed(Payload::Text(text))) => Some(text.len()),
            Some(ContentSource::Fixed(Payload::Bytes(bytes))) => Some(bytes.len()),
            _ => None,
        };
        self.definition.listing.size = self.definition.size.or(size.and_then(|size| u64::try_from(size).ok()));
        Resource(Arc::new(self.definition))
    }
}
