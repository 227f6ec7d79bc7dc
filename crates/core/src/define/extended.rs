//! The data that an extension of MCP adds to one resource or tool: members of `_meta`, a MIME type, a link.

use serde::Serialize;

use crate::model::{Listing, Metadata, Text};

/// Data that an extension adds to a definition. A server that has such a definition declares the extension.
///
/// ```
/// use grange_core::{ExtensionData, Resource};
/// let priced = ExtensionData::new("com.example/prices").meta("com.example/price", 3);
/// let report = Resource::builder().uri("reports://q3").name("q3").text("…").extended(priced).build();
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use = "it is for `.extended(…)` of a resource or a tool"]
pub struct ExtensionData {
    pub(crate) extension: &'static str,
    pub(crate) meta: Metadata,
    pub(crate) content_meta: Metadata,
    pub(crate) mime_type: Option<&'static str>,
    uri_prefix: &'static str,
    titled: bool,
    pub(crate) links: Vec<Text>,
    pub(crate) problems: Vec<String>,
}

impl ExtensionData {
    /// Empty data of the extension with that identifier.
    pub fn new(extension: &'static str) -> Self {
        let (meta, content_meta, mime_type, uri_prefix, titled, links, problems) = Default::default();
        Self { extension, meta, content_meta, mime_type, uri_prefix, titled, links, problems }
    }

    /// Adds a member to the `_meta` of the list entry.
    pub fn meta(mut self, key: impl Into<String>, value: impl Serialize) -> Self {
        self.meta.insert(key, value);
        self
    }

    /// Adds a member to the `_meta` of content items that have the resource's own URI. If a reader gives an item a
    /// member with the same key, that member is sent instead.
    pub fn content_meta(mut self, key: impl Into<String>, value: impl Serialize) -> Self {
        self.content_meta.insert(key, value);
        self
    }

    /// Sets the MIME type that a resource must have. A resource that states none gets it.
    pub fn mime_type(mut self, mime_type: &'static str) -> Self {
        self.mime_type = Some(mime_type);
        self
    }

    /// Requires a prefix of the resource's URI, as `ui://`.
    pub fn uri_prefix(mut self, prefix: &'static str) -> Self {
        self.uri_prefix = prefix;
        self
    }

    /// Requires that a resource has a title and a name that are not blank.
    pub fn titled(mut self) -> Self {
        self.titled = true;
        self
    }

    /// Requires that the server has a resource with that URI, to which the same extension has added data.
    pub fn links(mut self, uri: impl Into<Text>) -> Self {
        self.links.push(uri.into());
        self
    }

    /// Adds a problem, which should include the remedy. `build()` then fails with it.
    pub fn problem(mut self, problem: impl Into<String>) -> Self {
        self.problems.push(problem.into());
        self
    }
}

/// The data that extensions have added to one definition.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct ExtensionParts(Vec<ExtensionData>);

impl ExtensionParts {
    /// Adds data, in place of earlier data of the same extension.
    pub(crate) fn add(&mut self, part: ExtensionData) {
        self.0.retain(|other| other.extension != part.extension);
        self.0.push(part);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &ExtensionData> {
        self.0.iter()
    }

    /// The problems of the data, each with its remedy.
    pub(crate) fn problems(&self) -> Vec<String> {
        self.0.iter().flat_map(|part| part.problems.iter().cloned()).collect()
    }

    /// The problems of a resource that has the data. The check of the resource's own `_meta` includes theirs.
    pub(crate) fn resource_problems(&self, listing: &Listing) -> Vec<String> {
        let (uri, mime_type) = (&listing.uri, listing.mime_type.as_deref());
        let is_blank = |text: Option<&str>| text.is_none_or(|text| text.trim().is_empty());
        let mut problems = self.problems();
        for ExtensionData { extension, mime_type: wanted, uri_prefix, titled, .. } in &self.0 {
            if *titled && is_blank(listing.title.as_deref()) {
                problems.push(format!("title is missing, and `{extension}` needs one: add it with `.title(…)`"));
            }
            // An empty name is reported for every resource, so it is not reported again here.
            if *titled && !listing.name.is_empty() && is_blank(Some(&listing.name)) {
                problems.push(format!("name is blank, and `{extension}` needs one that is not"));
            }
            if let Some(wanted) = wanted
                && mime_type != Some(wanted)
            {
                let has = mime_type.unwrap_or("none");
                problems.push(format!("mime_type is `{has}`, and `{extension}` needs `{wanted}`: leave it out"));
            }
            if !uri.starts_with(uri_prefix) {
                problems.push(format!("uri is `{uri}`, and `{extension}` needs one that begins with `{uri_prefix}`"));
            }
        }
        problems
    }

    /// Whether that extension has added data.
    pub(crate) fn has(&self, extension: &str) -> bool {
        self.0.iter().any(|part| part.extension == extension)
    }
}
