//! The members that clients of a revision may get: one type for resources and `serverInfo`, one for tools.

/// The members that list entries, content items and `serverInfo` may have. Rows with equal fields share cached
/// encodings.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Fields {
    /// The index in a cache of encodings.
    pub(crate) slot: usize,
    pub(crate) title: bool,
    /// `_meta` on entries and items, `lastModified` in annotations. One revision added them all.
    pub(crate) meta: bool,
    /// Icons, and `description` and `websiteUrl` of `serverInfo`.
    pub(crate) icons: bool,
}

impl Fields {
    pub(crate) const SHAPES: usize = 3;
    pub(crate) const BARE: Self = Self { slot: 0, title: false, meta: false, icons: false };
    pub(crate) const TITLED: Self = Self { slot: 1, title: true, meta: true, icons: false };
    pub(crate) const FULL: Self = Self { slot: 2, title: true, meta: true, icons: true };
}

/// The members that tools and their results may have. Rows with equal fields share cached encodings.
#[derive(Debug, Eq, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each is one independent fact of a revision")]
pub(crate) struct ToolFields {
    /// The index in a cache of encodings.
    pub(crate) slot: usize,
    /// Annotations of tools, and audio. One revision added both.
    pub(crate) annotations: bool,
    /// `title`, `_meta`, output schemas, structured content, links.
    pub(crate) structured: bool,
    pub(crate) icons: bool,
    /// Whether structured content may be any JSON value; otherwise it must be an object.
    pub(crate) any_structured: bool,
    /// Whether arguments that do not fit are answered with a result that the model reads; otherwise with an error.
    pub(crate) argument_results: bool,
}

impl ToolFields {
    pub(crate) const SHAPES: usize = 5;
    pub(crate) const BARE: Self = Self {
        slot: 0,
        annotations: false,
        structured: false,
        icons: false,
        any_structured: false,
        argument_results: false,
    };
    pub(crate) const ANNOTATED: Self = Self { slot: 1, annotations: true, ..Self::BARE };
    pub(crate) const STRUCTURED: Self = Self { slot: 2, structured: true, ..Self::ANNOTATED };
    pub(crate) const FULL: Self = Self { slot: 3, icons: true, argument_results: true, ..Self::STRUCTURED };
    pub(crate) const ANY: Self = Self { slot: 4, any_structured: true, ..Self::FULL };
}
