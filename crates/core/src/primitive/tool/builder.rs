//! A declared tool: frozen, cheap to clone, reusable across servers; and its builder.

use std::fmt;
use std::sync::Arc;

use super::definition::{BoxCall, ToolDefinition, ToolHandler};
use super::promise::Promise;
use crate::define::{
    AsyncCode, CallOutcome, Context, Declared, ExtensionData, ExtensionParts, FromArguments, HandlerFailure, ReadError,
};
#[cfg(feature = "schemars")]
use crate::model::HasSchema;
use crate::model::{Icon, IntoToolResult, Metadata, Schema, Text, ToolAnnotations, ToolListing, ToolResult, mirrored};
use crate::rpc::with_plain_integers;

/// A declared tool (2026-07-28 server/tools).
///
/// Made by `tool!` or by [`Tool::builder`]. `Server::builder(…).build()` checks all definitions, and reports all problems at once.
///
/// ```
/// use grange_core::{Tool, ToolError, schemars};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Sum { terms: Vec<f64> }
///
/// let sum = Tool::builder()
///     .name("sum")
///     .description("Adds numbers.")
///     .call(|_cx, args: Sum| async move { Ok(args.terms.iter().sum::<f64>().to_string()) });
/// assert_eq!(sum.name(), "sum");
/// ```
#[derive(Clone)]
pub struct Tool(Arc<ToolDefinition>);

impl Tool {
    /// Starts a definition. `name` is required. `call`, `call_with_schema` or `call_without_arguments` completes it.
    pub fn builder() -> ToolBuilder {
        ToolBuilder { listing: ToolListing::default(), parts: ExtensionParts::default() }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.0.listing.name
    }

    /// The schema of the arguments.
    pub fn input_schema(&self) -> Option<&Schema> {
        self.0.listing.input_schema.as_ref()
    }

    /// Calls the tool directly, for tests: without a transport, and **without validation of the result**.
    ///
    /// # Errors
    /// The failure of the tool, or [`HandlerFailure::InvalidArguments`].
    pub async fn call(
        &self,
        context: impl Into<Context>,
        arguments: serde_json::Value,
    ) -> Result<ToolResult, HandlerFailure> {
        let context = context.into().for_tool(&self.0.listing.name);
        let call = (self.0.handler)(context, &arguments.to_string()).map_err(HandlerFailure::InvalidArguments)?;
        match call.await {
            Ok(result) => Ok(result),
            Err(error) => error.told().map_err(|cause| ReadError(cause).into()),
        }
    }

    pub(crate) fn definition(&self) -> &ToolDefinition {
        &self.0
    }
}

impl Declared for Tool {
    const NOUN: &'static str = "tool";

    fn key(&self) -> &str {
        self.name()
    }

    fn problems(&self) -> Vec<String> {
        self.0.problems()
    }

    fn duplicate(&self, _first: &Self) -> String {
        "the name is declared twice: give each tool its own".to_owned()
    }

    fn parts(&self) -> &ExtensionParts {
        &self.0.parts
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", &self.name()).finish_non_exhaustive()
    }
}

/// Builds a [`Tool`]; see [`Tool::builder`].
#[must_use]
pub struct ToolBuilder {
    listing: ToolListing,
    parts: ExtensionParts,
}

impl ToolBuilder {
    /// The name by which the model calls the tool: letters, digits, `_`, `.` and `-`, at most 128 characters.
    pub fn name(mut self, name: impl Into<Text>) -> Self {
        self.listing.name = name.into();
        self
    }

    /// A name for people. Sent from 2025-06-18 on.
    pub fn title(mut self, title: impl Into<Text>) -> Self {
        self.listing.title = Some(title.into());
        self
    }

    /// What the tool does and when to call it, for the model.
    pub fn description(mut self, description: impl Into<Text>) -> Self {
        self.listing.description = Some(description.into());
        self
    }

    /// Hints about the behavior of the tool. Sent from 2025-03-26 on.
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

    /// Adds the data of an extension of MCP. It replaces earlier data of the same extension.
    pub fn extended(mut self, part: impl Into<ExtensionData>) -> Self {
        self.parts.add(part.into());
        self
    }

    /// The JSON Schema of the arguments, sent unchanged. It replaces the schema of the arguments' type. That type must be able to
    /// read all arguments that the schema allows.
    pub fn input_schema(mut self, schema: impl Into<Schema>) -> Self {
        self.listing.input_schema = Some(schema.into());
        self
    }

    /// The JSON Schema of the structured content, sent unchanged. Sent from 2025-06-18 on; before 2026-07-28 only if it is the
    /// schema of an object.
    ///
    /// If a tool has an output schema, every result that is no error must have structured content that fits the schema: clients
    /// reject other results. With the feature `validate`, which `grange-testkit` enables, Grange checks this. A result that does not
    /// fit becomes an internal error, and `on_error` gets the problem.
    pub fn output_schema(mut self, schema: impl Into<Schema>) -> Self {
        self.listing.output_schema = Some(schema.into());
        self
    }

    /// The tool's function: async code that returns a `Result<R, ToolError>`, where `R` is [`IntoToolResult`]. The type of its
    /// arguments derives `Deserialize` and `JsonSchema`, and borrows nothing. If the arguments do not fit the type, the function is
    /// not called, and the client gets the problem.
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

    /// The tool's function, with arguments that [`input_schema`](Self::input_schema) describes. Their type needs no schema, only
    /// `Deserialize`, as `serde_json::Value` has.
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

    /// The tool's function, without arguments. A call with arguments is an error, unless the tool has an
    /// [`input_schema`](Self::input_schema).
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

/// The text of the error without line and column, which mean nothing to a client.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(problem, _)| problem.to_owned())
}

fn is_empty_object(json: &str) -> bool {
    json.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).is_some_and(|inside| inside.trim().is_empty())
}
