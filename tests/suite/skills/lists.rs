//! C2 and C3: `skills/list` and `skills/get`, their parameters and pages.

use grange_core::Server;
use grange_skills::Skills;
use serde_json::{Value, json};

use super::{clients, ledger_close, server, skill};
use crate::raw;

fn five() -> Skills {
    Skills::new(["e", "a", "acme/d", "b", "acme/c"].map(|path| skill(path, &[])))
}

fn uris(result: &Value) -> Vec<&str> {
    result["skills"].as_array().unwrap().iter().map(|skill| skill["uri"].as_str().unwrap()).collect()
}

#[test]
fn c2_skills_are_sorted_by_uri() {
    let skills = Skills::new(["close", "close-all", "b", "close/inner"].map(|path| skill(path, &[])));
    let list = raw::modern(&server(skills), "skills/list", json!({})).result();
    let expected =
        ["skill://b/SKILL.md", "skill://close-all/SKILL.md", "skill://close/SKILL.md", "skill://close/inner/SKILL.md"];
    assert_eq!(uris(&list), expected);
}

#[tokio::test]
async fn c3_each_entry_is_on_exactly_one_page() {
    for mut client in clients(&server(five().page_size(2))).await {
        let (mut found, mut sizes, mut params) = (Vec::new(), Vec::new(), json!({}));
        loop {
            let page = client.request("skills/list", params).await.unwrap();
            sizes.push(uris(&page).len());
            found.extend(uris(&page).into_iter().map(str::to_owned));
            let Some(cursor) = page.get("nextCursor") else { break };
            params = json!({ "cursor": cursor });
        }
        assert_eq!(sizes, [2, 2, 1]);
        let expected = ["a", "acme/c", "acme/d", "b", "e"].map(|path| format!("skill://{path}/SKILL.md"));
        assert_eq!(found, expected, "{}", client.revision());
    }
}

#[test]
fn c3_the_default_is_one_page() {
    for skills in [five(), five().page_size(0), five().page_size(5), five().page_size(usize::MAX)] {
        let page = raw::modern(&server(skills), "skills/list", json!({})).result();
        assert_eq!((uris(&page).len(), page.get("nextCursor")), (5, None));
    }
}

#[tokio::test]
async fn c3_only_issued_cursors_are_accepted() {
    let even = Skills::new(["a", "b", "c", "d"].map(|path| skill(path, &[]))).page_size(2);
    for skills in [five().page_size(2), even, five()] {
        for mut client in clients(&server(skills)).await {
            for cursor in ["", "0", "1", "3", "5", "6", "02", "+2", "-2", " 2", "2.0", "x", "18446744073709551618"] {
                let error = client.request("skills/list", json!({ "cursor": cursor })).await.unwrap_err();
                assert_eq!((error.code, error.message), (-32602, format!("Unknown cursor: {cursor}")));
            }
        }
    }
    let four = server(Skills::new(["a", "b", "c", "d"].map(|path| skill(path, &[]))).page_size(2));
    assert_eq!(raw::modern(&four, "skills/list", json!({ "cursor": "4" })).code(), -32602);
}

/// The message of an error, which must be about the parameters.
fn rejected(server: &Server, method: &str, params: &Value) -> String {
    let modern = raw::exchange(
        server,
        vec![("mcp-protocol-version", raw::MODERN.into()), ("mcp-method", method.into())],
        raw::modern_body(&json!(1), method, params.clone()).to_string().as_bytes(),
    );
    let legacy = raw::legacy(server, "2025-11-25", method, params);
    let [modern, legacy] = [modern.unwrap(), legacy].map(|answer| answer.json()["error"].take());
    assert_eq!(modern, legacy);
    assert_eq!(modern["code"], -32602);
    modern["message"].as_str().unwrap().to_owned()
}

#[test]
fn c3_missing_or_mistyped_parameters_are_rejected() {
    let server = server(Skills::new([ledger_close()]).directory_read());
    for method in ["skills/get", "resources/directory/read"] {
        assert_eq!(rejected(&server, method, &json!({})), "Invalid params: \"uri\" is missing");
        for wrong in [json!(null), json!(1), json!(["skill://ledger-close"]), json!({ "uri": "x" }), json!(true)] {
            let message = rejected(&server, method, &json!({ "uri": wrong }));
            assert_eq!(message, "Invalid params: \"uri\" must be a string", "{wrong}");
        }
    }
    for params in [json!({ "cursor": 1 }), json!({ "cursor": true }), json!({ "cursor": {} })] {
        assert_eq!(rejected(&server, "skills/list", &params), "Invalid params: \"cursor\" must be a string");
    }
    let with_cursor = json!({ "uri": "skill://ledger-close", "cursor": 1 });
    let message = rejected(&server, "resources/directory/read", &with_cursor);
    assert_eq!(message, "Invalid params: \"cursor\" must be a string");
}

#[test]
fn c3_absent_parameters_are_an_empty_object() {
    let server = server(Skills::new([ledger_close()]));
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"method":"skills/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"skills/list","params":{}}"#,
    ] {
        let answer = raw::post(&server, Some("2025-11-25"), body).unwrap();
        assert_eq!(uris(&answer.result()), ["skill://ledger-close/SKILL.md"]);
    }
}

#[test]
fn c3_get_has_no_pages() {
    let server = server(five().page_size(1));
    let params = json!({ "uri": "skill://a/SKILL.md", "cursor": "x" });
    let result = raw::modern(&server, "skills/get", params).result();
    assert_eq!((result["skill"]["uri"].as_str(), result.get("nextCursor")), (Some("skill://a/SKILL.md"), None));
}

#[tokio::test]
async fn c3_a_client_need_not_declare_the_extension() {
    // The test kit's clients declare no extension.
    for mut client in clients(&server(five())).await {
        assert_eq!(uris(&client.request("skills/list", json!({})).await.unwrap()).len(), 5);
    }
}
