//! A tool's definition: frozen, cheap to clone, reusable across servers.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use super::promise::Promise;
use crate::define::{Context, Declared, ExtensionParts, HandlerFailure, ReadError, ToolError};
use crate::model::mirrored::{self, MirroredArgument};
use crate::model::{Icon, Schema, ToolListing, ToolResult};

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
pub struct Tool(pub(super) Arc<ToolDefinition>);

/// The definition behind a [`Tool`].
pub(crate) struct ToolDefinition {
    pub(crate) listing: ToolListing,
    pub(crate) handler: ToolHandler,
    /// The arguments that HTTP clients mirror into headers.
    pub(crate) mirrored: Vec<MirroredArgument>,
    /// The data of extensions.
    pub(crate) parts: ExtensionParts,
    pub(super) promise: Promise,
}

/// The future of a call.
pub(crate) type BoxCall = Pin<Box<dyn Future<Output = Result<ToolResult, ToolError>> + Send>>;
/// Reads the arguments from JSON and starts the call. The error is the problem of the arguments.
pub(crate) type ToolHandler = Arc<dyn Fn(Context, &str) -> Result<BoxCall, String> + Send + Sync>;

impl Tool {
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

impl ToolDefinition {
    /// The problems of the definition, each with its remedy.
    fn faults(&self) -> Vec<String> {
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

    /// The problems of a result before it is sent, each with its remedy.
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

impl Declared for Tool {
    const NOUN: &'static str = "tool";

    fn key(&self) -> &str {
        self.name()
    }

    fn faults(&self) -> Vec<String> {
        self.0.faults()
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
