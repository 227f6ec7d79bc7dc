//! The data of a tool's definition, and its checks.

use std::pin::Pin;
use std::sync::Arc;

use super::promise::Promise;
use crate::define::{Context, ExtensionParts, ToolError};
use crate::model::mirrored::{self, MirroredArgument};
use crate::model::{Icon, ToolListing, ToolResult};

/// The definition behind a [`Tool`](crate::Tool).
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

impl ToolDefinition {
    /// The problems of the definition, each with its remedy.
    pub(super) fn problems(&self) -> Vec<String> {
        let listing = &self.listing;
        let mut problems = Vec::new();
        if let Err(error) = grange_uri::check_tool_name(&listing.name) {
            problems.push(format!("name {error}"));
        }
        match &listing.input_schema {
            None => {
                problems.push("there is no input schema: give the tool one, or arguments of a type that has".into());
            }
            Some(schema) => problems.extend(schema.problem().map(|problem| format!("the input schema {problem}"))),
        }
        if listing.input_schema.as_ref().is_some_and(|schema| schema.problem().is_none() && !schema.is_of_object()) {
            problems
                .push("the input schema must have `\"type\": \"object\"`: arguments are members of an object".into());
        }
        problems.extend(self.output_schema_problem());
        problems.extend(listing.input_schema.iter().flat_map(mirrored::problems));
        problems.extend(listing.icons.iter().flat_map(Icon::problems));
        problems.extend(listing.meta.problems().iter().cloned());
        problems.extend(self.parts.problems());
        problems
    }

    fn output_schema_problem(&self) -> Option<String> {
        let schema = self.listing.output_schema.as_ref()?;
        let problem = schema.problem().or_else(|| self.promise.problem(schema.value()))?;
        Some(format!("the output schema {problem}"))
    }

    /// The problems of a result before it is sent, each with its remedy.
    pub(crate) fn result_problems(&self, result: &ToolResult) -> Vec<String> {
        let mut problems = result.problems();
        let Some(schema) = &self.listing.output_schema else { return problems };
        match result.structured_content() {
            None if result.is_error() => {}
            None => problems
                .push("the tool has an output schema: give the result `structured(…)` content that fits it".to_owned()),
            Some(content) => problems.extend(self.promise.broken(schema.value(), content)),
        }
        problems
    }
}
