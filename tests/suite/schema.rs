//! The oracle: every message of a server in a test is checked against the official JSON Schema of its revision, and
//! against the rows of the revision table, which are stricter (W1.1).
//!
//! It records the requests, so that a result is checked as the result of its method. It does not check values.

mod fields;
mod skills;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use grange_core::{Revision, Server};
use grange_testkit::{Client, Direction, RpcError};
use jsonschema::Validator;
use serde_json::{Value, json};

/// Connects a client that checks every received message.
pub(crate) async fn checked(server: &Server, revision: Revision) -> Result<Client, RpcError> {
    grange_testkit::connect(server, revision).await.map(|client| observed(client, revision))
}

/// The same over HTTP in memory.
pub(crate) async fn checked_http(server: &Server, revision: Revision) -> Result<Client, RpcError> {
    grange_testkit::connect_http(server, revision).await.map(|client| observed(client, revision))
}

/// A client of each revision, over a pipe and over HTTP, that checks every received message.
pub(crate) async fn clients(server: &Server) -> Vec<Client> {
    let mut clients = Vec::new();
    for revision in Revision::ALL {
        clients.push(checked(server, revision).await.expect("a client connects"));
        clients.push(checked_http(server, revision).await.expect("a client connects"));
    }
    clients
}

fn observed(mut client: Client, revision: Revision) -> Client {
    let mut oracle = Oracle::new(revision);
    client.observe(move |direction, message| match direction {
        Direction::ToServer => oracle.sent(message),
        Direction::ToClient => {
            let problems = oracle.received(message);
            assert!(problems.is_empty(), "{revision} {message}\n  {}", problems.join("\n  "));
        }
    });
    client
}

/// The checks of one connection's messages.
pub(crate) struct Oracle {
    revision: Revision,
    /// The method and the revision of each request so far, by id as JSON.
    requests: HashMap<String, (String, Revision)>,
}

impl Oracle {
    pub(crate) fn new(revision: Revision) -> Self {
        Self { revision, requests: HashMap::new() }
    }

    /// Records the request in a message to the server.
    pub(crate) fn sent(&mut self, message: &Value) {
        for message in each(message) {
            let marked = &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
            let revision = marked.as_str().and_then(Revision::from_name).unwrap_or(self.revision);
            if let Some(id) = message.get("id") {
                let method = message["method"].as_str().unwrap_or_default();
                self.requests.insert(id.to_string(), (method.to_owned(), revision));
            }
        }
    }

    /// The problems in a message of the server; empty if it is valid.
    pub(crate) fn received(&self, message: &Value) -> Vec<String> {
        each(message).flat_map(|message| self.check(message)).collect()
    }

    fn check(&self, message: &Value) -> Vec<String> {
        let Some(id) = message.get("id").filter(|_| message.get("method").is_none()) else {
            return check(self.revision, "", message);
        };
        match self.requests.get(&id.to_string()) {
            Some((method, revision)) => check(*revision, method, message),
            None => vec![format!("the id {id} is of no request")],
        }
    }
}

fn each(message: &Value) -> impl Iterator<Item = &Value> {
    message.as_array().map_or(std::slice::from_ref(message), Vec::as_slice).iter()
}

/// The problems in a message of the server under a revision: the response to a request of this method, or a
/// notification.
pub(crate) fn check(revision: Revision, method: &str, message: &Value) -> Vec<String> {
    let unknown =
        members(message).find(|name| !["jsonrpc", "id", "method", "params", "result", "error"].contains(name));
    let unknown = unknown.map(|name| format!("a message has no member {name:?}"));
    let problems = match (message.get("result"), message.get("error")) {
        (Some(result), None) => check_result(revision, method, message, result),
        (None, Some(error)) => check_error(revision, message, error),
        (None, None) if message.get("id").is_some() => check_request(revision, message),
        (None, None) => check_notification(revision, message),
        (Some(_), Some(_)) => vec!["both a result and an error".to_owned()],
    };
    unknown.into_iter().chain(problems).collect()
}

/// The same for a message whose request was not recorded: its shape determines the method. Errors and results with a
/// modern envelope are checked against the newest revision, other results and requests to the client against the newest
/// one with a handshake.
pub(crate) fn fitting(message: Value) -> Value {
    for each in each(&message) {
        let result = &each["result"];
        let is_request = each.get("id").is_some() && each.get("method").is_some();
        let is_modern = !is_request && result.is_null() || result["resultType"].is_string();
        let revision = if is_modern { Revision::V2026_07_28 } else { Revision::V2025_11_25 };
        let problems = check(revision, method_of(result), each);
        assert!(problems.is_empty(), "{each:.300} does not match the schema:\n{}", problems.join("\n"));
    }
    message
}

fn method_of(result: &Value) -> &'static str {
    let methods = [
        ("completion", "completion/complete"),
        ("content", "tools/call"),
        ("contents", "resources/read"),
        ("protocolVersion", "initialize"),
        ("resourceTemplates", "resources/templates/list"),
        ("resources", "resources/list"),
        ("skill", "skills/get"),
        ("skills", "skills/list"),
        ("supportedVersions", "server/discover"),
        ("tools", "tools/list"),
    ];
    let by_member = methods.iter().find(|(member, _)| result.get(member).is_some());
    let subscription = result["_meta"].get("io.modelcontextprotocol/subscriptionId").is_some();
    let otherwise = if subscription { "subscriptions/listen" } else { "ping" };
    by_member.map_or(otherwise, |(_, method)| method)
}

fn check_result(revision: Revision, method: &str, message: &Value, result: &Value) -> Vec<String> {
    // The result of `initialize` belongs to the negotiated revision.
    let settled = result["protocolVersion"].as_str().and_then(Revision::from_name);
    let revision = settled.filter(|_| method == "initialize").unwrap_or(revision);
    let definition = match method {
        "completion/complete" => "CompleteResult",
        "initialize" => "InitializeResult",
        "ping" | "resources/subscribe" | "resources/unsubscribe" => "EmptyResult",
        "resources/list" => "ListResourcesResult",
        "resources/read" => "ReadResourceResult",
        "resources/templates/list" => "ListResourceTemplatesResult",
        "server/discover" => "DiscoverResult",
        // Results of revisions with cache hints.
        "skills/get" | "skills/list" if !revision.has_handshake() => "CacheableResult",
        "clock/read" | "resources/directory/read" | "skills/get" | "skills/list" | "work/do" => "Result",
        "subscriptions/listen" => "SubscriptionsListenResult",
        "tools/call" => "CallToolResult",
        "tools/list" => "ListToolsResult",
        _ => return vec![format!("{method:?} has no result")],
    };
    let mut problems = against(revision, &["JSONRPCResultResponse", "JSONRPCResponse"], message);
    problems.extend(against(revision, &[definition], result));
    problems.extend(fields::check(revision, method, result));
    problems.extend(skills::check(revision, method, result));
    problems
}

fn check_error(revision: Revision, message: &Value, error: &Value) -> Vec<String> {
    let problems = if message.get("id").is_some() {
        against(revision, &["JSONRPCErrorResponse", "JSONRPCError"], message)
    } else {
        // The schemas before 2025-11-25 require an id, which the answer to an unreadable request does not have (W2.4).
        let mut with_id = message.clone();
        with_id["id"] = json!(0);
        against(revision, &["JSONRPCErrorResponse", "JSONRPCError"], &with_id)
    };
    let special = match error["code"].as_i64() {
        _ if revision.has_handshake() => Vec::new(),
        Some(-32700) => against(revision, &["ParseError"], error),
        Some(-32600) => against(revision, &["InvalidRequestError"], error),
        Some(-32601) => against(revision, &["MethodNotFoundError"], error),
        Some(-32602) => against(revision, &["InvalidParamsError"], error),
        Some(-32603) => against(revision, &["InternalError"], error),
        Some(-32020) => against(revision, &["HeaderMismatchError"], message),
        Some(-32021) => against(revision, &["MissingRequiredClientCapabilityError"], message),
        Some(-32022) => against(revision, &["UnsupportedProtocolVersionError"], message),
        _ => Vec::new(),
    };
    problems.into_iter().chain(special).collect()
}

/// A request of the server: of an extension, which the schemas do not have, and only in revisions with requests to the
/// client.
fn check_request(revision: Revision, message: &Value) -> Vec<String> {
    if !revision.has_handshake() {
        return vec![format!("no server asks anything under {revision}")];
    }
    against(revision, &["JSONRPCRequest"], message)
}

fn check_notification(revision: Revision, message: &Value) -> Vec<String> {
    let definition = match message["method"].as_str() {
        Some("notifications/cancelled") => "CancelledNotification",
        Some("notifications/message") => "LoggingMessageNotification",
        Some("notifications/progress") => "ProgressNotification",
        Some("notifications/resources/list_changed") => "ResourceListChangedNotification",
        Some("notifications/resources/updated") => "ResourceUpdatedNotification",
        Some("notifications/subscriptions/acknowledged") => "SubscriptionsAcknowledgedNotification",
        other => return vec![format!("no server sends {other:?}")],
    };
    let mut problems = against(revision, &["JSONRPCNotification"], message);
    problems.extend(against(revision, &[definition], message));
    problems.extend(fields::check_notification(revision, message));
    problems
}

fn members(object: &Value) -> impl Iterator<Item = &str> {
    object.as_object().into_iter().flat_map(|object| object.keys().map(String::as_str))
}

/// Validates against the first of these definitions that exists in the revision's schema.
fn against(revision: Revision, names: &[&'static str], value: &Value) -> Vec<String> {
    let schema = &SCHEMAS[&revision];
    let Some(name) = names.iter().copied().find(|name| schema.definitions().get(name).is_some()) else {
        return vec![format!("the schema of {revision} has no {}", names[0])];
    };
    let validator = schema.validator(name);
    validator.iter_errors(value).map(|error| format!("{name}{}: {error}", error.instance_path())).collect()
}

static SCHEMAS: LazyLock<HashMap<Revision, Schema>> = LazyLock::new(|| {
    let text = |revision| match revision {
        // 2024-10-07 has no schema of its own.
        Revision::V2024_10_07 | Revision::V2024_11_05 => include_str!("../schema/2024-11-05.json"),
        Revision::V2025_03_26 => include_str!("../schema/2025-03-26.json"),
        Revision::V2025_06_18 => include_str!("../schema/2025-06-18.json"),
        Revision::V2025_11_25 => include_str!("../schema/2025-11-25.json"),
        Revision::V2026_07_28 => include_str!("../schema/2026-07-28.json"),
        other => panic!("{other} has no schema here"),
    };
    Revision::ALL.into_iter().map(|revision| (revision, Schema::new(text(revision)))).collect()
});

struct Schema {
    root: Value,
    validators: Mutex<HashMap<&'static str, Arc<Validator>>>,
}

impl Schema {
    fn new(text: &str) -> Self {
        Self { root: serde_json::from_str(text).expect("the schema is JSON"), validators: Mutex::default() }
    }

    /// The member with the definitions, which depends on the draft of the schema.
    fn place(&self) -> &'static str {
        if self.root.get("$defs").is_some() { "$defs" } else { "definitions" }
    }

    fn definitions(&self) -> &Value {
        &self.root[self.place()]
    }

    /// The validator of a definition, compiled once.
    fn validator(&self, name: &'static str) -> Arc<Validator> {
        let mut validators = self.validators.lock().unwrap_or_else(PoisonError::into_inner);
        let compile = || {
            let mut schema = self.root.clone();
            schema["$ref"] = format!("#/{}/{name}", self.place()).into();
            let options = jsonschema::options().should_validate_formats(true);
            Arc::new(options.build(&schema).expect("the schema is one"))
        };
        validators.entry(name).or_insert_with(compile).clone()
    }
}

#[test]
fn the_oracle_finds_schema_violations() {
    let list = |resource: Value| json!({ "jsonrpc": "2.0", "id": 1, "result": { "resources": [resource] } });
    for (revision, resource, expected) in [
        (Revision::V2024_11_05, json!({ "uri": "a:b", "name": "n" }), None),
        (Revision::V2025_03_26, json!({ "uri": "a:b" }), Some("name")),
        (Revision::V2025_06_18, json!({ "uri": "no uri", "name": "n" }), Some("uri")),
        (Revision::V2025_03_26, json!({ "uri": "a:b", "name": "n", "title": "t" }), Some("title")),
        (Revision::V2025_06_18, json!({ "uri": "a:b", "name": "n", "icons": [] }), Some("icons")),
        (Revision::V2025_11_25, json!({ "uri": "a:b", "name": "n", "icons": [{}] }), Some("src")),
        (Revision::V2026_07_28, json!({ "uri": "a:b", "name": "n" }), Some("ttlMs")),
    ] {
        let problems = check(revision, "resources/list", &list(resource)).join("; ");
        assert_eq!(problems.is_empty(), expected.is_none(), "{revision}: {problems}");
        assert!(problems.contains(expected.unwrap_or_default()), "{revision}: {problems}");
    }
}

#[test]
fn the_oracle_checks_a_result_by_its_request() {
    let mut oracle = Oracle::new(Revision::V2025_11_25);
    oracle.sent(&json!({ "jsonrpc": "2.0", "id": "1", "method": "resources/read" }));
    let answer = |id: Value| json!({ "jsonrpc": "2.0", "id": id, "result": { "resources": [] } });
    assert!(oracle.received(&answer(json!("1"))).join("; ").contains("contents"));
    assert_eq!(oracle.received(&answer(json!(1))), ["the id 1 is of no request"]);
}

#[test]
fn the_oracle_accepts_the_official_examples() {
    let read = json!({ "jsonrpc": "2.0", "id": "read-resource-with-ttl-example", "result": {
        "resultType": "complete",
        "contents": [{ "uri": "file:///project/src/main.rs", "mimeType": "text/x-rust", "text": "fn main() {}" }],
        "ttlMs": 60_000, "cacheScope": "private"
    }});
    assert_eq!(check(Revision::V2026_07_28, "resources/read", &read), [""; 0]);
    assert_ne!(check(Revision::V2025_11_25, "resources/read", &read), [""; 0]);
}
