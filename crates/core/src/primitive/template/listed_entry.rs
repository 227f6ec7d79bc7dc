//! One resource in the list of a template.

use crate::model::{Annotations, Icon, Listing, Metadata, Text};

/// What a list says of one resource beside its URI; see [`ListPage::entries`](crate::ListPage::entries).
///
/// ```
/// use grange_core::Entry;
/// let entry = Entry::new("order 7").title("Three chairs").mime_type("application/json").size(120);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Entry(pub(super) Listing);

impl Entry {
    /// An entry with this name.
    pub fn new(name: impl Into<Text>) -> Self {
        Self(Listing { name: name.into(), ..Listing::default() })
    }

    /// A name for people. Sent from 2025-06-18 on.
    #[must_use]
    pub fn title(mut self, title: impl Into<Text>) -> Self {
        self.0.title = Some(title.into());
        self
    }

    /// What it is and when to read it.
    #[must_use]
    pub fn description(mut self, description: impl Into<Text>) -> Self {
        self.0.description = Some(description.into());
        self
    }

    /// The MIME type. Default: that of the template.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<Text>) -> Self {
        self.0.mime_type = Some(mime_type.into());
        self
    }

    /// The size of the contents in bytes, before any encoding.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> Self {
        self.0.size = Some(bytes);
        self
    }

    /// Hints for the client.
    #[must_use]
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.0.annotations = annotations;
        self
    }

    /// Images to show beside the name. Sent from 2025-11-25 on.
    #[must_use]
    pub fn icons(mut self, icons: impl IntoIterator<Item = Icon>) -> Self {
        self.0.icons = icons.into_iter().collect();
        self
    }

    /// `_meta` of the list entry. Sent from 2025-06-18 on.
    #[must_use]
    pub fn meta(mut self, meta: impl Into<Metadata>) -> Self {
        self.0.meta = meta.into();
        self
    }
}
