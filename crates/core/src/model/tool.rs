//! The metadata of a tool in a list, and the result of a call.

use serde::Serialize;
use serde_json::Value;

#[cfg(feature = "schemars")]
use super::HasSchema;
use super::{ContentBlock, Icon, IntoText, Metadata, Schema, Text};

/// The metadata of a tool in a list: every field that `tools/list` has in any revision.
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
    /// Annotations without hints.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a name for people, for clients of 2025-03-26, which do not know the `title` of the tool itself.
    #[must_use]
    pub fn title(mut self, title: impl Into<Text>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets `readOnlyHint`: the tool changes nothing.
    #[must_use]
    pub fn read_only(mut self, yes: bool) -> Self {
        self.read_only = Some(yes);
        self
    }

    /// Sets `destructiveHint`: the tool may delete or overwrite data.
    #[must_use]
    pub fn destructive(mut self, yes: bool) -> Self {
        self.destructive = Some(yes);
        self
    }

    /// Sets `idempotentHint`: a second call with the same arguments changes nothing more.
    #[must_use]
    pub fn idempotent(mut self, yes: bool) -> Self {
        self.idempotent = Some(yes);
        self
    }

    /// Sets `openWorldHint`: the tool deals with things outside the server, such as the web.
    #[must_use]
    pub fn open_world(mut self, yes: bool) -> Self {
        self.open_world = Some(yes);
        self
    }

    /// Whether there are no hints.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The result of a tool call (2026-07-28 server/tools, "Tool Result").
///
/// ```
/// use grange_core::ToolResult;
/// let found = ToolResult::new().text("3 files").structured(serde_json::json!({ "files": 3 }));
/// let failed = ToolResult::error("This host cannot read files by URI: pass the content as `text`.");
/// assert!(failed.is_error() && !found.is_error());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolResult {
    pub(crate) content: Vec<ContentBlock>,
    pub(crate) structured: Option<Value>,
    pub(crate) is_error: bool,
    pub(crate) meta: Metadata,
    problems: Vec<String>,
}

impl ToolResult {
    /// A result without content.
    pub fn new() -> Self {
        Self::default()
    }

    /// A failed result. The model reads the text, and can correct its call.
    pub fn error(text: impl IntoText) -> Self {
        Self { is_error: true, ..Self::new().text(text) }
    }

    /// Adds a block of text.
    #[must_use]
    pub fn text(self, text: impl IntoText) -> Self {
        self.content(ContentBlock::text(text))
    }

    /// Adds a content block.
    #[must_use]
    pub fn content(mut self, content: impl Into<ContentBlock>) -> Self {
        self.content.push(content.into());
        self
    }

    /// Sets the structured content: a result for programs, beside the content blocks. It should match the tool's output
    /// schema.
    ///
    /// If the result has no content block, the value is also sent as text. Clients before 2025-06-18 get no structured
    /// content, and clients before 2026-07-28 get it only if it is an object.
    #[must_use]
    pub fn structured(mut self, value: impl Serialize) -> Self {
        match serde_json::to_value(value) {
            Ok(value) => self.structured = Some(value),
            Err(error) => self.problems.push(format!("the structured content is not JSON: {error}")),
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

    /// The content blocks.
    pub fn blocks(&self) -> &[ContentBlock] {
        &self.content
    }

    /// The structured content.
    pub fn structured_content(&self) -> Option<&Value> {
        self.structured.as_ref()
    }

    /// The problems for which the result cannot be sent.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems = self.problems.clone();
        problems.extend(self.content.iter().flat_map(ContentBlock::problems));
        problems.extend(self.meta.problems().iter().cloned());
        problems
    }
}

/// A type that a tool may return: a [`ToolResult`], one [`ContentBlock`] or several, bare text, or [`Structured`].
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    note = "return `ToolResult`, a `ContentBlock`, a `Vec<ContentBlock>`, a `String`, or `Structured(value)` of a type with a schema"
)]
pub trait IntoToolResult {
    /// Converts into a result.
    fn into_tool_result(self) -> ToolResult;

    /// The schema of the structured content of this type, if it is known.
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

impl IntoToolResult for ContentBlock {
    fn into_tool_result(self) -> ToolResult {
        ToolResult::new().content(self)
    }
}

impl IntoToolResult for Vec<ContentBlock> {
    fn into_tool_result(self) -> ToolResult {
        ToolResult { content: self, ..ToolResult::new() }
    }
}

impl<const N: usize> IntoToolResult for [ContentBlock; N] {
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

/// A structured result. Its output schema is derived from the type.
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
