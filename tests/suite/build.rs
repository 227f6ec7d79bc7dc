//! The errors of `build()`: all at once, each with its resource and the remedy.

use grange_core::{Annotations, Icon, Resource, Server};
use serde_json::json;

/// The errors of a server with these resources, one per line.
fn errors(resources: impl IntoIterator<Item = Resource>) -> String {
    Server::builder("t", "1").resources(resources).build().expect_err("the build must fail").to_string()
}

fn named(uri: &str) -> grange_core::ResourceBuilder {
    Resource::builder().uri(uri.to_owned()).name("n").text("t")
}

#[test]
fn all_errors_of_all_definitions_are_reported_at_once() {
    let all = errors([
        Resource::builder().build(),
        named("relative/path").build(),
        named("docs://caf\u{e9}").build(),
        named("docs://a").mime_type("text").build(),
        named("docs://b").annotations(Annotations::new().priority(1.5).last_modified("yesterday")).build(),
        named("docs://c").icons([Icon::new("javascript:x").mime_type("png").size("big")]).build(),
        named("docs://d").meta(json!({ "-k": 1 })).content_meta(json!([1])).build(),
        named("docs://a").name("again").build(),
    ]);
    for expected in [
        "the server has 14 errors:",
        "resource ``: uri is empty",
        "resource ``: name is missing",
        "resource ``: there is no payload",
        "resource `relative/path`: uri is relative",
        "resource `docs://caf\u{e9}`: uri is not ASCII: write `docs://caf%C3%A9`",
        "resource `docs://a`: mime_type `text`",
        "resource `docs://b`: priority 1.5 is outside 0.0 to 1.0",
        "resource `docs://b`: last_modified `yesterday`",
        "resource `docs://c`: icon src `javascript:x`",
        "resource `docs://c`: icon mime_type `png`",
        "resource `docs://c`: icon size `big`",
        "resource `docs://d`: _meta key `-k`",
        "resource `docs://d`: _meta must be an object",
        "resource `docs://a`: the uri is declared twice, by `n` and `again`",
    ] {
        assert!(all.contains(expected), "{expected:?} is not in\n{all}");
    }
}

#[test]
fn errors_of_the_server_are_reported_with_the_others() {
    let built =
        Server::builder("", "1").website_url("example.com").page_size(0).revisions([]).resource(named("x").build());
    let error = built.icons([Icon::new("/i.png")]).build().expect_err("the build must fail");
    assert_eq!(error.errors().len(), 6, "{error}");
    assert!(error.errors()[..5].iter().all(|error| error.subject() == "server"), "{error}");
    // `main` prints the debug form.
    assert_eq!(format!("{error:?}"), error.to_string());
}

#[test]
fn a_changed_copy_keeps_all_other_fields() {
    let base = named("docs://a").title("A").mime_type("text/plain").build();
    let copy = base.to_builder().uri("docs://b").text("longer text").build();
    let server = Server::builder("t", "1").resources([base, copy]).build().expect("a server");
    let list = crate::raw::modern(&server, "resources/list", json!({})).result();
    assert_eq!(
        list["resources"],
        json!([
            { "uri": "docs://a", "name": "n", "title": "A", "mimeType": "text/plain", "size": 1 },
            { "uri": "docs://b", "name": "n", "title": "A", "mimeType": "text/plain", "size": 11 },
        ])
    );
}

#[test]
fn a_definition_can_be_used_in_several_servers() {
    let shared = named("docs://a").build();
    for name in ["one", "two"] {
        let server = Server::builder(name, "1").resource(shared.clone()).build().expect("a server");
        assert_eq!(server.uris().collect::<Vec<_>>(), ["docs://a"]);
    }
}
