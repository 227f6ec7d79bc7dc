//! The data of a resource's definition, and its checks.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use crate::define::{Context, ExtensionParts, ReadError};
use crate::model::{CacheScope, Contents, Item, Listing, Metadata, Payload, Text};

/// The definition behind a [`Resource`](crate::Resource).
#[derive(Clone, Default)]
pub(crate) struct Definition {
    pub(crate) listing: Listing,
    /// The size that the author gave. Without one, the size of a fixed payload is listed.
    pub(super) size: Option<u64>,
    pub(crate) content_meta: Metadata,
    pub(crate) ttl: Option<Duration>,
    pub(crate) cache_scope: Option<CacheScope>,
    pub(crate) source: Option<ContentSource>,
    /// Decides about subscriptions, in place of the reader.
    pub(crate) check: Option<Reader>,
    /// The data of extensions.
    pub(crate) parts: ExtensionParts,
}

impl Definition {
    /// Whether no client can tell the two apart: equal data, and the same code.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let Self { listing, size: _, content_meta, ttl, cache_scope, source, check, parts } = self;
        let checks = (check.as_ref(), other.check.as_ref());
        (listing, content_meta, ttl, cache_scope)
            == (&other.listing, &other.content_meta, &other.ttl, &other.cache_scope)
            && (source, parts) == (&other.source, &other.parts)
            && matches!(checks, (None, None)) | matches!(checks, (Some(one), Some(other)) if Arc::ptr_eq(one, other))
    }
}

/// Where the contents come from.
#[derive(Clone)]
pub(crate) enum ContentSource {
    Fixed(Payload),
    Read(Reader),
}

/// Two readers are equal if they are one.
impl PartialEq for ContentSource {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fixed(one), Self::Fixed(other)) => one == other,
            (Self::Read(one), Self::Read(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

/// Never served: `build()` rejects a definition without a payload.
impl Default for ContentSource {
    fn default() -> Self {
        Self::Fixed(Payload::Text(Text::default()))
    }
}

/// The future of a reader.
pub(crate) type BoxRead = Pin<Box<dyn Future<Output = Result<Contents, ReadError>> + Send>>;

/// A reader, or a check, which gives no contents.
pub(crate) type Reader = Arc<dyn Fn(Context) -> BoxRead + Send + Sync>;

impl Definition {
    /// The definition of a resource that a template names: what its contents need of the template's.
    pub(crate) fn instance(&self, uri: Text) -> Self {
        let listing = Listing { uri, mime_type: self.listing.mime_type.clone(), ..Listing::default() };
        let (content_meta, parts) = (self.content_meta.clone(), self.parts.clone());
        Self { listing, content_meta, parts, ..Self::default() }
    }

    /// Adds the metadata of extensions to that of the definition.
    pub(crate) fn merge_parts(&mut self) {
        let Self { listing, content_meta, parts, .. } = self;
        for part in parts.iter() {
            listing.meta.merge(&part.meta);
            content_meta.merge(&part.content_meta);
            if let Some(mime_type) = part.mime_type {
                listing.mime_type.get_or_insert(mime_type.into());
            }
        }
    }

    /// Adds the metadata of extensions to the items that have the resource's own URI. Members that an item has already take precedence.
    pub(crate) fn extend(&self, contents: &mut Contents) {
        for part in self.parts.iter().filter(|part| !part.content_meta.is_empty()) {
            let own = |item: &&mut Item| item.uri.as_ref() == Some(&self.listing.uri);
            for item in contents.items.iter_mut().filter(own) {
                let said = std::mem::replace(&mut item.meta, part.content_meta.clone());
                item.meta.merge(&said);
            }
        }
    }

    /// Gives items without a URI the URI, MIME type and metadata of the resource.
    pub(crate) fn owned(&self, mut contents: Contents) -> Contents {
        self.extend(&mut contents);
        for item in contents.items.iter_mut().filter(|item| item.uri.is_none()) {
            item.mime_type = item.sent_mime_type(self.listing.mime_type.as_ref()).cloned();
            item.uri = Some(self.listing.uri.clone());
            if item.meta.is_empty() {
                item.meta = self.content_meta.clone();
            }
        }
        contents
    }

    /// The problems of the definition, each with its remedy.
    pub(super) fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if let Err(error) = grange_uri::check_resource(&self.listing.uri) {
            problems.push(format!("uri {error}"));
        }
        problems.extend(self.common_problems("resource"));
        if self.source.is_none() {
            problems.push("there is no payload: give the resource `text`, `bytes` or `read`".to_owned());
        }
        problems
    }

    /// The problems of what a resource and a template have in common. `noun` is which of the two it is.
    pub(crate) fn common_problems(&self, noun: &str) -> Vec<String> {
        let listing = &self.listing;
        let mut problems = listing.problems(noun);
        problems.extend(self.content_meta.problems().iter().cloned());
        problems.extend(self.parts.resource_problems(listing));
        problems
    }
}
