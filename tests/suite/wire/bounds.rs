//! W2.14: how many JSON values author code can be given, in every place that a client fills.

use grange_core::{
    Context, Extension, ExtensionAnswer, ExtensionError, ExtensionParams, Limits, Server, ServerBuilder, async_trait,
};
use serde_json::{Map, Value, json};

use super::author::{Observed, builder, call, tools};
use crate::raw::{self, Pipe, exchange, modern_body, post};

/// The default of the limit.
const MOST: usize = 100_000;

/// JSON with more values than the limit, in several shapes.
fn large() -> [String; 5] {
    let many = |item: &str| format!("[{}]", vec![item; MOST].join(","));
    let members: Vec<_> = (0..MOST).map(|index| format!("\"{index}\":0")).collect();
    [many(r#"{"":0}"#), many("0"), many("[[]]"), many("{}"), format!("{{{}}}", members.join(","))]
}

fn with_tools(limits: Limits) -> Server {
    builder().tools(tools()).limits(limits).build().expect("a server")
}

#[test]
fn w2_14_arguments_of_too_many_values_are_invalid() {
    const REMEDY: &str = "more than 100000 JSON values: send fewer, or raise `Limits::json_values`";
    let server = with_tools(Limits::default());
    for large in large() {
        for tool in ["known", "any"] {
            let line = call(tool, &format!(r#"{{"x":{large}}}"#));
            let new = Pipe::opened(&server, "2025-11-25").ask(&line);
            assert_eq!(new["result"]["isError"], true);
            let text = new["result"]["content"][0]["text"].as_str().expect("a text");
            assert_eq!(text, format!("Invalid arguments: {REMEDY}"));
            let old = post(&server, Some("2025-06-18"), &line).expect("an answer").json();
            assert_eq!(old["error"]["code"], -32602);
            assert!(old["error"]["message"].as_str().expect("a message").ends_with(REMEDY));
        }
    }
}

#[test]
fn w2_14_the_number_of_values_can_be_set() {
    let raised = with_tools(Limits { json_values: usize::MAX, ..Limits::default() });
    let line = call("any", &format!(r#"{{"x":{}}}"#, &large()[1]));
    assert_eq!(Pipe::opened(&raised, "2025-11-25").ask(&line)["result"]["content"][0]["text"], "called");
    let lowered = with_tools(Limits { json_values: 10, ..Limits::default() });
    for (arguments, is_invalid) in [
        (r#"{"x":[0,1,2,3,4,5,6,7]}"#, false),
        (r#"{"x":[0,1,2,3,4,5,6,7,8]}"#, true),
        (r#"{"x":"a,b,c,d,e,f,[,{,g,h,i,\",j"}"#, false),
        (r#"{"a":{"b":{"c":{"d":{"e":{"f":{"g":{}}}}}}}}"#, false),
        (r#"{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":{"i":{}}}}}}}}}}"#, true),
    ] {
        let answer = Pipe::opened(&lowered, "2025-11-25").ask(&call("any", arguments));
        assert_eq!(answer["result"]["isError"] == true, is_invalid, "{arguments}: {answer}");
    }
}

#[test]
fn w2_14_meta_of_too_many_values_is_empty_and_its_members_are_read() {
    let info = json!({ "name": "c", "version": "1" });
    for large in large() {
        let observed = Observed::default();
        let mut body = modern_body(&json!(1), "resources/read", json!({ "uri": "docs://me" }));
        body["params"]["_meta"][raw::CAPABILITIES_KEY] = json!({ "roots": {} });
        body["params"]["_meta"]["io.modelcontextprotocol/clientInfo"] = info.clone();
        body["params"]["_meta"]["x"] = "HERE".into();
        let text = body.to_string().replace("\"HERE\"", &large);
        let answer = exchange(&observed.server(), raw::mirrored(&body), text.as_bytes()).expect("an answer");
        assert!(answer.result().is_object());
        assert_eq!(observed.take(), [json!({}), json!({ "roots": {} }), info.clone()]);
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{{"uri":"docs://me","_meta":{{"x":{large}}}}}}}"#
        );
        assert!(Pipe::opened(&observed.server(), "2025-06-18").ask(&line)["result"].is_object());
        assert_eq!(observed.take(), [json!({}), json!({}), json!({ "name": "t", "version": "1" })]);
    }
}

#[test]
fn w2_14_a_declaration_of_too_many_values_is_empty() {
    for large in large() {
        let observed = Observed::default();
        let mut pipe = Pipe::new(&observed.server());
        pipe.say(&format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{{"roots":{{}},"x":{large}}},"clientInfo":{{"name":"c","version":"1"}}}}}}"#
        ));
        assert!(pipe.request("resources/read", &json!({ "uri": "docs://me" }))["result"].is_object());
        assert_eq!(observed.take(), [json!({}), json!({}), json!({ "name": "c", "version": "1" })]);
    }
}

/// An extension whose method rejects each parameter that it can read. The schema has no result for it.
struct Reading;

#[async_trait]
impl Extension for Reading {
    fn id(&self) -> &'static str {
        "com.example/reading"
    }

    fn settings(&self) -> Map<String, Value> {
        Map::new()
    }

    fn methods(&self) -> &[&'static str] {
        &["reading/read"]
    }

    async fn answer(&self, _: Context, _: &str, params: ExtensionParams) -> Result<ExtensionAnswer, ExtensionError> {
        let name = params.required("name")?;
        Err(ExtensionError::invalid_params(format!("{:?} was read", params.get::<Value>(&name)?)))
    }
}

fn extended() -> ServerBuilder {
    Server::builder("tests", "1.0.0").extension(Reading)
}

#[test]
fn w2_14_a_parameter_of_too_many_values_is_invalid() {
    let server = extended().build().expect("a server");
    for large in large() {
        let line = |name: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"reading/read","params":{{"name":"{name}","x":{large},"y":[1]}}}}"#
            )
        };
        let answer = Pipe::opened(&server, "2025-11-25").ask(&line("x"));
        assert_eq!(answer["error"]["code"], -32602);
        let message = answer["error"]["message"].as_str().expect("a message");
        assert!(message.starts_with("Invalid params: \"x\" has more than 100000 JSON values"), "{message}");
        let answer = Pipe::opened(&server, "2025-11-25").ask(&line("y"));
        let message = answer["error"]["message"].as_str().expect("a message");
        assert!(message.ends_with("was read"), "what is not asked for is not counted: {message}");
    }
}

/// Arguments of so many objects, which take at least 700 bytes each as values.
fn objects(count: usize) -> String {
    format!(r#"{{"x":[{}]}}"#, vec!["{}"; count].join(","))
}

#[test]
fn w2_14_the_values_of_all_requests_on_a_pipe_have_one_budget() {
    let limits = Limits { message_bytes: 64 * 1024, connection_bytes: 4 * 1024 * 1024, ..Limits::default() };
    let server = with_tools(limits);
    let mut pipe = Pipe::opened(&server, "2025-11-25");
    let answer = pipe.ask(&call("any", &objects(10_000)));
    assert_eq!(answer["error"]["code"], 503, "they take 9 MB: {answer}");
    for _ in 0..5 {
        let answer = pipe.ask(&call("any", &objects(4000)));
        assert_eq!(answer["result"]["content"][0]["text"], "called", "each takes 3.6 MB, one after the other");
    }
    let extended = extended().limits(server.limits().clone()).build().expect("a server");
    let mut pipe = Pipe::opened(&extended, "2025-11-25");
    for (count, code) in [(10_000, 503), (4000, -32602), (4000, -32602)] {
        let params = format!(r#"{{"name":"x",{}"#, objects(count).split_at(1).1);
        let answer = pipe.ask(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"reading/read","params":{params}}}"#));
        assert_eq!(answer["error"]["code"], code, "a parameter of an extension: {count}");
    }
}
