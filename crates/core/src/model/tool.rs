//! What a list says of a tool, and what a call of it gives.

use serde::Serialize;
use serde_json::Value;

#[cfg(feature = "schemars")]
use super::HasSchema;
use super::{Content, Icon, IntoText, Metadata, Schema, Text};

/// The listing metadata of a tool: everything `tools/list` may show, in any revision.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolListing {
    pub(crate) name: Text,
    pub(crate) title: Option<Text>,
    pub(crate) description: Option<Text>,
    pub(crate) input_schema: Option<Schema>,
    pub(crate) output_schema: Option<Schema>,
    pub(crate) annotations: ToolAnnotations,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Metadata,
}

/// Hints about how a tool behaves (2026-07-28 schema, `ToolAnnotations`). Sent from 2025-03-26 on.
///
/// ```
/// use grange_core::ToolAnnotations;
/// let looks_only = ToolAnnotations::new().read_only(true).open_world(false);
/// assert!(!looks_only.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolAnnotations {
    pub(crate) title: Option<Text>,
    pub(crate) read_only: Option<bool>,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: Option<bool>,
    pub(crate) open_world: Option<bool>,
}

impl ToolAnnotations {
    /// No hints.
    pub fn new() -> Self {
        Self::default()
    }

    /// A name for people, for clients that know no `title` of the tool itself (2025-03-26).
    #[must_use]
    pub fn title(mut self, title: impl Into<Text>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// `readOnlyHint`: it changes nothing.
    #[must_use]
    pub fn read_only(mut self, yes: bool) -> Self {
        self.read_only = Some(yes);
        self
    }

    /// `destructiveHint`: what it changes may be lost.
    #[must_use]
    pub fn destructive(mut self, yes: bool) -> Self {
        self.destructive = Some(yes);
        self
    }

    /// `idempotentHint`: doing it twice is doing it once.
    #[must_use]
    pub fn idempotent(mut self, yes: bool) -> Self {
        self.idempotent = Some(yes);
        self
    }

    /// `openWorldHint`: it deals with things outside the server, such as the web.
    #[must_use]
    pub fn open_world(mut self, yes: bool) -> Self {
        self.open_world = Some(yes);
        self
    }

    /// Whether there is no hint.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What a call of a tool gives (2026-07-28 server/tools, "Tool Result").
///
/// ```
/// use grange_core::ToolResult;
/// let found = ToolResult::new().text("3 files").structured(serde_json::json!({ "files": 3 }));
/// let failed = ToolResult::error("This host cannot read files by URI: pass the content as `text`.");
/// assert!(failed.is_error() && !found.is_error());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolResult {
    pub(crate) content: Vec<Content>,
    pub(crate) structured: Option<Value>,
    pub(crate) is_error: bool,
    pub(crate) meta: Metadata,
    faults: Vec<String>,
}

impl ToolResult {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A failure that the model is meant to read, and to do better after.
    pub fn error(text: impl IntoText) -> Self {
        Self { is_error: true, ..Self::new().text(text) }
    }

    /// Adds text.
    #[must_use]
    pub fn text(self, text: impl IntoText) -> Self {
        self.content(Content::text(text))
    }

    /// Adds a block.
    #[must_use]
    pub fn content(mut self, content: impl Into<Content>) -> Self {
        self.content.push(content.into());
        self
    }

    /// The result for programs, beside the blocks. It should fit the tool's output schema. Without a block of its own it
    /// is sent as text too, for clients that know no structured content (before 2025-06-18; an object before
    /// 2026-07-28).
    #[must_use]
    pub fn structured(mut self, value: impl Serialize) -> Self {
        match serde_json::to_value(value) {
            Ok(value) => self.structured = Some(value),
            Err(error) => self.faults.push(format!("the structured content is not JSON: {error}")),
        }
        self
    }

    /// Adds a member to the `_meta` of the result.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Serialize) -> Self {
        self.meta.insert(key, value);
        self
    }

    /// Whether the call failed.
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    /// The blocks.
    pub fn blocks(&self) -> &[Content] {
        &self.content
    }

    /// The result for programs.
    pub fn structured_content(&self) -> Option<&Value> {
        self.structured.as_ref()
    }

    /// What makes the result unfit to leave.
    pub(crate) fn faults(&self) -> Vec<String> {
        let mut faults = self.faults.clone();
        faults.extend(self.content.iter().flat_map(Content::faults));
        faults.extend(self.meta.faults().iter().cloned());
        faults
    }
}

/// What a tool may return: a [`ToolResult`], [`Content`] or several, bare text, or [`Structured`].
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    note = "return `ToolResult`, a `Content`, a `Vec<Content>`, a `String`, or `Structured(value)` of a type with a schema"
)]
pub trait IntoToolResult {
    /// The result.
    fn into_tool_result(self) -> ToolResult;

    /// The schema that every structured content of this type fits, if it is known.
    fn output_schema() -> Option<Schema>
    where
        Self: Sized,
    {
        None
    }
}

impl IntoToolResult for ToolResult {
    fn into_tool_result(self) -> ToolResult {
        self
    }
}

impl IntoToolResult for Content {
    fn into_tool_result(self) -> ToolResult {
        ToolResult::new().content(self)
    }
}

impl IntoToolResult for Vec<Content> {
    fn into_tool_result(self) -> ToolResult {
        ToolResult { content: self, ..ToolResult::new() }
    }
}

impl<const N: usize> IntoToolResult for [Content; N] {
    fn into_tool_result(self) -> ToolResult {
        Vec::from(self).into_tool_result()
    }
}

impl IntoToolResult for Text {
    fn into_tool_result(self) -> ToolResult {
        ToolResult::new().text(self)
    }
}

impl IntoToolResult for String {
    fn into_tool_result(self) -> ToolResult {
        ToolResult::new().text(self)
    }
}

impl IntoToolResult for &'static str {
    fn into_tool_result(self) -> ToolResult {
        ToolResult::new().text(self)
    }
}

/// A result for programs whose output schema is its type's.
///
/// ```
/// # #[cfg(feature = "schemars")] {
/// use grange_core::{Structured, Tool, schemars};
/// #[derive(serde::Serialize, schemars::JsonSchema)]
/// struct Count { files: u32 }
/// let count = Tool::builder().name("count").call_without_arguments(|_cx| async { Ok(Structured(Count { files: 3 })) });
/// # }
/// ```
#[cfg(feature = "schemars")]
#[derive(Clone, Debug, PartialEq)]
pub struct Structured<T>(pub T);

#[cfg(feature = "schemars")]
impl<T: Serialize + HasSchema> IntoToolResult for Structured<T> {
    fn into_tool_result(self) -> ToolResult {
        ToolResult::new().structured(self.0)
    }

    fn output_schema() -> Option<Schema> {
        Some(Schema::of_output::<T>())
    }
}
