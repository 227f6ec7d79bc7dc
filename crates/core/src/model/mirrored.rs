//! Arguments that HTTP clients mirror into headers: the `x-mcp-header` annotations of an input schema, and their rules
//! (2026-07-28 streamable-http, "Custom Headers from Tool Parameters").
//!
//! Not here: comparing a header with the argument (`era/select.rs`).

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::Schema;

const ANNOTATION: &str = "x-mcp-header";

/// One argument that has a mirrored header.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MirroredArgument {
    /// The property names that lead to the argument, from the top of `arguments`.
    pub(crate) path: Vec<String>,
    /// The header's whole name, in lower case.
    pub(crate) header: String,
}

/// The annotated arguments of a schema that has no problems.
pub(crate) fn mirrored(schema: &Schema) -> Vec<MirroredArgument> {
    let mut found = Vec::new();
    walk(schema, &mut |annotated| {
        if let (Some(name), Some(path)) = (annotated.name.as_str(), annotated.path) {
            let header = format!("mcp-param-{}", name.to_ascii_lowercase());
            found.push(MirroredArgument { path: path.to_vec(), header });
        }
    });
    found
}

/// The problems with the annotations, each with its remedy.
pub(crate) fn problems(schema: &Schema) -> Vec<String> {
    let mut problems = Vec::new();
    let mut names = HashSet::new();
    walk(schema, &mut |annotated| {
        let shown = annotated.name;
        let problem = match annotated.name.as_str() {
            None => Some("must be a string, the end of the header's name"),
            Some("") => Some("is empty: name the end of the header, such as `Region`"),
            Some(name) if !name.bytes().all(is_token) => {
                Some("is no part of a header name: use letters, digits and `-`")
            }
            Some(name) if !names.insert(name.to_ascii_lowercase()) => Some("stands twice: give each argument its own"),
            Some(_) if annotated.path.is_none() => {
                Some("stands where a client cannot reach it: only properties, and properties of those, may have one")
            }
            Some(_) if !annotated.is_primitive => Some("needs an argument of type string, integer or boolean"),
            Some(_) => None,
        };
        problems.extend(problem.map(|problem| format!("{ANNOTATION} {shown} {problem}")));
    });
    problems
}

/// A place in the schema that has the annotation.
struct Annotated<'a> {
    name: &'a Value,
    /// `None` if the place cannot be reached through `properties` alone.
    path: Option<&'a [String]>,
    is_primitive: bool,
}

fn walk(schema: &Schema, found: &mut dyn FnMut(Annotated<'_>)) {
    if let Some(root) = schema.members() {
        visit(root, Some(&mut Vec::new()), found);
    }
}

/// Visits a schema and the schemas in it. `path` is `None` below every keyword but `properties`.
fn visit(schema: &Map<String, Value>, mut path: Option<&mut Vec<String>>, found: &mut dyn FnMut(Annotated<'_>)) {
    if let Some(name) = schema.get(ANNOTATION) {
        let primitive = |kind: &Value| kind == "string" || kind == "integer" || kind == "boolean";
        let is_primitive = schema.get("type").is_some_and(primitive);
        // The root describes the whole of the arguments, not one of them.
        let path = path.as_deref().map(Vec::as_slice).filter(|path| !path.is_empty());
        found(Annotated { name, path, is_primitive });
    }
    for (keyword, value) in schema {
        match (keyword.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                for (name, property) in properties {
                    let Value::Object(property) = property else { continue };
                    match path.as_deref_mut() {
                        Some(path) => {
                            path.push(name.clone());
                            visit(property, Some(path), found);
                            path.pop();
                        }
                        None => visit(property, None, found),
                    }
                }
            }
            // These keywords hold values, not schemas.
            ("const" | "default" | "enum" | "examples", _) => {}
            (_, value) => elsewhere(value, found),
        }
    }
}

fn elsewhere(value: &Value, found: &mut dyn FnMut(Annotated<'_>)) {
    match value {
        Value::Object(schema) => visit(schema, None, found),
        Value::Array(items) => items.iter().for_each(|item| elsewhere(item, found)),
        _ => {}
    }
}

/// RFC 9110 5.6.2, `tchar`.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}
