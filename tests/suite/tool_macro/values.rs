//! Every value of a tool may be an expression, and its parameters are counted in any syntax.

use std::collections::BTreeMap;
use std::pin::Pin;

use grange::{
    ContentBlock, Context, Icon, Metadata, Schema, Server, Tool, ToolAnnotations, ToolError, ToolResult, tool,
};
use grange_testkit::TestContext;
use serde::Deserialize;
use serde_json::{Value, json};

const NAME: &str = "a";
const OBJECT: &str = r#"{"type":"object"}"#;

/// Arguments with a schema, whose type has a comma.
type Named = BTreeMap<String, u32>;

/// Arguments without a schema of their own.
#[derive(Deserialize)]
struct City {
    name: String,
}

async fn with_arguments(_cx: Context, args: Named) -> Result<String, ToolError> {
    Ok(format!("{args:?}"))
}

async fn with_schema(cx: Context, City { name }: City) -> Result<ToolResult, ToolError> {
    Ok(ToolResult::new().text(cx.tool().unwrap_or_default().to_owned()).structured(json!({ "name": name })))
}

fn counting<K>(key: K) -> impl Fn(Context, Named) -> Pin<Box<dyn Future<Output = Result<String, ToolError>> + Send>>
where
    K: AsRef<str> + Clone + Send + Sync + 'static,
{
    move |_cx, args| {
        let (key, args) = (key.clone(), args);
        Box::pin(async move { Ok(args.get(key.as_ref()).copied().unwrap_or_default().to_string()) })
    }
}

/// A macro of the author that passes a closure on as an expression.
macro_rules! named {
    ($name:literal, $call:expr) => {
        tool! { name: $name, call: $call }
    };
}

fn without_arguments(yes: bool, kept: &'static str) -> Vec<Tool> {
    vec![
        tool! { name: NAME, call: |_| async { Ok("") }, },
        tool! { name: "b", call: |cx| async move { Ok(cx.tool().unwrap_or_default().to_owned()) } },
        tool! { name: "c", call: async |_cx: Context| Ok([ContentBlock::text("c")]), title: format!("{kept}") },
        tool! { call: move |_: grange::Context,| async move { Ok(kept) }, name: "d" },
        tool! {
            name: String::from("e"),
            call: |_cx| -> Pin<Box<dyn Future<Output = Result<&'static str, ToolError>> + Send>> {
                Box::pin(async { Ok("") })
            },
            description: "with a result that has commas",
        },
        tool! { name: "f", input_schema: OBJECT, call: |_cx| async { Ok(Vec::<ContentBlock>::new()) } },
        tool! {
            name: "g",
            annotations: { read_only: yes, idempotent: !yes, title: kept },
            call: |_cx| async { Ok(grange::Text::from("")) },
        },
        named!("h", |_cx| async { Ok("") }),
        named!("i", (async move |_: Context| Ok("i"))),
    ]
}

#[expect(clippy::redundant_closure, reason = "a closure is what is tested")]
fn with_typed_arguments() -> Vec<Tool> {
    let annotations = ToolAnnotations::new().destructive(true);
    vec![
        tool! { name: "j", call: with_arguments, annotations: annotations },
        tool! { name: "k", call: counting::<&str>("one"), meta: Metadata::new().with("a", 1) },
        tool! {
            name: "l",
            call: |_cx, args: BTreeMap<String, Vec<(u8, u8)>>| async move { Ok(args.len().to_string()) },
        },
        tool! { name: "m", call: |cx, args| with_arguments(cx, args), icons: [Icon::new("https://example.com/i.png")] },
        tool! {
            name: "n",
            call: async move |cx: Context, args: Named,| -> Result<String, ToolError> {
                with_arguments(cx, args).await
            },
        },
        tool! { name: "o", call: { let key = String::from("one"); counting(key) } },
        named!("p", |_cx, _args: Named| async { Ok("") }),
    ]
}

fn with_schemas() -> Vec<Tool> {
    let kind = "object";
    vec![
        tool! {
            name: "q",
            call: with_schema,
            input_schema: { "type": "object", "properties": { "name": { "type": "string" } } },
        },
        tool! { name: "r", input_schema: { type: kind, "$id": "r:r" }, output_schema: OBJECT, call: with_schema },
        tool! { name: "s", input_schema: json!({ "type": kind }), call: |cx, city: City| with_schema(cx, city) },
        tool! {
            name: "t",
            input_schema: Schema::from(OBJECT),
            call: |_cx, args: Value| async move { Ok(args.to_string()) },
        },
    ]
}

#[tokio::test]
async fn every_value_may_be_an_expression() {
    let tools = [without_arguments(true, "d"), with_typed_arguments(), with_schemas()].concat();
    let names: String = tools.iter().map(Tool::name).collect();
    assert_eq!(names, "abcdefghijklmnopqrst");
    for tool in &tools {
        let arguments = match tool.name().as_bytes() {
            [b'a'..=b'i'] => json!({}),
            b"l" => json!({ "one": [[1, 2]] }),
            [b'j'..=b'p'] => json!({ "one": 1 }),
            _ => json!({ "name": "n" }),
        };
        let called = tool.call(TestContext::new(), arguments).await.expect("a result");
        assert!(!called.is_error(), "{}", tool.name());
    }
    assert!(Server::builder("t", "1").tools(tools).build().is_ok());
}
