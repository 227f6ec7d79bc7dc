//! Tests of `tool!` from source to error texts, or to code, without a compiler. The tests of `resource!` cover the
//! common parts.

use super::{chained, plain, tokens};
use crate::errors::Errors;
use crate::{check, expand, parse};

#[track_caller]
fn check_expansion(source: &str, expected: &str) {
    let found = chained(expand::tool(tokens(&format!("g; {source}"))));
    assert_eq!(plain(&found.to_string()), plain(expected), "{source}");
}

/// Checks the builder's method for a `call` with this value in a tool with these entries.
#[track_caller]
fn check_ending(entries: &str, value: &str, method: &str) {
    let found = expand::tool(tokens(&format!("g; name: N, call: {value}, {entries}"))).to_string();
    let expected = plain(&format!("g::ToolBuilder::{method}(made, {value}) }}"));
    assert!(plain(&found).ends_with(&expected), "{found} does not end with {expected}");
}

/// Checks the errors for a tool with these entries and the required ones.
#[track_caller]
fn check(entries: &str, expected: &[&str]) {
    check_alone(&format!("name: N, call: f, {entries}"), expected);
}

/// Checks the errors for a tool with only these entries.
#[track_caller]
fn check_alone(entries: &str, expected: &[&str]) {
    let mut errors = Errors::new();
    let parsed = parse::one(tokens(&format!("g; {entries}")), &mut errors);
    check::tool(parsed.body, &mut errors);
    assert_eq!(errors.into_messages(), expected, "{entries}");
}

#[test]
fn expands_to_the_builder() {
    check_expansion(
        "name: \"read.file-2\", title: T, description: d(), call: |_| async { Ok(\"\") }",
        "g::Tool::builder().name(\"read.file-2\").title(T).description(d())
            .call_without_arguments(|_| async { Ok(\"\") })",
    );
    check_expansion(
        "annotations: { title: t, read_only: true, destructive: D, idempotent: !yes, open_world: false },
            icons: [{ src: s }], meta: { \"a.b/c\": 1 }, name: N, call: f",
        "g::Tool::builder()
            .annotations(g::ToolAnnotations::new()
                .title(t).read_only(true).destructive(D).idempotent(!yes).open_world(false))
            .icons([g::Icon::new(s)])
            .meta(g::__private::json!({ \"a.b/c\": 1 }))
            .name(N).call(f)",
    );
    check_expansion(
        "name: N, annotations: a, input_schema: { type: \"object\", \"$id\": ID }, output_schema: json!([a, b]), call: f",
        "g::Tool::builder().name(N).annotations(a)
            .input_schema(g::__private::json!({ \"type\": \"object\", \"$id\": ID })).output_schema(json!([a, b]))
            .call_with_schema(f)",
    );
}

#[test]
fn the_call_is_expanded_last_in_any_position() {
    check_expansion(
        "call: |cx, a: A| -> Pin<Box<F<A, B>>> { f(cx, a) }, name: N",
        "g::Tool::builder().name(N).call(|cx, a: A| -> Pin<Box<F<A, B>>> { f(cx, a) })",
    );
    check_expansion(
        "call: f, input_schema: s, name: N",
        "g::Tool::builder().input_schema(s).name(N).call_with_schema(f)",
    );
}

#[test]
fn parameters_and_a_schema_determine_the_method() {
    for one in ["|cx| async move { a, b }", "|_| f((a, b))", "async |cx: Context| a", "move |_: A::Context| a | b"] {
        check_ending("", one, "call_without_arguments");
        check_ending("input_schema: s", one, "call_without_arguments");
    }
    for two in [
        "|cx, args: City| async move { Ok(a) }",
        "async move |cx: Context, City { name, .. }: City| name",
        "|_, (a, b): (A, B)| -> Result<A, B> { a }",
        "|_, args: Map<String, Vec<A>>,| a",
        "module::function::<A, B>",
        "function",
        "{ let a = b; move |cx, c: C| a }",
        "make(|one| one)",
    ] {
        check_ending("", two, "call");
        check_ending("input_schema: s", two, "call_with_schema");
    }
}

#[test]
fn checks_that_the_first_parameter_is_the_context() {
    let asks = |value: &str, method: &str, how: &str| {
        let expected = format!("g::Tool::builder().name(N).{method}(g::__private::{how}({value}))");
        check_expansion(&format!("name: N, call: {value}"), &expected);
    };
    asks("|args: City| a", "call_without_arguments", "context_only");
    asks("|args: City, cx: Cx| a", "call", "context_first");
    asks("|cx: Cx, _| a", "call", "context_first");
}

#[test]
fn the_valid_rest_is_expanded_beside_an_error() {
    let expand = |source: &str| plain(&chained(expand::tool(tokens(&format!("g; {source}")))).to_string());
    let nothing = "g::Tool::builder().name(N).call_without_arguments(|_|async{::core::result::Result::Ok(\"\")})}";
    for source in ["name: N", "name: N, call: 5", "name: N, call: || a", "name: N, call: |a, b, c| a"] {
        let found = expand(source);
        assert_eq!(found.matches("compile_error").count(), 1, "{found}");
        assert!(found.ends_with(nothing), "{found}");
    }
    assert!(expand("call: f, call: g, nmae: N").ends_with("g::Tool::builder().name(N).call(f)}"));
    // Whether there is a schema decides the type of the arguments, even if the schema is invalid.
    assert!(expand("name: N, inputSchema: 5, call: f").ends_with("g::Tool::builder().name(N).call_with_schema(f)}"));
}

#[test]
fn rejects_keys() {
    check("", &[]);
    check("inputSchema: s", &["unknown key `inputSchema`: did you mean `input_schema`?"]);
    check("desc: d", &["unknown key `desc`: did you mean `description`?"]);
    check(
        "payload: p",
        &["unknown key `payload`: expected one of `name`, `title`, `description`, `annotations`, `icons`, `meta`, \
           `ui`, `input_schema`, `output_schema`, `call`"],
    );
    check("call: g", &["duplicate key `call`: keep one"]);
    check("\"title\": t", &["keys stand without quotes: write `title`"]);
    check("..base", &["`..` does not belong here: only a resource or a template has a base, behind its last key"]);
    check_alone(
        "",
        &[
            "`name` is missing: add one, as in `name: \"read_file\"`",
            "`call` is missing: add what the tool does, as in `call: |cx, args: Arguments| async move { … }`",
        ],
    );
}

#[test]
fn rejects_values() {
    let named = |name: &str, expected: &[&str]| check_alone(&format!("name: {name}, call: f"), expected);
    named("\"\"", &["name is empty: give the tool one, such as `read_file`"]);
    named(
        "\"read file\"",
        &["name `read file` has ' ': use only ASCII letters, digits, `_`, `-` and `.`, as in `read_file`"],
    );
    let long = "a".repeat(129);
    let shown = &long[..80];
    named(&format!("\"{long}\""), &[&format!("name `{shown}…` has 129 characters: 128 are allowed")]);
    named("5", &["name is a string: write it as in `\"…\"`"]);
    check("title: 5", &["title is a string: write it as in `\"…\"`"]);
    check(
        "meta: { \"a b\": 1, c: 1, c: 2 }, icons: 5",
        &[
            "the key `a b` has a bad name `a b`: begin and end with a letter or digit, and use only these, `-`, `_` and `.` between",
            "duplicate key `c`: keep one",
            "icons are a list: write it as in `[{ src: \"https://…\" }]`",
        ],
    );
}

#[test]
fn rejects_annotations() {
    check("annotations: { read_only: \"yes\" }", &["read_only is yes or no: write `true` or `false`"]);
    check(
        "annotations: { title: 1, open_world: 0 }",
        &["title is a string: write it as in `\"…\"`", "open_world is yes or no: write `true` or `false`"],
    );
    for (hint, key) in [
        ("readOnlyHint", "read_only"),
        ("read_only_hint", "read_only"),
        ("destructiveHint", "destructive"),
        ("openWorldHint", "open_world"),
        ("idempotant", "idempotent"),
    ] {
        let expected = format!("unknown key `{hint}`: did you mean `{key}`?");
        check(&format!("annotations: {{ {hint}: true }}"), &[&expected]);
    }
    check(
        "annotations: { priority: 1, read_only: true, read_only: false }",
        &[
            "unknown key `priority`: expected one of `title`, `read_only`, `destructive`, `idempotent`, `open_world`",
            "duplicate key `read_only`: keep one",
        ],
    );
    check("annotations: true", &["annotations are fields: write them as in `{ read_only: true }`"]);
}

#[test]
fn rejects_schemas() {
    let not_of_object = "input_schema must have `\"type\": \"object\"`: arguments are members of an object";
    check("input_schema: {}", &[not_of_object]);
    check("input_schema: { \"properties\": {} }", &[not_of_object]);
    check("input_schema: { type: \"string\" }", &[not_of_object]);
    check("input_schema: { \"type\": [\"object\", \"null\"] }", &[not_of_object]);
    check("input_schema: { type: KIND }, output_schema: { type: \"string\" }", &[]);
    check("input_schema: { (KEY): \"object\" }, output_schema: {}", &[]);
    check("input_schema: \"{}\", output_schema: include_str!(\"x\")", &[]);
    check("input_schema: true", &["input_schema is a JSON Schema: write it as in `{ \"type\": \"object\" }`"]);
    check("output_schema: [1]", &["output_schema is a JSON Schema: write it as in `{ \"type\": \"object\" }`"]);
    check("output_schema: { type: 1, \"type\": 2 }", &["duplicate key `type`: keep one"]);
    check(
        "input_schema: { type: \"object\", ..base }",
        &["`..` does not belong here: only a resource or a template has a base, behind its last key"],
    );
}

#[test]
fn rejects_calls() {
    let no_code = "call is what the tool does: \
        write `|cx, args: Arguments| async move { … }`, or `|cx| async move { … }` without arguments";
    for value in ["\"a\"", "5", "[f]", "{ a: f }", "{}"] {
        check_alone(&format!("name: N, call: {value}"), &[no_code]);
    }
    let none = "call takes the context: write `|_cx|`, or `|_cx, args: Arguments|` for a tool with arguments";
    check_alone("name: N, call: || async {}", &[none]);
    check_alone("name: N, input_schema: s, call: async move || a", &[none]);
    let first = "call takes the context first, then the arguments: write `|cx, args: Arguments|`";
    check_alone("name: N, call: |args: City, cx: Context| a", &[first]);
    check_alone("name: N, call: async |City { name }: City, _: grange::Context| a", &[first]);
    check_alone("name: N, call: |cx, context: mine::Context| a", &[]);
    let three = "call takes the context and the arguments, no more: make it a field of the arguments' type";
    check_alone("name: N, call: |cx, city: String, country: String| a", &[three]);
}

#[test]
fn takes_the_uri_of_a_view() {
    check_expansion("name: N, ui: \"ui://a/b\", call: f", "g::Tool::builder().name(N).ui(\"ui://a/b\").call(f)");
    check("ui: link(1)", &[]);
    check("ui: \"docs://a\"", &["ui `docs://a` is no view: write the URI of one, as in `ui://forecast/view`"]);
    check("ui: 5", &["ui is a string: write it as in `\"…\"`"]);
}
