//! The request headers that a well-behaved HTTP client derives from the bodies it posts.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use grange_core::Revision;
use serde_json::{Map, Value};

const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// The `mcp-*` headers of one HTTP client, except the session id, which the transport adds.
///
/// A message that carries its own metadata, or is of a revision without a handshake, gets the mirrored headers
/// (2026-07-28 streamable-http, "Request metadata"). Any other message gets only the version header, after `initialize`
/// and if the revision has that header.
///
/// ```
/// use grange_core::Revision;
/// use grange_testkit::ClientHeaders;
/// let mut headers = ClientHeaders::new(Revision::V2026_07_28);
/// let body = br#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs://a"}}"#;
/// let headers = headers.of(body);
/// assert_eq!(headers[1], ("mcp-method".to_owned(), "resources/read".to_owned()));
/// assert_eq!(headers[2], ("mcp-name".to_owned(), "docs://a".to_owned()));
/// ```
#[derive(Clone, Debug)]
pub struct ClientHeaders {
    revision: Revision,
    opened: bool,
    /// The arguments that have headers, by tool name.
    tools: HashMap<String, Vec<MirroredArgument>>,
}

/// An argument that a tool's schema mirrors into a header.
#[derive(Clone, Debug)]
struct MirroredArgument {
    /// The property names from the arguments object to the argument.
    path: Vec<String>,
    header: String,
}

impl ClientHeaders {
    /// The headers of a client that has sent no message.
    pub fn new(revision: Revision) -> Self {
        Self { revision, opened: false, tools: HashMap::new() }
    }

    /// Records which arguments have headers (`x-mcp-header`), if `message` is a list of tools.
    pub fn learn(&mut self, message: &Value) {
        for tool in message["result"]["tools"].as_array().into_iter().flatten() {
            let (Some(name), mut found) = (tool["name"].as_str(), Vec::new()) else { continue };
            annotated(&tool["inputSchema"], &mut Vec::new(), &mut found);
            self.tools.insert(name.to_owned(), found);
        }
    }

    /// The headers for the next body, with lower-case names. A body that is not JSON gets the headers of a message
    /// without a method.
    pub fn of(&mut self, body: &[u8]) -> Vec<(String, String)> {
        let message: Value = serde_json::from_slice(body).unwrap_or_default();
        let marked = message["params"]["_meta"][PROTOCOL_VERSION].as_str();
        if self.revision.has_handshake() && marked.is_none() {
            return self.unmarked(message["method"] == "initialize");
        }
        let version = marked.unwrap_or(self.revision.name());
        let mut headers = vec![("mcp-protocol-version".to_owned(), version.to_owned())];
        headers.extend(message["method"].as_str().map(|method| ("mcp-method".to_owned(), field_value(method))));
        headers.extend(named(&message).map(|name| ("mcp-name".to_owned(), field_value(name))));
        headers.extend(self.arguments(&message));
        headers
    }

    fn unmarked(&mut self, opens: bool) -> Vec<(String, String)> {
        let has_header = self.opened && !opens && self.revision.has_version_header();
        let version = has_header.then(|| ("mcp-protocol-version".to_owned(), self.revision.name().to_owned()));
        self.opened |= opens;
        version.into_iter().collect()
    }

    /// The headers of a call's arguments; absent and null arguments have none.
    fn arguments(&self, message: &Value) -> Vec<(String, String)> {
        let name = message["params"]["name"].as_str().filter(|_| message["method"] == "tools/call");
        let mirrored = name.and_then(|name| self.tools.get(name)).into_iter().flatten();
        let headers = mirrored.filter_map(|MirroredArgument { path, header }| {
            let start = &message["params"]["arguments"];
            let value = match path.iter().try_fold(start, |value, name| value.get(name))? {
                Value::Null => return None,
                Value::String(text) => field_value(text),
                other => field_value(&other.to_string()),
            };
            Some((header.clone(), value))
        });
        headers.collect()
    }
}

/// Collects the arguments with a header from the schema at this path and from the properties below it.
fn annotated(schema: &Value, path: &mut Vec<String>, found: &mut Vec<MirroredArgument>) {
    if let Some(name) = schema["x-mcp-header"].as_str() {
        let header = format!("mcp-param-{}", name.to_ascii_lowercase());
        found.push(MirroredArgument { path: path.clone(), header });
    }
    for (name, property) in schema["properties"].as_object().into_iter().flat_map(Map::iter) {
        path.push(name.clone());
        annotated(property, path, found);
        path.pop();
    }
}

/// The value that `Mcp-Name` mirrors: a URI, or the name of a tool or prompt.
fn named(message: &Value) -> Option<&str> {
    match message["method"].as_str()? {
        "resources/read" => message["params"]["uri"].as_str(),
        "tools/call" | "prompts/get" => message["params"]["name"].as_str(),
        _ => None,
    }
}

/// The header form of a value: unchanged where that is unambiguous, otherwise base64 between markers.
fn field_value(value: &str) -> String {
    let visible = value.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let trimmed = value.trim_matches(' ').len() == value.len();
    let encoded = value.starts_with("=?base64?") && value.ends_with("?=");
    if visible && trimmed && !encoded { value.to_owned() } else { format!("=?base64?{}?=", STANDARD.encode(value)) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_that_a_header_cannot_carry_are_encoded() {
        for (value, expected) in [
            ("docs://a b", "docs://a b"),
            ("demo://café", "=?base64?ZGVtbzovL2NhZsOp?="),
            (" a", "=?base64?IGE=?="),
            ("a\n", "=?base64?YQo=?="),
            ("=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="),
            ("", ""),
        ] {
            assert_eq!(field_value(value), expected);
        }
    }

    #[test]
    fn the_version_header_comes_only_after_the_handshake() {
        let mut headers = ClientHeaders::new(Revision::V2025_11_25);
        let mut of = |method| headers.of(format!(r#"{{"method":"{method}"}}"#).as_bytes());
        assert_eq!([of("ping"), of("initialize")], [vec![], vec![]]);
        assert_eq!(of("ping"), [("mcp-protocol-version".to_owned(), "2025-11-25".to_owned())]);
    }

    #[test]
    fn a_marked_message_is_mirrored_on_any_revision() {
        let body = format!(r#"{{"method":"server/discover","params":{{"_meta":{{"{PROTOCOL_VERSION}":"v999"}}}}}}"#);
        let headers = ClientHeaders::new(Revision::V2025_11_25).of(body.as_bytes());
        assert_eq!(headers[0].1, "v999");
        assert_eq!(headers[1].1, "server/discover");
    }

    #[test]
    fn arguments_are_mirrored_after_their_tool_was_listed() {
        let place = json!({ "properties": { "city": { "type": "string", "x-mcp-header": "City" } } });
        let count = json!({ "type": "integer", "x-mcp-header": "Count" });
        let schema = json!({ "type": "object", "properties": { "place": place, "count": count } });
        let listed = json!({ "result": { "tools": [{ "name": "weather", "inputSchema": schema }] } });
        let mut headers = ClientHeaders::new(Revision::V2026_07_28);
        let mut of = |name: &str, arguments: Value, listed: &Value| {
            headers.learn(listed);
            let params = json!({ "name": name, "arguments": arguments });
            headers.of(json!({ "method": "tools/call", "params": params }).to_string().as_bytes()).split_off(3)
        };
        let there = json!({ "place": { "city": "Köln" }, "count": 3 });
        assert_eq!(of("weather", there.clone(), &json!({})), []);
        let expected = [("mcp-param-city", "=?base64?S8O2bG4=?="), ("mcp-param-count", "3")];
        let mut found = of("weather", there, &listed);
        found.sort();
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(of("weather", json!({ "place": "x", "count": null }), &listed), []);
        assert_eq!(of("other", json!({ "count": 1 }), &listed), []);
    }
}
