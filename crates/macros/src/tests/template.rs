//! Tests of `template!` from source to error texts, or to code, without a compiler. The tests of `resource!` cover the
//! common parts.

use super::{chained, plain, tokens};
use crate::errors::Errors;
use crate::{check, expand, parse};

#[track_caller]
pub(super) fn check_expansion(source: &str, expected: &str) {
    let found = chained(expand::template(tokens(&format!("g; {source}"))));
    assert_eq!(plain(&found.to_string()), plain(expected), "{source}");
}

/// Checks the errors for a template with these entries and the required ones.
#[track_caller]
pub(super) fn check(entries: &str, expected: &[&str]) {
    check_alone(&format!("{entries}, ..base"), expected);
}

/// Checks the errors for a template with only these entries.
#[track_caller]
fn check_alone(entries: &str, expected: &[&str]) {
    let mut errors = Errors::new();
    let parsed = parse::one(tokens(&format!("g; {entries}")), &mut errors);
    check::template(parsed.body, &mut errors);
    assert_eq!(errors.into_messages(), expected, "{entries}");
}

#[test]
fn expands_to_the_builder() {
    check_expansion(
        "uri: \"orders://{id}{?q}\", name: N, unknown_query: Ignore, ttl: t(), cache_scope: Private,
            read: |cx, Order { id }| async move { a, b }",
        "g::Template::builder().uri(\"orders://{id}{?q}\").name(N).unknown_query(g::UnknownQuery::Ignore).ttl(t())
            .cache_scope(g::CacheScope::Private).read(|cx, Order { id }| async move { a, b }).build()",
    );
    check_expansion(
        "annotations: { priority: 1 }, icons: [{ src: s }], meta: { a: 1 }, content_meta: m, unknown_query: rule, ..*a",
        "g::Template::to_builder(&*a)
            .annotations(g::Annotations::new().priority(1.0)).icons([g::Icon::new(s)])
            .meta(g::__private::json!({ \"a\": 1 })).content_meta(m).unknown_query(rule).build()",
    );
    check_expansion(
        "title: T, description: D, mime_type: M, ..a",
        "g::Template::to_builder(&a).title(T).description(D).mime_type(M).build()",
    );
}

#[test]
fn the_reader_is_code_with_the_context_and_the_values() {
    let with = |value: &str, expected: &str| {
        check_expansion(
            &format!("read: {value}, ..a"),
            &format!("g::Template::to_builder(&a).read({expected}).build()"),
        );
    };
    for reader in
        ["|cx, id: u64| a", "|_, _: ()| a", "async |cx: Context, args: Map<A, B>| a", "reader", "make(|id| id)"]
    {
        with(reader, reader);
    }
    with("|cx: Cx, id: u64| a", "g::__private::context_first(|cx: Cx, id: u64| a)");
}

#[test]
fn rejects_readers() {
    let no_code = "read is a reader: write `|cx, Order { id }| async move { … }`, with the values of the variables";
    for value in ["\"a\"", "5", "[f]", "{ a: f }", "include_str!(\"a.md\")", "format!(\"a\")"] {
        check(&format!("read: {value}"), &[no_code]);
    }
    let two = "read takes the context and the values of the variables: \
        write `|cx, Order { id }|`, or `|cx, id: u64|` for one variable";
    check("read: || a", &[two]);
    check("read: |cx| async move { Ok(\"\") }", &[two]);
    check(
        "read: |cx, country: String, city: String| a",
        &["read takes the context and the values, no more: make it a field of the values' type"],
    );
    check(
        "read: |id: u64, cx: Context| a",
        &["read takes the context first, then the values: write `|cx, Order { id }|`"],
    );
    let reserved = "the error code -32001 belongs to JSON-RPC and MCP: \
        choose one outside -32768 to -32000 for an error of your own";
    check("read: |_, _: ()| async move { Err(ReadError::public(-32001, \"a\")) }", &[reserved]);
}

#[test]
fn l6_1_the_check_is_code_with_the_context_and_the_values() {
    for code in ["|cx, Order { id }| async move { a }", "async |_, id: u64| a", "may_see"] {
        check_expansion(&format!("check: {code}, ..a"), &format!("g::Template::to_builder(&a).check({code}).build()"));
    }
    let no_code = "check is code: \
        write `|cx, Order { id }| async move { Ok(…) }`, with `true` for a client that may subscribe";
    for value in ["true", "[f]", "{ id: f }"] {
        check(&format!("check: {value}"), &[no_code]);
    }
    let two = "check takes the context and the values of the variables: \
        write `|cx, Order { id }|`, or `|cx, id: u64|` for one variable";
    check("check: |_cx| async { Ok(true) }", &[two]);
    let first = "check takes the context first, then the values: write `|cx, Order { id }|`";
    check("check: |id: u64, cx: Context| a", &[first]);
}

#[test]
fn l1_2_rejects_uris_with_the_remedy() {
    for (uri, problem) in [
        ("", "uri is empty: write one, as in `docs://{name}`"),
        ("demo://a", "uri `demo://a` has no variable: write one, as in `{id}`, or declare a `resource!`"),
        ("demo://a b/{c}", "uri `demo://a b/{c}` has a space: write `demo://a%20b/{c}`"),
        ("demo://{a}{b}", "uri `demo://{a}{b}` has nothing between `{a}` and `{b}`: write a literal, as in `{a}/{b}`"),
    ] {
        check(&format!("uri: \"{uri}\""), &[problem]);
    }
    check("uri: b\"a\"", &["uri is a string: write it as in `\"…\"`"]);
    check("uri: concat!(\"a\", \"b\")", &[]);
}

#[test]
fn rejects_keys() {
    check("uriTemplate: \"a://{b}\"", &["unknown key `uriTemplate`: did you mean `uri`?"]);
    check(
        "uri_template: \"a://b\"",
        &[
            "unknown key `uri_template`: did you mean `uri`?",
            "uri `a://b` has no variable: write one, as in `{id}`, or declare a `resource!`",
        ],
    );
    for key in ["text", "bytes", "blob", "\"text\""] {
        let written = key.trim_matches('"');
        let expected = format!("`{written}` is no key of a template: its contents come from `read`");
        check_alone(&format!("uri: U, name: N, {key}: x"), &[&expected]);
    }
    check("size: 5", &["`size` is no key of a template: each of its resources has a size of its own"]);
    check("ui: {}", &["`ui` is no key of a template: declare each view with `resource!`"]);
    check("list: f", &["`list` is not there yet: declare each resource by itself, in a loop"]);
    check("unknown_query: Ignor", &["unknown value of unknown_query `Ignor`: did you mean `Ignore`?"]);
    check("unknown_query: \"ignore\"", &["value of unknown_query `ignore` is a string: write the bare name `Ignore`"]);
    check_alone(
        "",
        &[
            "`uri` is missing: add one, as in `uri: \"orders://{id}\"`",
            "`name` is missing: add one, as in `name: \"order\"`",
            "`read` is missing: add the reader, as in `read: |cx, Order { id }| async move { … }`",
        ],
    );
}

#[test]
fn the_valid_rest_is_expanded_beside_an_error() {
    let expansion = chained(expand::template(tokens("g; uri: \"a\", tilte: mine, text: x, name: N")));
    let text = plain(&expansion.to_string());
    assert_eq!(text.matches("compile_error").count(), 3, "{text}");
    assert!(text.ends_with("g::Template::builder().title(mine).name(N).build()}"), "{text}");
}
