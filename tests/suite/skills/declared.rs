//! C1: the extension is declared on every revision, with only the methods that it answers.

use grange_core::{Resource, Revision, Server};
use grange_http::HttpService;
use grange_skills::Skills;
use serde_json::{Value, json};

use super::{ID, clients, ledger_close, rotate_keys, server};
use crate::http::drive::{Post, service};

#[tokio::test]
async fn c1_the_extension_is_declared_on_every_revision() {
    for (skills, settings) in [
        (Skills::new([ledger_close()]), json!({})),
        (Skills::new([ledger_close()]).directory_read(), json!({ "directoryRead": true })),
    ] {
        for client in clients(&server(skills)).await {
            let expected = json!({ "resources": {}, "extensions": { ID: settings } });
            assert_eq!(client.capabilities(), &expected, "{}", client.revision());
        }
    }
}

#[tokio::test]
async fn c1_without_skills_the_extension_and_its_methods_do_not_exist() {
    let note = Resource::builder().uri("docs://note").name("note").text("note").build();
    let server = Server::builder("t", "1").resource(note).build().unwrap();
    for mut client in clients(&server).await {
        assert_eq!(client.capabilities().get("extensions"), None);
        for method in ["skills/list", "skills/get", "resources/directory/read"] {
            let params = json!({ "uri": "skill://ledger-close" });
            assert_eq!(client.request(method, params).await.unwrap_err().code, -32601, "{method}");
        }
    }
}

#[tokio::test]
async fn c1_directories_can_be_read_only_if_declared() {
    for mut client in clients(&server(Skills::new([ledger_close()]))).await {
        let params = json!({ "uri": "skill://ledger-close" });
        assert_eq!(client.request("resources/directory/read", params).await.unwrap_err().code, -32601);
        assert!(client.request("skills/list", json!({})).await.is_ok());
    }
}

#[tokio::test]
async fn c1_c3_an_unknown_method_is_404_in_the_modern_era_and_200_in_the_legacy_era() {
    for method in ["skills/list", "skills/get", "resources/directory/read"] {
        let params = json!({ "uri": "skill://ledger-close" });
        let answer = Post::modern(method, params.clone()).without("mcp-name").send(&service()).await;
        assert_eq!((answer.status, answer.code()), (404, -32601), "{method}");
        let answer = Post::legacy(method, &params).send(&service()).await;
        assert_eq!((answer.status, answer.code()), (200, -32601), "{method}");
    }
}

#[tokio::test]
async fn c3_c11_errors_of_the_extension_are_http_200_in_both_eras() {
    let service = HttpService::new(server(Skills::new([ledger_close(), rotate_keys()]).directory_read()));
    let nope = "skill://nope/SKILL.md";
    for (method, params, message) in [
        ("skills/get", json!({ "uri": nope }), "Unknown skill URI: skill://nope/SKILL.md"),
        ("skills/list", json!({ "cursor": "x" }), "Unknown cursor: x"),
        ("resources/directory/read", json!({ "uri": nope }), "Not a directory: skill://nope/SKILL.md"),
    ] {
        let modern = Post::modern(method, params.clone());
        // The header belongs to other methods: it is accepted if it matches, and not required.
        for post in [modern.clone(), modern.without("mcp-name"), Post::legacy(method, &params)] {
            let answer = post.send(&service).await;
            assert_eq!((answer.status, answer.code(), answer.message()), (200, -32602, message.to_owned()));
        }
    }
}

#[tokio::test]
async fn c3_the_same_entries_come_over_http_and_over_a_pipe() {
    let server = server(Skills::new([ledger_close(), rotate_keys()]));
    let mut seen: Vec<Value> = Vec::new();
    for mut client in clients(&server).await {
        seen.push(client.request("skills/list", json!({})).await.unwrap()["skills"].take());
    }
    assert_eq!(seen.len(), 2 * Revision::ALL.len());
    assert!(seen.iter().all(|skills| *skills == seen[0]), "{seen:?}");
}
