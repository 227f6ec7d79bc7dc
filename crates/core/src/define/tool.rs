//! A tool's definition: frozen, cheap to clone, reusable across servers.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use super::bounds::{AsyncCode, CallOutcome, FromArguments};
use super::context::Context;
use super::extended::{Extended, ExtensionParts};
use super::failure::{ReadError, ToolError};
use super::promise::Promise;
use super::told::ReadFailure;
#[cfg(feature = "schemars")]
use crate::model::HasSchema;
use crate::model::mirrored::{self, MirroredArgument};
use crate::model::{Icon, IntoToolResult, Metadata, Schema, Text, ToolAnnotations, ToolListing, ToolResult};
use crate::rpc::with_plain_integers;

/// A declared tool (2026-07-28 server/tools).
///
/// Made by `tool!` or, the same by hand, by [`Tool::builder`]. `Server::builder(…).build()` reports every mistake of
/// every definition at once.
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

/// The definition behind a [`Tool`].
#[derive(Clone, Default)]
pub(crate) struct ToolDefinition {
    pub(crate) listing: ToolListing,
    pub(crate) handler: Option<Handler>,
    /// The arguments that HTTP clients mirror into headers.
    pub(crate) mirrored: Vec<MirroredArgument>,
    /// What extensions have put on it.
    pub(crate) parts: ExtensionParts,
    promise: Promise,
}

/// A tool's running future.
pub(crate) type BoxCall = Pin<Box<dyn Future<Output = Result<ToolResult, ToolError>> + Send>>;
/// Reads the arguments, as JSON, and starts; fails with what is wrong with them.
pub(crate) type Handler = Arc<dyn Fn(Context, &str) -> Result<BoxCall, String> + Send + Sync>;

impl Tool {
    /// Starts a definition. `name` is required; `call` or one of its sisters ends it.
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

    /// Calls the tool directly, for tests: no transport and **no validation of the result**.
    ///
    /// # Errors
    /// What the tool failed with, or [`ReadFailure::InvalidArguments`].
    pub async fn call(
        &self,
        context: impl Into<Context>,
        arguments: serde_json::Value,
    ) -> Result<ToolResult, ReadFailure> {
        let context = context.into().for_tool(&self.0.listing.name);
        let Some(handler) = &self.0.handler else { return Err(ReadFailure::NotFound) };
        let call = handler(context, &arguments.to_string()).map_err(ReadFailure::InvalidArguments)?;
        match call.await {
            Ok(result) => Ok(result),
            Err(error) => error.told().map_err(|cause| ReadError(cause).into()),
        }
    }

    pub(crate) fn definition(&self) -> &ToolDefinition {
        &self.0
    }
}

impl ToolDefinition {
    /// What is wrong with the definition, each fault with its remedy.
    pub(crate) fn faults(&self) -> Vec<String> {
        let listing = &self.listing;
        let mut faults = Vec::new();
        if let Err(error) = grange_uri::check_tool_name(&listing.name) {
            faults.push(format!("name {error}"));
        }
        match &listing.input_schema {
            None => faults.push("there is no input schema: give the tool one, or arguments of a type that has".into()),
            Some(schema) => faults.extend(schema.fault().map(|fault| format!("the input schema {fault}"))),
        }
        if listing.input_schema.as_ref().is_some_and(|schema| schema.fault().is_none() && !schema.is_of_object()) {
            faults.push("the input schema must have `\"type\": \"object\"`: arguments are members of an object".into());
        }
        faults.extend(self.output_schema_fault());
        faults.extend(listing.input_schema.iter().flat_map(mirrored::faults));
        faults.extend(listing.icons.iter().flat_map(Icon::faults));
        faults.extend(listing.meta.faults().iter().cloned());
        faults.extend(self.parts.faults());
        faults
    }

    fn output_schema_fault(&self) -> Option<String> {
        let schema = self.listing.output_schema.as_ref()?;
        let fault = schema.fault().or_else(|| self.promise.fault(schema.value()))?;
        Some(format!("the output schema {fault}"))
    }

    /// What is wrong with a result that is to leave, each fault with its remedy.
    pub(crate) fn result_faults(&self, result: &ToolResult) -> Vec<String> {
        let mut faults = result.faults();
        let Some(schema) = &self.listing.output_schema else { return faults };
        match result.structured_content() {
            None if result.is_error() => {}
            None => faults
                .push("the tool has an output schema: give the result `structured(…)` content that fits it".to_owned()),
            Some(content) => faults.extend(self.promise.broken(schema.value(), content)),
        }
        faults
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", &self.name()).finish_non_exhaustive()
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

    fn finish<R: IntoToolResult>(mut self, handler: Handler) -> Tool {
        if self.listing.output_schema.is_none() {
            self.listing.output_schema = R::output_schema();
        }
        let mirrored = self.listing.input_schema.iter().flat_map(mirrored::mirrored).collect();
        for part in self.parts.iter() {
            self.listing.meta.merge(&part.meta);
        }
        Tool(Arc::new(ToolDefinition {
            listing: self.listing,
            handler: Some(handler),
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
