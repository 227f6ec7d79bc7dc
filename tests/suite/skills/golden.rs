//! The two skills of the contract's fixture, byte for byte.

use std::collections::BTreeMap;

use grange_core::{Revision, Server, Status};
use grange_skills::Skills;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{ledger_close, rotate_keys};
use crate::raw::{self, Answer};

const LEDGER_ENTRY: &str = concat!(
    r#"{"uri":"skill://ledger-close/SKILL.md","#,
    r#""frontmatter":{"name":"ledger-close","description":"Close the monthly ledger. Use when month end is near.","#,
    r#""license":"MIT","metadata":{"version":"1.4.0","since":"2026-03-31","strict":true,"draft":"no","retries":17}},"#,
    r#""resources":[{"uri":"skill://ledger-close/SKILL.md","#,
    r#""digest":"sha256:1bb889cde7e7af673cbc1a73e1555af658170472241d5aa7abf34be8ae0af410","size":236},"#,
    r#"{"uri":"skill://ledger-close/assets/mark.bin","#,
    r#""digest":"sha256:56bd4ed80eff10ed079edcaa2ef0ea7c6da4bd03c6a3167eacbd292bc225491b","size":6},"#,
    r#"{"uri":"skill://ledger-close/references/blank.txt","#,
    r#""digest":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","size":0},"#,
    r#"{"uri":"skill://ledger-close/references/steps.md","#,
    r#""digest":"sha256:eaeaac5020b52d73004333295a9e5974384bb8439b26e9f1426301d3763153bd","size":18},"#,
    r#"{"uri":"skill://ledger-close/scripts/check.py","#,
    r#""digest":"sha256:ad64355106bb158b020ecf9702be48f7730fc091dd4bb6a2f092b40393495b3d","size":12}]}"#,
);

const ROTATE_ENTRY: &str = concat!(
    r#"{"uri":"skill://ops/oncall/rotate-keys/SKILL.md","#,
    r#""frontmatter":{"name":"rotate-keys","description":"Rotate service keys."},"#,
    r#""resources":[{"uri":"skill://ops/oncall/rotate-keys/SKILL.md","#,
    r#""digest":"sha256:3a1f748ecc51d275984af9fb39f793f9fc1cdf2b71eaf4cdd257e3f08c4dec8b","size":84},"#,
    r#"{"uri":"skill://ops/oncall/rotate-keys/notes/order.md","#,
    r#""digest":"sha256:c5d4466d8fe3235ebe9df79c0f43355b83893c489d95543d40a92630cfa9b6b0","size":13}]}"#,
);

fn fixture() -> Server {
    super::server(Skills::new([rotate_keys(), ledger_close()]).directory_read())
}

/// The answer to a request in each revision.
fn answers(method: &str, params: &Value) -> Vec<(Revision, Answer)> {
    let server = fixture();
    let ask = |revision: Revision| {
        if revision.has_handshake() {
            raw::legacy(&server, revision.name(), method, params)
        } else {
            raw::modern(&server, method, params.clone())
        }
    };
    Revision::ALL.into_iter().map(|revision| (revision, ask(revision))).collect()
}

/// The members of an object, each as unparsed JSON.
fn members(text: &str) -> BTreeMap<String, String> {
    let members: BTreeMap<String, Box<RawValue>> = serde_json::from_str(text).unwrap();
    members.into_iter().map(|(name, value)| (name, value.get().to_owned())).collect()
}

/// Checks that a result has these members, byte for byte, and those that its revision adds.
fn check(revision: Revision, answer: &Answer, own: &[(&str, &str)], cached: bool) {
    let mut expected: BTreeMap<_, _> =
        own.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    if !revision.has_handshake() {
        let info = r#"{"io.modelcontextprotocol/serverInfo":{"name":"ledger","version":"1.0.0"}}"#;
        let cache = [("ttlMs", "0"), ("cacheScope", r#""private""#)].into_iter().filter(|_| cached);
        let added = [("resultType", r#""complete""#), ("_meta", info)].into_iter().chain(cache);
        expected.extend(added.map(|(name, text)| (name.to_owned(), text.to_owned())));
    }
    assert_eq!(members(&members(&answer.text)["result"]), expected, "{revision}");
}

#[test]
fn c11_the_list_equals_the_golden_one_on_every_revision() {
    let skills = format!("[{LEDGER_ENTRY},{ROTATE_ENTRY}]");
    for (revision, answer) in answers("skills/list", &json!({})) {
        check(revision, &answer, &[("skills", &skills)], true);
    }
}

#[test]
fn c11_list_and_get_return_the_same_entry() {
    for (uri, entry) in
        [("skill://ops/oncall/rotate-keys/SKILL.md", ROTATE_ENTRY), ("skill://ledger-close/SKILL.md", LEDGER_ENTRY)]
    {
        for (revision, answer) in answers("skills/get", &json!({ "uri": uri })) {
            check(revision, &answer, &[("skill", entry)], true);
        }
    }
}

#[test]
fn c11_get_rejects_unknown_uris_and_uris_of_other_files() {
    for uri in ["skill://nope/SKILL.md", "skill://ledger-close/references/steps.md", "skill://ledger-close"] {
        let error = json!({ "code": -32602, "message": format!("Unknown skill URI: {uri}") });
        for (revision, answer) in answers("skills/get", &json!({ "uri": uri })) {
            assert_eq!((&answer.json()["error"], answer.status.clone()), (&error, Status::Ok), "{revision}");
        }
    }
}

#[test]
fn c11_files_are_read_unchanged() {
    let steps = "skill://ledger-close/references/steps.md";
    for (uri, item) in [
        (steps, json!({ "uri": steps, "mimeType": "text/markdown", "text": "# Steps\r\n1. Lock\r\n" })),
        (
            "skill://ledger-close/assets/mark.bin",
            json!({ "uri": "skill://ledger-close/assets/mark.bin", "mimeType": "application/octet-stream", "blob": "iUJJTgD/" }),
        ),
        (
            "skill://ledger-close/references/blank.txt",
            json!({ "uri": "skill://ledger-close/references/blank.txt", "mimeType": "text/plain", "text": "" }),
        ),
        (
            "skill://ledger-close/SKILL.md",
            json!({ "uri": "skill://ledger-close/SKILL.md", "mimeType": "text/markdown", "text": super::LEDGER_CLOSE }),
        ),
    ] {
        for (revision, answer) in answers("resources/read", &json!({ "uri": uri })) {
            assert_eq!(answer.result()["contents"], json!([item]), "{revision}");
        }
    }
}

#[test]
fn c11_every_file_is_a_resource_by_uri() {
    let entry = |uri: &str, name: &str, mime: &str| json!({ "uri": uri, "name": name, "mimeType": mime });
    let mut ledger = entry("skill://ledger-close/SKILL.md", "ledger-close", "text/markdown");
    ledger["description"] = "Close the monthly ledger. Use when month end is near.".into();
    let mut rotate = entry("skill://ops/oncall/rotate-keys/SKILL.md", "rotate-keys", "text/markdown");
    rotate["description"] = "Rotate service keys.".into();
    let file = |path: &str, mime: &str| entry(&format!("skill://{path}"), path, mime);
    let mut order = file("ops/oncall/rotate-keys/notes/order.md", "text/markdown");
    order["name"] = "rotate-keys/notes/order.md".into();
    let mut expected = vec![
        ledger,
        file("ledger-close/assets/mark.bin", "application/octet-stream"),
        file("ledger-close/references/blank.txt", "text/plain"),
        file("ledger-close/references/steps.md", "text/markdown"),
        file("ledger-close/scripts/check.py", "text/x-python"),
        rotate,
        order,
    ];
    for (resource, size) in expected.iter_mut().zip([236, 6, 0, 18, 12, 84, 13]) {
        resource["size"] = size.into();
    }
    for (revision, answer) in answers("resources/list", &json!({})) {
        assert_eq!(answer.result()["resources"], Value::from(expected.clone()), "{revision}");
    }
    for (revision, answer) in answers("resources/templates/list", &json!({})) {
        assert_eq!(answer.result()["resourceTemplates"], json!([]), "{revision}");
    }
}

#[test]
fn c11_a_directory_has_its_direct_children() {
    let children = json!([
        {
            "uri": "skill://ledger-close/SKILL.md", "name": "ledger-close", "mimeType": "text/markdown", "size": 236,
            "description": "Close the monthly ledger. Use when month end is near.",
        },
        { "uri": "skill://ledger-close/assets", "name": "assets", "mimeType": "inode/directory" },
        { "uri": "skill://ledger-close/references", "name": "references", "mimeType": "inode/directory" },
        { "uri": "skill://ledger-close/scripts", "name": "scripts", "mimeType": "inode/directory" },
    ]);
    for (revision, answer) in answers("resources/directory/read", &json!({ "uri": "skill://ledger-close" })) {
        let result = answer.result();
        assert_eq!(result["resources"], children, "{revision}");
        assert_eq!(result["resultType"].is_string(), !revision.has_handshake());
        assert_eq!((result.get("ttlMs"), result.get("cacheScope"), result.get("nextCursor")), (None, None, None));
    }
}

#[test]
fn c7_c11_a_value_that_hosts_read_differently_is_a_warning() {
    assert_eq!(
        fixture().warnings(),
        [
            "skill `ledger-close`: SKILL.md: line 10: `metadata.retries: 017` is 17, but a host that reads YAML 1.1 takes \
             it for 15 and then passes over the skill: write `17`, or quote it for a string"
        ]
    );
}
