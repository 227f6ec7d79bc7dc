//! Results of Agent Skills over MCP (SEP-2640), for which there is no official schema: every entry is complete, in
//! order, and of its skill. Only the form of digests is checked here; tests that read the files check the digests
//! themselves.

use grange_core::Revision;
use serde_json::Value;

use super::fields::{list, outside};
use super::{against, members};

/// The problems in the result of a method of the extension; empty for other methods.
pub(super) fn check(revision: Revision, method: &str, result: &Value) -> Vec<String> {
    match method {
        "resources/directory/read" => directory(revision, result),
        "skills/get" => entry(&result["skill"]),
        "skills/list" if !result["skills"].is_array() => vec!["skills is no list".to_owned()],
        "skills/list" => list(result, "skills").flat_map(entry).chain(order(result, "skills")).collect(),
        _ => Vec::new(),
    }
}

fn directory(revision: Revision, result: &Value) -> Vec<String> {
    if !result["resources"].is_array() {
        return vec!["resources is no list".to_owned()];
    }
    let children = list(result, "resources");
    let mut problems: Vec<String> = children.flat_map(|child| against(revision, &["Resource"], child)).collect();
    let is_typed = |child: &&Value| child["mimeType"].is_string() && !text(child, "uri").ends_with('/');
    problems.extend(list(result, "resources").filter(|child| !is_typed(child)).map(|child| format!("{child}")));
    problems.extend(order(result, "resources"));
    problems
}

fn entry(skill: &Value) -> Vec<String> {
    let mut problems = outside("skill", &["uri", "frontmatter", "resources"], skill);
    let uri = text(skill, "uri");
    let frontmatter = &skill["frontmatter"];
    let root = uri.strip_suffix("/SKILL.md").unwrap_or_default();
    if root.is_empty() || root.rsplit('/').next() != frontmatter["name"].as_str() {
        problems.push(format!("{uri:?} is no SKILL.md of {}", frontmatter["name"]));
    }
    if !frontmatter["description"].is_string() {
        problems.push(format!("{frontmatter} has no description"));
    }
    if skill["resources"] != "dynamic" {
        problems.extend(manifest(root, skill));
    }
    problems
}

/// A complete list of files.
fn manifest(root: &str, skill: &Value) -> Vec<String> {
    let mut problems: Vec<String> = list(skill, "resources").flat_map(|file| file_entry(root, file)).collect();
    if list(skill, "resources").filter(|file| file["uri"] == skill["uri"]).count() != 1 {
        problems.push(format!("{} does not list itself once", skill["uri"]));
    }
    problems.extend(order(skill, "resources"));
    problems
}

fn file_entry(root: &str, file: &Value) -> Vec<String> {
    let mut problems = outside("file", &["uri", "digest", "size"], file);
    let inside = text(file, "uri").strip_prefix(root).is_some_and(|path| path.starts_with('/'));
    let digest = text(file, "digest").strip_prefix("sha256:").unwrap_or_default();
    let is_digest = digest.len() == 64 && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if !(inside && is_digest && file["size"].is_u64() && members(file).count() == 3) {
        problems.push(format!("{file} is no file of {root}"));
    }
    problems
}

/// The URIs must increase strictly, so that none occurs twice.
fn order(of: &Value, member: &str) -> Option<String> {
    let uris: Vec<&str> = list(of, member).map(|each| text(each, "uri")).collect();
    let rises = uris.is_sorted_by(|one, next| one < next);
    (!rises).then(|| format!("{member} are in no order: {uris:?}"))
}

fn text<'a>(object: &'a Value, member: &str) -> &'a str {
    object[member].as_str().unwrap_or_default()
}

#[test]
fn the_oracle_finds_invalid_skills() {
    use serde_json::json;

    let digest = format!("sha256:{}", "0".repeat(64));
    let good = json!({
        "uri": "skill://a/x/SKILL.md",
        "frontmatter": { "name": "x", "description": "d" },
        "resources": [
            { "uri": "skill://a/x/SKILL.md", "digest": digest, "size": 0 },
            { "uri": "skill://a/x/a.md", "digest": digest, "size": 1 },
        ],
    });
    assert_eq!(entry(&good), [""; 0]);
    for (place, wrong) in [
        ("/uri", json!("skill://a/y/SKILL.md")),
        ("/frontmatter/name", json!("y")),
        ("/frontmatter/description", json!(null)),
        ("/resources", json!([])),
        ("/resources", json!("static")),
        ("/resources/1/uri", json!("skill://a/xx/a.md")),
        ("/resources/1/uri", json!("skill://a/x/SKILL.md")),
        ("/resources/1/digest", json!(digest.to_uppercase())),
        ("/resources/1/size", json!(-1)),
        ("/resources/1", json!({ "uri": "skill://a/x/a.md", "digest": digest })),
    ] {
        let mut skill = good.clone();
        *skill.pointer_mut(place).expect("a place in the skill") = wrong.clone();
        assert_ne!(entry(&skill), [""; 0], "{place}: {wrong}");
    }
}
