//! C3: `resources/directory/read`, for a skill's root and all levels below.

use grange_core::Server;
use grange_skills::Skills;
use serde_json::json;

use super::{clients, ledger_close, rotate_keys, server, skill};
use crate::raw;

fn fixture() -> Server {
    let deep = skill("acme/billing/refunds", &[("a/b/c.md", "c"), ("a/b/d.md", "d"), ("a/e.md", "e"), ("z.md", "z")]);
    server(Skills::new([deep, ledger_close(), rotate_keys()]).directory_read())
}

/// The `name type` of each child of a directory.
fn children(server: &Server, uri: &str) -> Vec<String> {
    let result = raw::modern(server, "resources/directory/read", json!({ "uri": uri })).result();
    let child = |child: &serde_json::Value| {
        format!("{} {}", child["uri"].as_str().unwrap(), child["mimeType"].as_str().unwrap())
    };
    result["resources"].as_array().unwrap().iter().map(child).collect()
}

#[test]
fn c3_every_level_lists_its_direct_children_only() {
    let server = fixture();
    let root = "skill://acme/billing/refunds";
    for (uri, expected) in [
        (root.to_owned(), vec!["/SKILL.md text/markdown", "/a inode/directory", "/z.md text/markdown"]),
        (format!("{root}/a"), vec!["/a/b inode/directory", "/a/e.md text/markdown"]),
        (format!("{root}/a/b"), vec!["/a/b/c.md text/markdown", "/a/b/d.md text/markdown"]),
    ] {
        let expected: Vec<String> = expected.into_iter().map(|child| format!("{root}{child}")).collect();
        assert_eq!(children(&server, &uri), expected, "{uri}");
    }
}

#[tokio::test]
async fn c3_a_uri_that_is_no_directory_is_an_error() {
    for mut client in clients(&fixture()).await {
        for uri in [
            "skill://acme",
            "skill://acme/billing",
            "skill://acme/billing/refunds/",
            "skill://acme/billing/refunds/a/",
            "skill://acme/billing/refunds/SKILL.md",
            "skill://acme/billing/refunds/a/b/c.md",
            "skill://acme/billing/refunds/none",
            "skill://acme/billing/refunds/a/../a",
            "skill://ACME/billing/refunds",
            "SKILL://acme/billing/refunds",
            "skill://acme/billing/refund",
            "skill://",
            "",
            "docs://note",
        ] {
            let error = client.request("resources/directory/read", json!({ "uri": uri })).await.unwrap_err();
            assert_eq!((error.code, error.message), (-32602, format!("Not a directory: {uri}")));
        }
    }
}

#[tokio::test]
async fn c3_a_directory_is_not_a_resource() {
    for mut client in clients(&fixture()).await {
        let missed = if client.revision().has_handshake() { -32002 } else { -32602 };
        for uri in ["skill://ledger-close", "skill://ledger-close/assets", "skill://index.json"] {
            assert_eq!(client.read(uri).await.unwrap_err().code, missed, "{uri}");
        }
    }
}

#[tokio::test]
async fn c3_directories_have_pages() {
    let skills = Skills::new([ledger_close(), rotate_keys()]).directory_read().page_size(3);
    for mut client in clients(&server(skills)).await {
        let ask = |cursor: Option<&str>| match cursor {
            None => json!({ "uri": "skill://ledger-close" }),
            Some(cursor) => json!({ "uri": "skill://ledger-close", "cursor": cursor }),
        };
        let first = client.request("resources/directory/read", ask(None)).await.unwrap();
        let cursor = first["nextCursor"].as_str().unwrap();
        let last = client.request("resources/directory/read", ask(Some(cursor))).await.unwrap();
        let names = [&first, &last].map(|page| {
            let names = page["resources"].as_array().unwrap().iter().map(|child| child["name"].clone());
            names.collect::<Vec<_>>()
        });
        assert_eq!(names.concat(), ["ledger-close", "assets", "references", "scripts"]);
        assert_eq!((names[0].len(), last.get("nextCursor")), (3, None));
        for cursor in ["", "1", "4", "x"] {
            let error = client.request("resources/directory/read", ask(Some(cursor))).await.unwrap_err();
            assert_eq!((error.code, error.message), (-32602, format!("Unknown cursor: {cursor}")));
        }
    }
}
