//! A tool's definition in the making.

use std::sync::Arc;

use super::definition::{BoxCall, Tool, ToolDefinition, ToolHandler};
use super::promise::Promise;
use crate::define::{AsyncCode, CallOutcome, Context, Extended, ExtensionParts, FromArguments};
#[cfg(feature = "schemars")]
use crate::model::HasSchema;
use crate::model::{Icon, IntoToolResult, Metadata, Schema, Text, ToolAnnotations, ToolListing, mirrored};
use crate::rpc::with_plain_integers;

impl Tool {
    /// Starts a definition. `name` is required; `call` or one of its sisters ends it.
    pub fn builder() -> ToolBuilder {
        ToolBuilder { listing: ToolListing::default(), parts: ExtensionParts::default() }
    }
}

/// A definition in the making; see [`Tool::builder`].
#[must_use]
pub struct ToolBuilder {
    listing: ToolListing,
    parts: ExtensionParts,
}

impl ToolBuilder {
    /// The name by which it is called: letters, digits, `_`, `.` and `-`, at most 128.
    pub fn name(mut self, name: impl Into<Text>) -> Self {
        self.listing.name = name.into();
        self
    }

    /// A name for people. Sent from 2025-06-18 on.
    pub fn title(mut self, title: impl Into<Text>) -> Self {
        self.listing.title = Some(title.into());
        self
    }

    /// What it does and when to call it, for the model.
    pub fn description(mut self, description: impl Into<Text>) -> Self {
        self.listing.description = Some(description.into());
        self
    }

    /// Hints about how it behaves. Sent from 2025-03-26 on.
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.listing.annotations = annotations;
        self
    }

    /// Images to show beside the name. Sent from 2025-11-25 on.
    pub fn icons(mut self, icons: impl IntoIterator<Item = Icon>) -> Self {
        self.listing.icons = icons.into_iter().collect();
        self
    }

    /// `_meta` of the list entry. Sent from 2025-06-18 on.
    pub fn meta(mut self, meta: impl Into<Metadata>) -> Self {
        self.listing.meta = meta.into();
        self
    }

    /// What an extension of MCP puts on it, in place of what the same extension put there before.
    pub fn extended(mut self, part: impl Into<Extended>) -> Self {
        self.parts.add(part.into());
        self
    }

    /// The schema of the arguments, passed through untouched. It replaces the one of the arguments' type, which then only
    /// has to be readable from what fits.
    pub fn input_schema(mut self, schema: impl Into<Schema>) -> Self {
        self.listing.input_schema = Some(schema.into());
        self
    }

    /// The schema of the structured content, passed through untouched. Sent from 2025-06-18 on (before 2026-07-28 if it
    /// is one of an object). Where there is one, every result that is no error must have structured content, and that must fit:
    /// clients refuse what does not. With the feature `validate`, as under `grange-testkit`, it is checked, and what does not fit is
    /// an internal error whose story `on_error` gets.
    pub fn output_schema(mut self, schema: impl Into<Schema>) -> Self {
        self.listing.output_schema = Some(schema.into());
        self
    }

    /// What it does, with arguments of a type that derives `Deserialize` and `JsonSchema` and owns what it has: async code that ends
    /// in a `Result<R, ToolError>`, where `R` is [`IntoToolResult`]. Arguments that the type cannot be read from never reach
    /// it: the client is told what is wrong with them.
    #[cfg(feature = "schemars")]
    pub fn call<A, F, Fut, O>(mut self, call: F) -> Tool
    where
        A: FromArguments + HasSchema,
        F: Fn(Context, A) -> Fut + Send + Sync + 'static,
        Fut: AsyncCode<Output = O> + Send + 'static,
        O: CallOutcome,
        O::Output: IntoToolResult,
    {
        self.listing.input_schema.get_or_insert_with(Schema::of_input::<A>);
        self.call_with_schema(call)
    }

    /// What it does, where [`input_schema`](Self::input_schema) says what the arguments are: their type only has to be
    /// readable from them, as `serde_json::Value` is.
    ///
    /// ```
    /// use grange_core::Tool;
    /// use serde_json::{Value, json};
    /// let echo = Tool::builder()
    ///     .name("echo")
    ///     .input_schema(json!({ "type": "object", "properties": { "text": { "type": "string" } } }))
    ///     .call_with_schema(|_cx, args: Value| async move { Ok(args["text"].to_string()) });
    /// ```
    pub fn call_with_schema<A, F, Fut, O>(self, call: F) -> Tool
    where
        A: FromArguments,
        F: Fn(Context, A) -> Fut + Send + Sync + 'static,
        Fut: AsyncCode<Output = O> + Send + 'static,
        O: CallOutcome,
        O::Output: IntoToolResult,
    {
        self.finish::<O::Output>(Arc::new(move |cx, arguments| {
            let arguments = with_plain_integers(arguments);
            let arguments = A::from_arguments(&arguments).map_err(|error| without_place(&error))?;
            Ok(run(call(cx, arguments)))
        }))
    }

    /// What it does, without any arguments.
    ///
    /// ```
    /// use grange_core::Tool;
    /// let now = Tool::builder().name("answer").call_without_arguments(|_cx| async { Ok("42") });
    /// ```
    pub fn call_without_arguments<F, Fut, O>(mut self, call: F) -> Tool
    where
        F: Fn(Context) -> Fut + Send + Sync + 'static,
        Fut: AsyncCode<Output = O> + Send + 'static,
        O: CallOutcome,
        O::Output: IntoToolResult,
    {
        let by_hand = self.listing.input_schema.is_some();
        self.listing.input_schema.get_or_insert_with(Schema::nothing);
        self.finish::<O::Output>(Arc::new(move |cx, arguments| {
            if !by_hand && !is_empty_object(arguments) {
                return Err("this tool takes none".to_owned());
            }
            Ok(run(call(cx)))
        }))
    }

    fn finish<R: IntoToolResult>(mut self, handler: ToolHandler) -> Tool {
        if self.listing.output_schema.is_none() {
            self.listing.output_schema = R::output_schema();
        }
        let mirrored = self.listing.input_schema.iter().flat_map(mirrored::mirrored).collect();
        for part in self.parts.iter() {
            self.listing.meta.merge(&part.meta);
        }
        Tool(Arc::new(ToolDefinition {
            listing: self.listing,
            handler,
            mirrored,
            parts: self.parts,
            promise: Promise::default(),
        }))
    }
}

fn run<O>(calling: impl Future<Output = O> + Send + 'static) -> BoxCall
where
    O: CallOutcome,
    O::Output: IntoToolResult,
{
    Box::pin(async move { calling.await.into_result().map(IntoToolResult::into_tool_result) })
}

/// What is wrong, without the line and column, which mean nothing to whoever wrote the arguments.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(fault, _)| fault.to_owned())
}

fn is_empty_object(json: &str) -> bool {
    json.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).is_some_and(|inside| inside.trim().is_empty())
}
