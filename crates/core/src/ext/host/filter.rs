//! The filter of a list of the host's files.

use serde_json::{Value, json};

/// The files to list. Default: all.
///
/// ```
/// use grange_core::HostFilter;
/// let tables = HostFilter::new().mime_type("text/csv").tag("2026");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostFilter {
    scheme: Option<String>,
    mime_type: Option<String>,
    tags: Vec<String>,
}

impl HostFilter {
    /// All files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lists only files of this scheme, as in `files`.
    #[must_use]
    pub fn scheme(mut self, scheme: impl Into<String>) -> Self {
        self.scheme = Some(scheme.into());
        self
    }

    /// Lists only files of exactly this MIME type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Lists only files with this tag, in addition to earlier tags.
    #[must_use]
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.tags.push(tag.into());
        self
    }

    /// Lists only files with all these tags, in addition to earlier tags.
    #[must_use]
    pub fn tags<T: Into<String>>(mut self, tags: impl IntoIterator<Item = T>) -> Self {
        self.tags.extend(tags.into_iter().map(Into::into));
        self
    }

    /// The parameters of a list request with this filter.
    pub(super) fn into_params(self) -> Value {
        let mut filter = serde_json::Map::new();
        filter.extend(self.scheme.map(|scheme| ("scheme".to_owned(), scheme.into())));
        filter.extend(self.mime_type.map(|mime_type| ("mimeType".to_owned(), mime_type.into())));
        if !self.tags.is_empty() {
            filter.insert("tags".to_owned(), self.tags.into());
        }
        if filter.is_empty() { json!({}) } else { json!({ "_meta": { "filter": filter } }) }
    }
}
