//! The revision table as allow-lists: the members that a result and its parts may have in each revision (W1.1).
//!
//! Stricter than the schemas, which allow unknown members. Written by hand and not derived from them, so that an error
//! in one does not hide an error in the other.

use grange_core::Revision;
use serde_json::Value;

use super::members;

/// The members of one revision.
struct Row {
    resource: &'static [&'static str],
    template: &'static [&'static str],
    item: &'static [&'static str],
    annotations: &'static [&'static str],
    server_info: &'static [&'static str],
    tool: &'static [&'static str],
    /// The members of a call's result, besides those of all results.
    called: &'static [&'static str],
    /// The members of each content block.
    blocks: &'static [(&'static str, &'static [&'static str])],
    progress: &'static [&'static str],
    /// The members of every result.
    result: &'static [&'static str],
    /// The members of results that a client may cache.
    cached: &'static [&'static str],
}

const BARE: Row = Row {
    resource: &["uri", "name", "description", "mimeType", "size", "annotations"],
    template: &["uriTemplate", "name", "description", "mimeType", "annotations"],
    item: &["uri", "mimeType", "text", "blob"],
    annotations: &["audience", "priority"],
    server_info: &["name", "version"],
    tool: &["name", "description", "inputSchema"],
    called: &["content", "isError"],
    blocks: &[
        ("text", &["type", "text", "annotations"]),
        ("image", &["type", "data", "mimeType", "annotations"]),
        ("resource", &["type", "resource", "annotations"]),
    ],
    progress: &["progressToken", "progress", "total"],
    result: &["_meta"],
    cached: &[],
};

const ANNOTATED: Row = Row {
    tool: &["name", "description", "inputSchema", "annotations"],
    blocks: &[
        ("text", &["type", "text", "annotations"]),
        ("image", &["type", "data", "mimeType", "annotations"]),
        ("audio", &["type", "data", "mimeType", "annotations"]),
        ("resource", &["type", "resource", "annotations"]),
    ],
    progress: &["progressToken", "progress", "total", "message"],
    ..BARE
};

const TITLED: Row = Row {
    tool: &["name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta"],
    called: &["content", "isError", "structuredContent"],
    blocks: &[
        ("text", &["type", "text", "annotations", "_meta"]),
        ("image", &["type", "data", "mimeType", "annotations", "_meta"]),
        ("audio", &["type", "data", "mimeType", "annotations", "_meta"]),
        ("resource", &["type", "resource", "annotations", "_meta"]),
        ("resource_link", &["type", "uri", "name", "title", "description", "mimeType", "size", "annotations", "_meta"]),
    ],
    resource: &["uri", "name", "title", "description", "mimeType", "size", "annotations", "_meta"],
    template: &["uriTemplate", "name", "title", "description", "mimeType", "annotations", "_meta"],
    item: &["uri", "mimeType", "text", "blob", "_meta"],
    annotations: &["audience", "priority", "lastModified"],
    server_info: &["name", "version", "title"],
    ..ANNOTATED
};

const ICONED: Row = Row {
    resource: &["uri", "name", "title", "description", "mimeType", "size", "annotations", "icons", "_meta"],
    template: &["uriTemplate", "name", "title", "description", "mimeType", "annotations", "icons", "_meta"],
    server_info: &["name", "version", "title", "description", "icons", "websiteUrl"],
    tool: &["name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta"],
    ..TITLED
};

const MODERN: Row = Row { result: &["_meta", "resultType"], cached: &["ttlMs", "cacheScope"], ..ICONED };

fn row(revision: Revision) -> &'static Row {
    match revision {
        Revision::V2024_10_07 | Revision::V2024_11_05 => &BARE,
        Revision::V2025_03_26 => &ANNOTATED,
        Revision::V2025_06_18 => &TITLED,
        Revision::V2025_11_25 => &ICONED,
        Revision::V2026_07_28 => &MODERN,
        other => panic!("{other} has no row here"),
    }
}

/// The members in the result of a method that do not exist in the revision.
pub(crate) fn check(revision: Revision, method: &str, result: &Value) -> Vec<String> {
    let row = row(revision);
    let (own, cached): (&[&str], &[&str]) = match method {
        // The methods of the extensions in these tests.
        "clock/read" => (&["zone", "time"], row.cached),
        "work/do" => (&["text"], &[]),
        "completion/complete" => (&["completion"], &[]),
        "initialize" => (&["protocolVersion", "capabilities", "serverInfo", "instructions"], &[]),
        "server/discover" => (&["supportedVersions", "capabilities", "instructions"], row.cached),
        "resources/directory/read" => (&["resources", "nextCursor"], &[]),
        "resources/list" => (&["resources", "nextCursor"], row.cached),
        "resources/templates/list" => (&["resourceTemplates", "nextCursor"], row.cached),
        "resources/read" => (&["contents"], row.cached),
        "skills/get" => (&["skill"], row.cached),
        "skills/list" => (&["skills", "nextCursor"], row.cached),
        "tools/call" => (row.called, &[]),
        "tools/list" => (&["tools", "nextCursor"], row.cached),
        _ => (&[], &[]),
    };
    let mut problems = outside("result", &[own, cached, row.result].concat(), result);
    for resource in list(result, "resources") {
        problems.extend(outside("resource", row.resource, resource));
        problems.extend(outside("annotations", row.annotations, &resource["annotations"]));
    }
    for template in list(result, "resourceTemplates") {
        problems.extend(outside("template", row.template, template));
    }
    problems.extend(outside("completion", &["values", "total", "hasMore"], &result["completion"]));
    problems.extend(list(result, "contents").flat_map(|item| outside("item", row.item, item)));
    problems.extend(list(result, "tools").flat_map(|tool| outside("tool", row.tool, tool)));
    problems.extend(list(result, "content").flat_map(|block| check_block(row, block)));
    let infos = [&result["serverInfo"], &result["_meta"]["io.modelcontextprotocol/serverInfo"]];
    problems.extend(infos.into_iter().flat_map(|info| outside("serverInfo", row.server_info, info)));
    problems
}

fn check_block(row: &Row, block: &Value) -> Vec<String> {
    let Some((_, allowed)) = row.blocks.iter().find(|(kind, _)| block["type"] == *kind) else {
        return vec![format!("there is no block of type {} in this revision", block["type"])];
    };
    let mut problems = outside("block", allowed, block);
    problems.extend(outside("annotations", row.annotations, &block["annotations"]));
    problems.extend(outside("item", row.item, &block["resource"]));
    problems
}

/// The members in the parameters of a notification that do not exist in the revision.
pub(crate) fn check_notification(revision: Revision, message: &Value) -> Vec<String> {
    if message["method"] != "notifications/progress" {
        return Vec::new();
    }
    outside("progress", row(revision).progress, &message["params"])
}

pub(super) fn list<'a>(result: &'a Value, member: &str) -> impl Iterator<Item = &'a Value> {
    result[member].as_array().into_iter().flatten()
}

pub(super) fn outside(what: &str, allowed: &[&str], object: &Value) -> Vec<String> {
    let unknown = members(object).filter(|name| !allowed.contains(name));
    unknown.map(|name| format!("{what} has no member {name:?} in this revision")).collect()
}
