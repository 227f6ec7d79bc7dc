//! Tests of the key `complete` of `template!`, from source to error texts, or to code, without a compiler.

use super::template::{check, check_expansion};

#[test]
fn a_closure_is_code_and_anything_else_a_list() {
    check_expansion(
        "complete: { id: |cx, typed| async move { a }, status: [\"open\", N], \"b\": values(), (C): *d }, ..a",
        "g::Template::to_builder(&a).complete(\"id\", |cx, typed| async move { a })
            .complete_from(\"status\", [\"open\", N]).complete_from(\"b\", g::__private::value_list(values()))
            .complete_from(C, g::__private::value_list(*d)).build()",
    );
    check_expansion(
        "complete: { id: async |cx: Cx, typed: T| a }, ..a",
        "g::Template::to_builder(&a).complete(\"id\", g::__private::context_first(async |cx: Cx, typed: T| a)).build()",
    );
    check_expansion(
        "uri: \"a://{type}\", complete: { r#type: [1] }, ..a",
        "g::Template::to_builder(&a).uri(\"a://{type}\").complete_from(\"type\", [1]).build()",
    );
    check_expansion("complete: {}, ..a", "g::Template::to_builder(&a).build()");
}

#[test]
fn l1_3_rejects_names_that_are_no_variables_of_a_literal_uri() {
    let with = |completers: &str, expected: &[&str]| {
        check(&format!("complete: {{ {completers} }}, uri: \"a://{{country}}/{{city}}\""), expected);
    };
    with("country: C, city: |cx, typed| a, (NAME): N", &[]);
    with("contry: C", &["unknown variable `contry`: did you mean `country`?"]);
    with("\"citys\": |cx, typed| a", &["unknown variable `citys`: did you mean `city`?"]);
    with("q: C", &["unknown variable `q`: expected one of `country`, `city`"]);
    with("city: C, city: D", &["duplicate variable `city`: keep one"]);
    with(
        "city: C, ..other",
        &["`..` does not belong here: only a resource or a template has a base, behind its last key"],
    );
    with("city: , country: C", &["`city` has no value: write `city: …`"]);
    check("complete: { q: C, q: D }, uri: URI", &["duplicate variable `q`: keep one"]);
    check("complete: { a: C }, complete: { b: C }", &["duplicate key `complete`: keep one"]);
    // One mistake is one error.
    check("complete: { q: C }, uri: \"a://{b\"", &["uri `a://{b` has `{b` without its `}`: add it"]);
}

#[test]
fn rejects_what_does_not_complete() {
    let none = "complete has variables and their completers: \
        write `{ id: |cx, typed| async move { … }, status: [\"open\", \"closed\"] }`";
    for value in ["|cx, typed| a", "[\"open\"]", "\"open\"", "f", "{ f() }", "()"] {
        check(&format!("complete: {value}"), &[none]);
    }
    let neither = "`id` is completed by code or by a list: \
        write `|cx, typed| async move { … }`, or a list as in `[\"open\", \"closed\"]`";
    for value in ["\"open\"", "5", "true", "{ a: b }", "format!(\"a\")", "include_str!(\"a.md\")"] {
        check(&format!("complete: {{ id: {value} }}"), &[neither]);
    }
    let takes = "the completer of `id` takes the context";
    for (closure, problem) in [
        ("|| a", " and what is typed: write `|cx, typed|`"),
        ("|typed| a", " and what is typed: write `|cx, typed|`"),
        ("|typed: T, cx: Context| a", " first, then what is typed: write `|cx, typed|`"),
        (
            "|cx, typed, country| a",
            " and what is typed, no more: get the values of other variables by `typed.other(\"…\")`",
        ),
    ] {
        check(&format!("complete: {{ id: {closure} }}"), &[&format!("{takes}{problem}")]);
    }
    let reserved = "the error code -32001 belongs to JSON-RPC and MCP: \
        choose one outside -32768 to -32000 for an error of your own";
    check("complete: { id: |_, _| async { Err(ReadError::public(-32001, \"a\")) } }", &[reserved]);
}

#[test]
fn l2_7_rejects_literal_values_that_the_variable_cannot_carry() {
    check(
        "uri: \"a://{b}/{+c}{?d}\", complete: { b: [\"x\", \"y/z\", w, \"..\", 5], c: [\"y/z\", \"\"], d: [\"\", \"/\"] }",
        &[
            "value `y/z` has a `/`: give one segment, or declare the variable as in `{+path}`",
            "value `..` is `.` or `..`, or has such a segment: give the path that it leads to",
            "value is empty, or has an empty segment: give at least one character",
        ],
    );
    check("uri: URI, complete: { b: [\"y/z\"] }", &[]);
}
