//! Resource templates: which URI reads what, what a client gets, and what `build()` rejects.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use grange_core::{
    CacheScope, Contents, Item, Limits, ReadError, Resource, Revision, Server, ServerBuilder, Template, UnknownQuery,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::raw;
use crate::schema::clients;

#[derive(Debug, Deserialize, Serialize)]
struct Search {
    q: Option<String>,
    limit: Option<u32>,
}

/// A template whose reader returns its values as JSON.
fn echo<A: for<'de> Deserialize<'de> + Serialize + Send + 'static>(uri: &'static str, name: &'static str) -> Template {
    let read = |_, values: A| async move { Ok(serde_json::to_string(&values)?) };
    Template::builder().uri(uri).name(name).mime_type("application/json").read(read).build()
}

const FILES: &str = "demo://files/{+path}";

type Map = std::collections::BTreeMap<String, String>;

fn builder() -> ServerBuilder {
    Server::builder("templates", "1.0.0")
        .resource(Resource::builder().uri("demo://items/1").name("first").text("fixed").build())
        .template(
            Template::builder()
                .uri("demo://items/{id}")
                .name("item")
                .title("Item")
                .mime_type("application/json")
                .meta(json!({ "example.com/kind": "item" }))
                .content_meta(json!({ "example.com/content": 1 }))
                .read(|_, id: u64| async move {
                    if id > 1000 { Err(ReadError::not_found()) } else { Ok(format!("{{\"id\":{id}}}")) }
                })
                .build(),
        )
        .templates([
            echo::<Map>(FILES, "file"),
            echo::<Map>("demo://items/{id}/notes", "notes"),
            echo::<Search>("demo://search{?q,limit}", "search"),
            echo::<Map>("demo://{country}/{city}", "city"),
        ])
}

fn server() -> Server {
    builder().build().expect("a valid server")
}

fn read(server: &Server, uri: &str) -> raw::Answer {
    raw::modern(server, "resources/read", json!({ "uri": uri }))
}

fn text(server: &Server, uri: &str) -> String {
    let result = read(server, uri).result();
    result["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{uri}: {result}")).to_owned()
}

/// The values that the reader of a URI got.
fn values(server: &Server, uri: &str) -> Value {
    serde_json::from_str(&text(server, uri)).expect("JSON")
}

fn assert_unknown(server: &Server, uri: &str) {
    let error = &read(server, uri).json()["error"];
    assert_eq!(error, &json!({ "code": -32602, "message": "Resource not found", "data": { "uri": uri } }));
}

#[tokio::test]
async fn l1_15_every_revision_lists_templates_and_reads_what_they_name() {
    for mut client in clients(&server()).await {
        let revision = client.revision();
        let listed = client.templates().await.unwrap();
        let names: Vec<_> = listed.iter().map(|template| template["uriTemplate"].as_str().unwrap()).collect();
        let all = ["items/{id}", "files/{+path}", "items/{id}/notes", "search{?q,limit}", "{country}/{city}"]
            .map(|rest| format!("demo://{rest}"));
        assert_eq!(names, all, "{revision}");
        assert!(listed.iter().all(|template| template.get("uri").is_none() && template.get("size").is_none()));
        assert_eq!(client.list().await.unwrap().len(), 1, "templates are in their own list");
        let item = client.request("resources/read", json!({ "uri": "demo://items/%37" })).await.unwrap();
        let content = &item["contents"][0];
        assert_eq!((&content["uri"], &content["text"]), (&json!("demo://items/%37"), &json!("{\"id\":7}")));
        assert_eq!(content["mimeType"], "application/json");
        assert_eq!(content.get("_meta").is_some(), listed[0].get("_meta").is_some(), "{revision}");
    }
}

#[test]
fn l1_6_query_values_are_optional_and_in_any_order() {
    let server = server();
    assert_eq!(values(&server, "demo://search?limit=5&q=a%20b"), json!({ "q": "a b", "limit": 5 }));
    assert_eq!(values(&server, "demo://search?q=x"), json!({ "q": "x", "limit": null }));
    assert_eq!(values(&server, "demo://search?q="), json!({ "q": "", "limit": null }));
    assert_eq!(values(&server, "demo://search"), json!({ "q": null, "limit": null }));
    for uri in
        ["demo://search?q=1&q=2", "demo://search?z=1", "demo://search?", "demo://search?limit=x", "demo://search?q"]
    {
        assert_unknown(&server, uri);
    }
    let lenient = Template::builder().uri("demo://find{?q}").name("find").unknown_query(UnknownQuery::Ignore);
    let lenient = lenient.read(|_, q: Option<String>| async move { Ok(format!("{q:?}")) }).build();
    let server = Server::builder("lenient", "1.0.0").template(lenient).build().unwrap();
    assert_eq!(text(&server, "demo://find?from=mail&q=a"), "Some(\"a\")");
}

#[test]
fn l1_7_values_are_decoded_once() {
    let server = server();
    assert_eq!(values(&server, "demo://files/%2520%C2%A7"), json!({ "path": "%20§" }));
    assert_eq!(values(&server, "demo://files/a+b"), json!({ "path": "a+b" }));
    for uri in ["demo://files/%FF", "demo://files/%zz", "demo://files/a b"] {
        assert_unknown(&server, uri);
    }
}

#[test]
fn l1_8_unsafe_values_reach_no_reader() {
    let runs = Arc::<AtomicUsize>::default();
    let counted = runs.clone();
    let files = Template::builder().uri("demo://files/{+path}").name("file").read(move |_, path: String| {
        counted.fetch_add(1, Ordering::SeqCst);
        async move { Ok(path) }
    });
    // A later template is not asked when the text of an earlier one matches.
    let server =
        Server::builder("files", "1.0.0").template(files.build()).template(echo::<Map>("demo://{a}/{b}/{c}", "any"));
    let server = server.build().unwrap();
    let unsafe_paths = ["a/../b", "%2e%2e/b", "a%2Fb", "a%5Cb", "%00", "a//b", "..", "a/.", ""];
    for path in unsafe_paths {
        assert_unknown(&server, &format!("demo://files/{path}"));
    }
    assert_eq!(runs.load(Ordering::SeqCst), 0);
    assert_eq!(text(&server, "demo://files/a/b.md"), "a/b.md");
}

#[test]
fn l1_9_values_that_do_not_fit_are_an_unknown_resource() {
    let server = server();
    for uri in ["demo://items/abc", "demo://items/-1", "demo://items/99999999999999999999", "demo://items/1001"] {
        assert_unknown(&server, uri);
    }
}

#[test]
fn l1_12_fixed_resources_come_first_then_templates_in_their_order() {
    let server = server();
    assert_eq!(text(&server, "demo://items/1"), "fixed");
    assert_eq!(text(&server, "demo://items/7"), "{\"id\":7}");
    assert_eq!(values(&server, "demo://items/7/notes"), json!({ "id": "7" }));
    assert_eq!(values(&server, "demo://de/berlin"), json!({ "country": "de", "city": "berlin" }));
    assert_unknown(&server, "other://items/7");
}

#[test]
fn w9_1_exact_uris_come_first_and_values_are_decoded_once_and_safe() {
    let server = server();
    assert_eq!(text(&server, "demo://items/1"), "fixed");
    assert_eq!(values(&server, "demo://items/%37/notes"), json!({ "id": "7" }));
    for unknown in
        ["demo://items/%2e%2e/notes", "demo://items/a%2Fb/notes", "demo://items/a/b/notes", "demo://items//notes"]
    {
        assert_unknown(&server, unknown);
    }
}

#[test]
fn l1_13_of_overlapping_templates_the_first_registered_is_read() {
    let templates = || [echo::<Map>("demo://{a}/x", "literal last"), echo::<Map>("demo://y/{b}", "literal first")];
    let [last, first] = templates();
    let server = |templates: [Template; 2]| Server::builder("two", "1.0.0").templates(templates).build().unwrap();
    assert_eq!(values(&server(templates()), "demo://y/x"), json!({ "a": "y" }));
    assert_eq!(values(&server([first, last]), "demo://y/x"), json!({ "b": "x" }));
    // More literal text is no reason to be asked first.
    let general = [echo::<Map>("demo://items/{id}", "item"), echo::<Map>("demo://{kind}/notes", "notes")];
    assert_eq!(values(&server(general), "demo://items/notes"), json!({ "id": "notes" }));
}

#[test]
fn l1_18_a_read_of_a_uri_that_a_template_made_gets_the_values_back() {
    let search = echo::<Search>("demo://search{?q,limit}", "search");
    let file = search.to_builder().uri("demo://files/{+path}").build();
    let server =
        Server::builder("made", "1.0.0").templates([search.clone(), echo::<Map>(FILES, "file")]).build().unwrap();
    for (q, limit) in [(None, None), (Some("a&b=c?"), Some(5)), (Some(""), None)] {
        let given = Search { q: q.map(str::to_owned), limit };
        let uri = search.uri(&given).unwrap();
        assert_eq!(values(&server, &uri), serde_json::to_value(&given).unwrap(), "{uri}");
    }
    assert_eq!((search.uri_template(), file.uri_template()), ("demo://search{?q,limit}", FILES));
    let uri = file.uri("a b/c").unwrap();
    assert_eq!((&*uri, values(&server, &uri)), ("demo://files/a%20b/c", json!({ "path": "a b/c" })));
    let problem = file.uri("../secret").unwrap_err().to_string();
    assert!(problem.starts_with("the URI of template `demo://files/{+path}` has a value for `path` that"), "{problem}");
    let broken = file.to_builder().uri("demo://{a}{b}").build().uri("x").unwrap_err().to_string();
    assert!(broken.contains("cannot be made, since the template has nothing between `{a}` and `{b}`"), "{broken}");
}

#[test]
fn l1_16_a_server_with_templates_alone_has_resources() {
    let only = || Server::builder("one", "1.0.0").template(echo::<Map>("demo://{id}", "one"));
    let server = only().build().unwrap();
    assert_eq!(raw::modern(&server, "resources/list", json!({})).result()["resources"], json!([]));
    assert_eq!(raw::modern(&server, "server/discover", json!({})).result()["capabilities"], json!({ "resources": {} }));
    // The cursor of one list is no cursor of another.
    let paged = builder().page_size(2).build().unwrap();
    let page = raw::modern(&paged, "resources/templates/list", json!({})).result();
    let cursor = page["nextCursor"].as_str().expect("more pages");
    assert_eq!(page["resourceTemplates"].as_array().map(Vec::len), Some(2));
    let next = raw::modern(&paged, "resources/templates/list", json!({ "cursor": cursor })).result();
    assert_eq!(next["resourceTemplates"][0]["name"], "notes");
    assert_eq!(raw::modern(&paged, "resources/list", json!({ "cursor": cursor })).code(), -32602);
}

#[test]
fn l1_14_hints_and_contents_are_those_of_the_template() {
    let template = Template::builder()
        .uri("demo://{id}")
        .name("one")
        .ttl(std::time::Duration::from_secs(7))
        .cache_scope(CacheScope::Private)
        .read(|cx, _: String| async move {
            Ok(Contents::new().item(Item::text(cx.uri(), "own")).item(Item::text("demo://x", "x")))
        })
        .build();
    let server = Server::builder("one", "1.0.0").template(template).limits(Limits::default()).build().unwrap();
    let result = read(&server, "demo://a%20b").result();
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(7000), &json!("private")));
    assert_eq!(
        (&result["contents"][0]["uri"], &result["contents"][1]["uri"]),
        (&json!("demo://a%20b"), &json!("demo://x"))
    );
}

/// The problems that `build()` finds with one template.
fn problems(template: Template) -> String {
    Server::builder("one", "1.0.0").template(template).build().expect_err("a problem").to_string()
}

#[test]
fn l1_2_templates_of_other_forms_are_rejected_with_the_remedy() {
    for (uri, remedy) in [
        ("demo://{a,b}", "{a}"),
        ("demo://a{.x}", "`.{x}`"),
        ("demo://a{/x}", "`/{x}`"),
        ("demo://{x:3}", "{x}"),
        ("demo://plain", "resource"),
    ] {
        let problem = problems(echo::<Map>(uri, "one"));
        assert!(problem.contains(&format!("template `{uri}`")) && problem.contains(remedy), "{problem}");
    }
    let empty = Template::builder().uri("demo://{a}").build();
    let problem = problems(empty);
    assert!(
        problem.contains("name is missing: give the template one") && problem.contains("give the template `read`"),
        "{problem}"
    );
}

#[test]
fn l1_3_templates_that_no_client_could_reach_are_rejected() {
    for (first, second) in [
        ("demo://items/{id}", "demo://items/{x}"),
        ("demo://{+path}", "demo://items/{id}"),
        ("demo://items/{id}", "demo://items/{id}"),
    ] {
        let builder = Server::builder("two", "1.0.0").templates([echo::<Map>(first, "a"), echo::<Map>(second, "b")]);
        let problem = builder.build().expect_err("a problem").to_string();
        assert!(problem.contains(second) && problem.contains(first), "{problem}");
    }
    let partial = [echo::<Map>("demo://{a}/x", "a"), echo::<Map>("demo://y/{b}", "b")];
    assert!(Server::builder("two", "1.0.0").templates(partial).build().is_ok(), "partial overlaps are legal");
}

#[test]
fn l1_3_arguments_that_do_not_fit_the_variables_are_rejected() {
    let problem = problems(echo::<Search>("demo://{id}{?q,limit}", "one"));
    assert!(problem.contains("no field for the variable `id`"), "{problem}");
    let problem = problems(echo::<u64>("demo://{a}/{b}", "one"));
    assert!(problem.contains("has 2 variables"), "{problem}");
}

#[tokio::test]
async fn a_panic_of_a_reader_of_a_template_is_private() {
    let template = Template::builder().uri("demo://{id}").name("one");
    let template = template.read(|_, id: String| async move { if id == "7" { panic!("secret") } else { Ok(id) } });
    let server =
        Server::builder("one", "1.0.0").template(template.build()).on_error(|_, cx| assert_eq!(cx.uri(), "demo://7"));
    let server = server.revisions(Revision::ALL).build().unwrap();
    assert_eq!(read(&server, "demo://7").code(), -32603);
    assert_eq!(text(&server, "demo://8"), "8");
}
