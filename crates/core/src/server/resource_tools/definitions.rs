//! The definitions of the two tools, and what the server's instructions say about them.

use serde_json::{Value, json};

use crate::define::{DefinitionError, ToolError};
use crate::model::{Text, ToolAnnotations, ToolResult};
use crate::primitive::{Tool, ToolBuilder};

/// The tool that lists resources and templates.
pub(super) const LIST: &str = "list_resources";
/// The tool that reads a resource.
pub(super) const READ: &str = "read_resource";

/// The definitions, for the list of tools.
pub(crate) fn tools() -> [Tool; 2] {
    let list = definition(
        LIST,
        "List resources",
        "Lists the resources of this server, and the templates of further ones (`uriTemplate`, whose variables in braces you fill \
         in). Pass `nextCursor` as `cursor` for the next page.",
        &json!({
            "type": "object",
            "properties": {
                "prefix": { "type": "string", "description": "Lists only entries whose URI or template starts with this text." },
                "cursor": { "type": "string", "description": "The `nextCursor` of the page before, with the same `prefix`." },
            },
        }),
    );
    let read = definition(
        READ,
        "Read a resource",
        "Returns the contents of the resource with this URI.",
        &json!({
            "type": "object",
            "properties": {
                "uri": { "type": "string", "description": "The URI, as listed, or as made from a listed template." },
            },
            "required": ["uri"],
        }),
    );
    [list.output_schema(page_schema()), read].map(|tool| {
        // The server finds both tools before it would call them (`find.rs`).
        tool.call_without_arguments(|_cx| async { Err::<ToolResult, _>(ToolError::failed("only a server runs it")) })
    })
}

fn definition(name: &'static str, title: &'static str, description: &'static str, input: &Value) -> ToolBuilder {
    Tool::builder()
        .name(name)
        .title(title)
        .description(description)
        .annotations(ToolAnnotations::new().read_only(true))
        .input_schema(input.clone())
}

/// The schema of a page.
fn page_schema() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "type": "object",
        "properties": {
            "resources": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "uri": text,
                        "uriTemplate": text,
                        "name": text,
                        "title": text,
                        "description": text,
                        "mimeType": text,
                        "size": { "type": "integer", "description": "Bytes of the contents." },
                    },
                    "required": ["name"],
                },
            },
            "nextCursor": { "type": "string", "description": "Absent on the last page." },
        },
        "required": ["resources"],
    })
}

/// The author's instructions, and after them the names of the two tools.
pub(crate) fn instructions(author: Option<&str>) -> Text {
    let added = format!(
        "The resources of this server can also be reached with tools: `{LIST}` lists them, and `{READ}` returns the contents of one \
         by its URI."
    );
    match author.map(str::trim_end).filter(|author| !author.is_empty()) {
        Some(author) => format!("{author}\n\n{added}").into(),
        None => added.into(),
    }
}

/// The problems of the author's tools that have the name of an added one.
pub(crate) fn errors<'a>(tools: impl Iterator<Item = &'a Tool>) -> Vec<DefinitionError> {
    let has_taken_name = |tool: &&Tool| [LIST, READ].contains(&tool.name());
    let error = |tool: &Tool| {
        let problem = "the server adds a tool of this name (`.resources_as_tools()`): give this one another name, or leave out that call";
        DefinitionError::new(format!("tool `{}`", tool.name()), problem.to_owned())
    };
    tools.filter(has_taken_name).map(error).collect()
}
