//! Completion of variables: which requests are served, what a client gets, and what `build()` rejects.
//!
//! How a completer runs is in `completion/run.rs`.

mod run;

use std::sync::{Arc, Mutex};

use grange_core::{
    CompleteRequest, Completion, Context, HandlerFailure, Resource, Revision, Server, ServerBuilder, Template,
    TemplateBuilder,
};
use grange_testkit::TestContext;
use serde_json::{Value, json};

use crate::raw;
use crate::schema::clients;

type Map = std::collections::BTreeMap<String, String>;

const ITEM: &str = "demo://items/{id}";
const SEARCH: &str = "demo://search{?q,limit}";
const CITY: &str = "demo://{country}/{city}";

fn template(uri: &'static str) -> TemplateBuilder {
    Template::builder().uri(uri).name(uri).read(|_, _: Map| async { Ok("read") })
}

fn item() -> Template {
    let ids = |typed: CompleteRequest| (1..=1000).filter(move |id: &u64| id.to_string().starts_with(typed.value()));
    template(ITEM).complete("id", move |_, typed| async move { Ok(ids(typed).collect::<Vec<_>>()) }).build()
}

fn city() -> Template {
    template(CITY)
        .complete_from("country", ["Macho", "Chad", "Echo", "China", "Fiji"])
        .complete("city", |_, typed| async move {
            let of_chad = vec!["Abeche", "Mongo", "Mongo", "Sarh/Est", "..", "Ati"];
            Ok(if typed.other("country") == Some("Chad") { of_chad } else { vec!["nowhere"] })
        })
        .build()
}

fn builder() -> ServerBuilder {
    let words = (0..150).map(|number| format!("w{number:03}"));
    Server::builder("completion", "1.0.0")
        .resource(Resource::builder().uri("demo://items/1").name("first").text("fixed").build())
        .templates([item(), template(SEARCH).complete_from("q", words).build(), city()])
        .on_error(|_, _| {})
}

fn server() -> Server {
    builder().build().expect("a valid server")
}

/// A server with one template, and the failures that `on_error` gets.
fn reported(template: Template) -> (Server, Arc<Mutex<Vec<String>>>) {
    let reported = Arc::<Mutex<Vec<String>>>::default();
    let notes = reported.clone();
    let server = Server::builder("one", "1.0.0").template(template).on_error(move |failure, cx| {
        notes.lock().expect("no panic before").push(format!("{}: {failure:#}", cx.target()));
    });
    (server.build().expect("a valid server"), reported)
}

fn params(uri: &str, name: &str, value: &str) -> Value {
    json!({ "ref": { "type": "ref/resource", "uri": uri }, "argument": { "name": name, "value": value } })
}

fn ask(server: &Server, params: Value) -> raw::Answer {
    raw::modern(server, "completion/complete", params)
}

/// The completion that a modern client gets.
fn complete(server: &Server, uri: &str, name: &str, value: &str) -> Value {
    ask(server, params(uri, name, value)).result()["completion"].clone()
}

/// The capabilities that a server declares in a revision.
fn capabilities(server: &Server, revision: Revision) -> Value {
    let name = revision.name();
    let client = json!({ "name": "c", "version": "1" });
    let params = json!({ "protocolVersion": name, "capabilities": {}, "clientInfo": client });
    let answer = if revision.has_handshake() {
        raw::legacy(server, name, "initialize", &params)
    } else {
        raw::modern(server, "server/discover", json!({}))
    };
    answer.result()["capabilities"].clone()
}

#[tokio::test]
async fn l2_1_the_capability_is_declared_exactly_with_a_completer() {
    let plain = Server::builder("plain", "1.0.0").template(template(ITEM).build()).build().unwrap();
    for revision in Revision::ALL {
        let has_bit = !revision.name().starts_with("2024-");
        let expected = if has_bit { json!({ "completions": {}, "resources": {} }) } else { json!({ "resources": {} }) };
        assert_eq!(capabilities(&server(), revision), expected, "{revision}");
        assert_eq!(capabilities(&plain, revision), json!({ "resources": {} }), "{revision}");
    }
    for mut client in clients(&plain).await {
        assert_eq!(client.complete(ITEM, "id", "").await.unwrap_err().code, -32601);
    }
    // 2024 revisions serve the method too.
    for mut client in clients(&server()).await {
        assert_eq!(client.complete(ITEM, "id", "99").await.unwrap().values().len(), 11, "{}", client.revision());
    }
}

#[tokio::test]
async fn l2_2_a_reference_is_a_template_byte_for_byte_or_a_resource() {
    for mut client in clients(&server()).await {
        let fixed = client.complete("demo://items/1", "id", "").await.unwrap();
        assert_eq!((fixed.values(), fixed.total(), fixed.has_more()), (&[] as &[String], None, false));
        for uri in ["demo://items/{nr}", "demo://items/7", "demo://items/%7Bid%7D", "DEMO://items/{id}", ""] {
            let error = client.complete(uri, "id", "").await.unwrap_err();
            assert_eq!(error.code, -32602);
            assert!(error.message.contains("ref.uri") && error.message.contains(&format!("{uri:?}")), "{error}");
        }
        let prompt = json!({ "ref": { "type": "ref/prompt", "name": "p" }, "argument": { "name": "a", "value": "" } });
        let error = client.request("completion/complete", prompt).await.unwrap_err();
        assert_eq!((error.code, error.message.contains("a prompt, not \"p\"")), (-32602, true), "{error}");
    }
}

#[tokio::test]
async fn l2_3_a_variable_without_a_completer_has_no_values_and_an_unknown_one_is_an_error() {
    for mut client in clients(&server()).await {
        let none = client.complete(SEARCH, "limit", "1").await.unwrap();
        assert_eq!((none.values().len(), none.has_more()), (0, false));
        let error = client.complete(CITY, "town", "").await.unwrap_err();
        assert_eq!(error.code, -32602);
        let expected = "Invalid params: \"argument.name\" must be a variable of \"demo://{country}/{city}\" \
                        (country, city), not \"town\"";
        assert_eq!(error.message, expected);
    }
}

/// Parameters with a member of a wrong type, and what the error says of it.
fn malformed() -> Vec<(Value, &'static str)> {
    let good = params(CITY, "city", "");
    let with = |name: &str, value: Value| {
        let mut params = good.clone();
        params[name] = value;
        params
    };
    let reference = |reference: Value| with("ref", reference);
    vec![
        (json!({}), "\"ref\" is missing"),
        (reference(Value::Null), "\"ref\" is missing"),
        (reference(json!("x")), "\"ref\" must be an object, not a string"),
        (reference(json!({})), "\"ref.type\" is missing"),
        (reference(json!({ "type": 1 })), "\"ref.type\" must be a string, not a number"),
        (reference(json!({ "type": "ref/other", "uri": CITY })), "not \"ref/other\""),
        (reference(json!({ "type": "ref/resource" })), "\"ref.uri\" is missing"),
        (reference(json!({ "type": "ref/resource", "uri": [] })), "\"ref.uri\" must be a string, not an array"),
        (reference(json!({ "type": "ref/prompt", "name": false })), "\"ref.name\" must be a string, not a boolean"),
        (with("argument", Value::Null), "\"argument\" is missing"),
        (with("argument", json!([])), "\"argument\" must be an object, not an array"),
        (with("argument", json!({ "name": "city" })), "\"argument.value\" is missing"),
        (with("argument", json!({ "name": "city", "value": 1 })), "\"argument.value\" must be a string, not a number"),
        (with("argument", json!({ "name": null, "value": "" })), "\"argument.name\" must be a string, not null"),
        (with("argument", json!({ "name": {}, "value": "" })), "\"argument.name\" must be a string, not an object"),
    ]
}

/// The same for the context, which not every revision has.
fn malformed_context() -> Vec<(Value, &'static str)> {
    let with = |uri: &str, name: &str, context: Value| {
        let mut params = params(uri, name, "");
        params["context"] = context;
        params
    };
    vec![
        (with(CITY, "city", json!([])), "\"context\" must be an object, not an array"),
        (with(CITY, "city", json!({ "arguments": ["Chad"] })), "must be an object of strings, not an array"),
        (
            with(CITY, "city", json!({ "arguments": { "country": 1 } })),
            "must have strings only, and \"country\" is none",
        ),
        (with(CITY, "city", json!({ "arguments": { "planet": null } })), "\"planet\" is none"),
        // Nothing completes these, and the request is not valid either.
        (with(SEARCH, "limit", json!({ "arguments": { "q": 1 } })), "\"q\" is none"),
        (with("demo://items/1", "id", json!({ "arguments": 1 })), "must be an object of strings, not a number"),
    ]
}

#[tokio::test]
async fn l2_3_members_of_a_wrong_type_are_invalid() {
    for mut client in clients(&server()).await {
        let has_context = !["2024-10-07", "2024-11-05", "2025-03-26"].contains(&client.revision().name());
        let contexts = malformed_context().into_iter().filter(|_| has_context);
        for (params, expected) in malformed().into_iter().chain(contexts) {
            let error = client.request("completion/complete", params).await.expect_err(expected);
            assert_eq!(error.code, -32602, "{expected}");
            assert!(error.message.contains(expected), "{error} says not {expected}");
        }
    }
    let rejected = malformed().into_iter().chain(malformed_context());
    for (params, expected) in rejected {
        assert_eq!(ask(&server(), params).status, grange_core::Status::Invalid, "{expected}");
    }
    assert_eq!(ask(&server(), params(CITY, "town", "")).status, grange_core::Status::Ok);
}

#[tokio::test]
async fn l2_4_other_arguments_are_values_and_only_of_the_revisions_that_have_them() {
    for mut client in clients(&server()).await {
        let is_early = ["2024-10-07", "2024-11-05", "2025-03-26"].contains(&client.revision().name());
        for (others, is_chad) in [
            (json!({ "country": "Chad" }), true),
            (json!({ "planet": "Earth", "country": "Chad", "city": "x" }), true),
            // A value is no URI text.
            (json!({ "country": "Ch%61d" }), false),
            (json!({}), false),
            (Value::Null, false),
        ] {
            let completed = client.complete_with(CITY, "city", "", others).await.unwrap();
            let expected: &[&str] = if is_chad && !is_early { &["Abeche", "Mongo", "Ati"] } else { &["nowhere"] };
            assert_eq!(completed.values(), expected, "{}", client.revision());
        }
        assert_eq!(client.complete(CITY, "city", "").await.unwrap().values(), ["nowhere"]);
    }
}

#[tokio::test]
async fn l2_4_names_that_are_no_variables_reach_no_code() {
    let template = template(CITY).complete("city", |_, typed| async move {
        let found = ["country", "city", "planet", ""].map(|name| typed.other(name).unwrap_or("-").to_owned());
        Ok(found.into_iter().enumerate().map(|(at, value)| format!("{at}{value}")).collect::<Vec<_>>())
    });
    let server = Server::builder("one", "1.0.0").template(template.build()).build().unwrap();
    let mut params = params(CITY, "city", "");
    params["context"] = json!({ "arguments": { "planet": "Earth", "": "x", "country": "", "city": "A%20b" } });
    assert_eq!(ask(&server, params).result()["completion"]["values"], json!(["0", "1A%20b", "2-", "3-"]));
}

#[tokio::test]
async fn l2_5_a_client_gets_a_hundred_values_and_the_truth_about_the_rest() {
    let words: Vec<String> = (0..150).map(|number| format!("w{number:03}")).collect();
    for mut client in clients(&server()).await {
        let ids: Vec<String> = (1..=1000).map(|id| id.to_string()).collect();
        let all = client.complete(ITEM, "id", "").await.unwrap();
        assert_eq!((all.values(), all.total(), all.has_more()), (&ids[..100], Some(1000), true));
        let ones = client.complete(ITEM, "id", "1").await.unwrap();
        assert_eq!((ones.values().len(), ones.total(), ones.has_more()), (100, Some(112), true));
        let few = client.complete(ITEM, "id", "99").await.unwrap();
        assert_eq!((few.values().len(), few.total(), few.has_more()), (11, None, false));
        assert_eq!(few.result()["completion"]["hasMore"], false, "it is written");
        assert_eq!(client.complete(ITEM, "id", "x").await.unwrap().values(), [""; 0]);
        let whole = client.complete(SEARCH, "q", "w0").await.unwrap();
        assert_eq!((whole.values(), whole.has_more()), (&words[..100], false));
        let cut = client.complete(SEARCH, "q", "").await.unwrap();
        assert_eq!((cut.values(), cut.total(), cut.has_more()), (&words[..100], Some(150), true));
    }
}

#[test]
fn l2_5_the_author_may_state_more() {
    let template = template(ITEM).complete("id", |_, typed| async move {
        let known = Completion::new(["b", "a", "b"]);
        Ok(if typed.value().is_empty() { known.total(12) } else { known.has_more(true) })
    });
    let server = Server::builder("one", "1.0.0").template(template.build()).build().unwrap();
    assert_eq!(complete(&server, ITEM, "id", ""), json!({ "values": ["b", "a"], "total": 12, "hasMore": true }));
    assert_eq!(complete(&server, ITEM, "id", "a"), json!({ "values": ["b", "a"], "hasMore": true }));
}

#[tokio::test]
async fn l2_6_a_list_is_filtered_and_code_is_not() {
    for mut client in clients(&server()).await {
        let countries = client.complete(CITY, "country", "cH").await.unwrap();
        assert_eq!(countries.values(), ["Chad", "China", "Macho", "Echo"]);
        assert_eq!(client.complete(CITY, "country", "q").await.unwrap().values(), [""; 0]);
        assert_eq!(client.complete(CITY, "city", "zzz").await.unwrap().values(), ["nowhere"]);
        // A client chooses the length of the text.
        assert_eq!(client.complete(CITY, "country", &"c".repeat(1 << 20)).await.unwrap().values(), [""; 0]);
    }
}

#[test]
fn l2_7_values_that_a_variable_cannot_carry_are_left_out_and_reported() {
    let values = ["a", "a/b", "..", "", "c\nd", "e\\f"];
    let forms = ["demo://{v}", "demo://x/{+v}", "demo://x{/v*}", "demo://x{?v}"];
    for (uri, sent) in
        forms.into_iter().zip([&["a"][..], &["a", "a/b"], &["a", "a/b"], &["a", "a/b", "..", "", "c\nd", "e\\f"]])
    {
        let read = Template::builder().uri(uri).name("one").read(|_, _: Map| async { Ok("read") });
        let (server, failures) = reported(read.complete("v", move |_, _| async move { Ok(values) }).build());
        assert_eq!(complete(&server, uri, "v", "")["values"], json!(sent), "{uri}");
        let failures = failures.lock().unwrap();
        assert_eq!(failures.len(), usize::from(sent.len() < values.len()), "{uri}: {failures:?}");
        if let Some(failure) = failures.first() {
            assert!(failure.starts_with(&format!("completion of `v` in `{uri}`: values were left out: ")), "{failure}");
            assert!(failure.contains("\"..\" is `.` or `..`") && failure.contains(": give the path"), "{failure}");
        }
    }
}

#[test]
fn l2_7_a_list_is_reported_as_code_is() {
    let (server, failures) = reported(template(ITEM).complete_from("id", ["7", "a/b"]).build());
    assert_eq!(complete(&server, ITEM, "id", ""), json!({ "values": ["7"], "hasMore": false }));
    assert_eq!(complete(&server, ITEM, "id", "7"), json!({ "values": ["7"], "hasMore": false }));
    assert_eq!(failures.lock().unwrap().len(), 1, "only what was chosen is checked");
}

#[test]
fn l1_3_a_completer_for_a_name_that_is_no_variable_is_rejected() {
    let template = template(CITY).complete_from("town", ["a"]).complete("planet", |_, _| async { Ok(["b"]) });
    let problem = Server::builder("one", "1.0.0").template(template.build()).build().expect_err("a problem");
    let texts: Vec<_> = problem.errors().iter().map(ToString::to_string).collect();
    let expected = |name| {
        format!(
            "template `{CITY}`: `{name}` is completed, which is no variable of the uri: name one of `country`, `city`"
        )
    };
    assert_eq!(texts, ["town", "planet"].map(expected));
}

#[test]
fn a_completer_of_a_copy_replaces_the_copied_one() {
    let copy = city().to_builder().complete_from("country", ["Peru"]).build();
    let server = Server::builder("one", "1.0.0").template(copy).build().unwrap();
    assert_eq!(complete(&server, CITY, "country", "")["values"], json!(["Peru"]));
    assert_eq!(complete(&server, CITY, "city", "")["values"], json!(["nowhere"]));
}

#[tokio::test]
async fn l2_8_one_completer_runs_alone_with_providers_of_the_test() {
    struct Db(&'static [&'static str]);
    let template = template(CITY)
        .complete("city", |cx: Context, typed| async move {
            assert_eq!(cx.target().to_string(), "completion of `city` in `demo://{country}/{city}`");
            let found = cx.get::<Db>().await?.0.iter().filter(|city| city.starts_with(typed.value()));
            Ok(found.map(|city| format!("{city} in {}", typed.other("country").unwrap_or("?"))).collect::<Vec<_>>())
        })
        .complete_from("country", ["Chad", "China"])
        .build();
    let cx = || TestContext::new().provide_value(Db(&["Abeche", "Ati"]));
    let typed = CompleteRequest::new("city", "At").with_other("country", "Chad");
    assert_eq!(template.complete(cx(), typed).await.unwrap().values(), ["Ati in Chad"]);
    let country = template.complete(&cx(), CompleteRequest::new("country", "chi")).await.unwrap();
    assert_eq!(country, Completion::new(["China"]));
    let failure = template.complete(TestContext::new(), CompleteRequest::new("city", "")).await.unwrap_err();
    assert!(matches!(failure, HandlerFailure::MissingProvider { .. }), "{failure}");
    let failure = template.complete(TestContext::new(), CompleteRequest::new("town", "")).await.unwrap_err();
    assert!(matches!(failure, HandlerFailure::InvalidArguments(_)), "{failure}");
    let none = item().to_builder().build().complete(cx(), CompleteRequest::new("id", "1000")).await.unwrap();
    assert_eq!(none.values(), ["1000"]);
}
