//! What a tool gets of an answer or a declaration of the host that is odd: numbers beyond a double, very many values.

use std::time::Duration;

use grange_core::{ClientRequestError, HostStatus, Limits, Server, Tool, host};
use serde_json::{Value, json};

use super::{Found, server};
use crate::raw::Pipe;

/// What a tool found: the status of the host, and the outcome of a request of any method.
type Outcome = (HostStatus, Result<Value, ClientRequestError>);

fn requesting(limits: Limits) -> (Server, Found<Outcome>) {
    let found = Found::new();
    let sink = found.clone();
    let tool = Tool::builder().name("ask").call_without_arguments(move |cx| {
        let sink = sink.clone();
        async move {
            let status = host(&cx).status();
            sink.add((status, cx.request("x/y", json!({}), Duration::from_secs(1)).await));
            Ok("asked")
        }
    });
    (server(tool).limits(limits).build().unwrap(), found)
}

/// Calls the tool on a pipe, and answers its request with these members, `"result":…` or `"error":…`.
fn answered(capabilities: &str, members: &str) -> Outcome {
    let (server, found) = requesting(Limits::default());
    answered_by(&server, &found, capabilities, members)
}

fn answered_by(server: &Server, found: &Found<Outcome>, capabilities: &str, members: &str) -> Outcome {
    let mut pipe = Pipe::new(server);
    pipe.say(&format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{capabilities},"clientInfo":{{"name":"c","version":"1"}}}}}}"#
    ));
    pipe.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    let asked = pipe.say(r#"{"jsonrpc":"2.0","id":"ask","method":"tools/call","params":{"name":"ask"}}"#);
    let answers = pipe.say(&format!(r#"{{"jsonrpc":"2.0","id":{},{members}}}"#, asked[0]["id"]));
    assert!(answers[0]["result"].is_object(), "{answers:?}");
    found.one()
}

#[test]
fn w2_10_a_number_beyond_a_double_in_data_does_not_hide_the_code() {
    for data in ["1e999", "[1e999]", r#"{"a":[1,{"b":-1E400}]}"#] {
        let (_, outcome) = answered("{}", &format!(r#""error":{{"data":{data},"code":-32004.0,"message":"slower"}}"#));
        let expected = ClientRequestError::Refused { code: -32004, message: "slower".to_owned(), data: None };
        assert_eq!(outcome, Err(expected), "{data}");
    }
    let (_, outcome) = answered("{}", r#""error":{"code":7,"message":1e999,"data":{"a":[1]}}"#);
    let data = Some(json!({ "a": [1] }));
    assert_eq!(outcome, Err(ClientRequestError::Refused { code: 7, message: String::new(), data }));
}

#[test]
fn w2_10_such_a_number_in_a_result_or_a_code_is_an_invalid_response() {
    for members in [
        r#""result":1e999"#,
        r#""result":{"x":[1e999]}"#,
        r#""error":{"code":1e999,"message":"x"}"#,
        r#""error":{"code":[1e999],"message":"x"}"#,
        r#""error":1e999"#,
    ] {
        let (_, outcome) = answered("{}", members);
        assert!(matches!(outcome, Err(ClientRequestError::InvalidResponse(_))), "{members}: {outcome:?}");
    }
}

#[test]
fn w2_10_a_host_is_available_whatever_number_is_beside_its_declaration() {
    const BLOCK: &str = r#""ai.nimblebrain/host-resources":{"read":{"enabled":true},"schemes":["files"]}"#;
    for number in ["1e999", "[1e999]", r#"{"y":1e999}"#] {
        for place in ["extensions", "experimental"] {
            let capabilities = format!(r#"{{"x":{number},"{place}":{{"com.example/x":{number},{BLOCK}}}}}"#);
            let (status, _) = answered(&capabilities, r#""result":{}"#);
            assert_eq!(status, HostStatus::Available, "{capabilities}");
        }
    }
}

/// JSON with more values than the limit.
fn large() -> [String; 3] {
    [r#"{"":0}"#, "0", "[{}]"].map(|item| format!("[{}]", vec![item; 100_000].join(",")))
}

#[test]
fn w2_14_an_answer_of_too_many_values_is_invalid() {
    for large in large() {
        for result in [large.clone(), format!(r#"{{"contents":[],"_meta":{{"x":{large}}}}}"#)] {
            let (_, outcome) = answered("{}", &format!(r#""result":{result}"#));
            let Err(ClientRequestError::InvalidResponse(problem)) = outcome else { panic!("it is read") };
            assert_eq!(problem, "more than 100000 JSON values: send fewer, or raise `Limits::json_values`");
        }
        let (_, outcome) =
            answered("{}", &format!(r#""error":{{"code":7,"message":"no","data":{large},"x":{large}}}"#));
        let expected = ClientRequestError::Refused { code: 7, message: "no".to_owned(), data: None };
        assert_eq!(outcome, Err(expected));
    }
}

#[test]
fn w2_14_a_long_file_is_one_value() {
    let (_, outcome) = answered("{}", &format!(r#""result":{{"text":"{}"}}"#, "[,{".repeat(300_000)));
    assert_eq!(outcome.unwrap()["text"].as_str().unwrap().len(), 900_000);
}

#[test]
fn w2_14_the_values_of_an_answer_are_counted_with_those_of_the_connection() {
    let limits = Limits { message_bytes: 64 * 1024, connection_bytes: 64 * 1024, ..Limits::default() };
    let (server, found) = requesting(limits);
    let (_, outcome) = answered_by(&server, &found, "{}", &format!(r#""result":[{}]"#, vec!["{}"; 1000].join(",")));
    let Err(ClientRequestError::InvalidResponse(problem)) = outcome else { panic!("values of 900 kB find room") };
    assert!(problem.ends_with("try again"), "{problem}");
}
