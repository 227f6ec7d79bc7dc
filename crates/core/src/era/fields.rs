//! Which members a revision's clients may see: one shape for what is about resources and `serverInfo`, one for tools.

/// Which members entries, items and `serverInfo` may have. Rows that share a shape share what was encoded for it.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Fields {
    /// The place of this shape in a cache of encodings.
    pub(crate) slot: usize,
    pub(crate) title: bool,
    /// `_meta` on entries and items, `lastModified` in annotations: all came in one revision.
    pub(crate) meta: bool,
    /// Icons, and the longer `serverInfo`.
    pub(crate) icons: bool,
}

impl Fields {
    pub(crate) const SHAPES: usize = 3;
    pub(crate) const BARE: Self = Self { slot: 0, title: false, meta: false, icons: false };
    pub(crate) const TITLED: Self = Self { slot: 1, title: true, meta: true, icons: false };
    pub(crate) const FULL: Self = Self { slot: 2, title: true, meta: true, icons: true };
}

/// Which members tools and their results may have. Rows that share a shape share what was encoded for it.
#[derive(Debug, Eq, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each is one independent fact of a revision")]
pub(crate) struct ToolFields {
    /// The place of this shape in a cache of encodings.
    pub(crate) slot: usize,
    /// Annotations of tools, and audio: both came in one revision.
    pub(crate) annotations: bool,
    /// `title`, `_meta`, output schemas, structured content, links.
    pub(crate) structured: bool,
    pub(crate) icons: bool,
    /// Structured content may be any JSON; otherwise an object.
    pub(crate) any_structured: bool,
    /// Whether arguments that do not fit are a result for the model to read; otherwise an error.
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
