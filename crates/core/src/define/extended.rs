//! What an extension of MCP puts on one resource or one tool: members of `_meta`, a media type, a link.

use serde::Serialize;

use crate::model::{Listing, Metadata, Text};

/// What an extension puts on a definition. A server that has such a definition declares the extension.
///
/// ```
/// use grange_core::{Extended, Resource};
/// let priced = Extended::new("com.example/prices").meta("com.example/price", 3);
/// let report = Resource::builder().uri("reports://q3").name("q3").text("…").extended(priced).build();
/// ```
#[derive(Clone, Debug)]
#[must_use = "it is for `.extended(…)` of a resource or a tool"]
pub struct Extended {
    pub(crate) extension: &'static str,
    pub(crate) meta: Metadata,
    pub(crate) content_meta: Metadata,
    pub(crate) mime_type: Option<&'static str>,
    uri_prefix: &'static str,
    titled: bool,
    pub(crate) links: Vec<Text>,
    pub(crate) problems: Vec<String>,
}

impl Extended {
    /// Nothing yet, of the extension of that identifier.
    pub fn new(extension: &'static str) -> Self {
        let (meta, content_meta, mime_type, uri_prefix, titled, links, problems) = Default::default();
        Self { extension, meta, content_meta, mime_type, uri_prefix, titled, links, problems }
    }

    /// A member of the list entry's `_meta`.
    pub fn meta(mut self, key: impl Into<String>, value: impl Serialize) -> Self {
        self.meta.insert(key, value);
        self
    }

    /// A member of the `_meta` of content items that have the resource's own URI. One that a reader gives an item itself counts
    /// instead.
    pub fn content_meta(mut self, key: impl Into<String>, value: impl Serialize) -> Self {
        self.content_meta.insert(key, value);
        self
    }

    /// The media type that a resource must have; it has it without saying so.
    pub fn mime_type(mut self, mime_type: &'static str) -> Self {
        self.mime_type = Some(mime_type);
        self
    }

    /// What a resource's URI must begin with, as in `ui://`.
    pub fn uri_prefix(mut self, prefix: &'static str) -> Self {
        self.uri_prefix = prefix;
        self
    }

    /// That a resource must have a title and a name which are not blank.
    pub fn titled(mut self) -> Self {
        self.titled = true;
        self
    }

    /// The URI of a resource that the server must have, and on which the same extension must have put something.
    pub fn links(mut self, uri: impl Into<Text>) -> Self {
        self.links.push(uri.into());
        self
    }

    /// What is wrong with it, and the remedy: `build()` fails with it.
    pub fn mistake(mut self, problem: impl Into<String>) -> Self {
        self.problems.push(problem.into());
        self
    }
}

/// What extensions have put on one definition.
#[derive(Clone, Default)]
pub(crate) struct ExtensionParts(Vec<Extended>);

impl ExtensionParts {
    /// Adds one, in place of what the same extension put there before.
    pub(crate) fn add(&mut self, part: Extended) {
        self.0.retain(|other| other.extension != part.extension);
        self.0.push(part);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Extended> {
        self.0.iter()
    }

    /// What is wrong with them, each fault with its remedy.
    pub(crate) fn faults(&self) -> Vec<String> {
        self.0.iter().flat_map(|part| part.problems.iter().cloned()).collect()
    }

    /// What is wrong with a resource that has them. Their `_meta` is checked as its own.
    pub(crate) fn resource_faults(&self, listing: &Listing) -> Vec<String> {
        let (uri, mime_type) = (&listing.uri, listing.mime_type.as_deref());
        let is_blank = |text: Option<&str>| text.is_none_or(|text| text.trim().is_empty());
        let mut faults = self.faults();
        for Extended { extension, mime_type: wanted, uri_prefix, titled, .. } in &self.0 {
            if *titled && is_blank(listing.title.as_deref()) {
                faults.push(format!("title is missing, and `{extension}` needs one: add it with `.title(…)`"));
            }
            // One that is empty is a fault of any resource.
            if *titled && !listing.name.is_empty() && is_blank(Some(&listing.name)) {
                faults.push(format!("name is blank, and `{extension}` needs one that is not"));
            }
            if let Some(wanted) = wanted
                && mime_type != Some(wanted)
            {
                let has = mime_type.unwrap_or("none");
                faults.push(format!("mime_type is `{has}`, and `{extension}` needs `{wanted}`: leave it out"));
            }
            if !uri.starts_with(uri_prefix) {
                faults.push(format!("uri is `{uri}`, and `{extension}` needs one that begins with `{uri_prefix}`"));
            }
        }
        faults
    }

    /// Whether that extension has put something here.
    pub(crate) fn has(&self, extension: &str) -> bool {
        self.0.iter().any(|part| part.extension == extension)
    }
}
