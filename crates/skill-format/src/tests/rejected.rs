//! Invalid input: JSON has no value for it, or hosts disagree on it and it is not needed.

use super::{accepted, check_fault, json, rejected};
use crate::FrontmatterFault as Fault;

#[test]
fn c7_numbers_that_are_not_finite() {
    for text in [".inf", "-.INF", "+.Inf", ".nan", ".NaN", ".NAN", "1e400", "-1e400"] {
        check_fault(&format!("v: {text}"), 4, &Fault::NotFinite { value: text.to_owned() });
        check_fault(&format!("a:\n  - {text}"), 5, &Fault::NotFinite { value: text.to_owned() });
    }
    let long = "9".repeat(400);
    check_fault(&format!("v: {long}"), 4, &Fault::NotFinite { value: long });
    assert_eq!(json("v: '.inf'\nw: .infinity"), r#"{"v":".inf","w":".infinity"}"#);
}

#[test]
fn c7_the_tag_bool() {
    for text in ["!!bool yes", "!!bool true"] {
        check_fault(&format!("v: {text}"), 4, &Fault::Tag { tag: "!!bool".to_owned() });
    }
}

#[test]
fn c7_the_tags_binary_set_and_timestamp() {
    for (text, tag) in [
        ("!!binary aGk=", "!!binary"),
        ("!!set {a, b}", "!!set"),
        ("!!timestamp 2026-01-01", "!!timestamp"),
        ("!!omap [a: b]", "!!omap"),
    ] {
        check_fault(&format!("v: {text}"), 4, &Fault::Tag { tag: tag.to_owned() });
    }
}

#[test]
fn c7_custom_tags() {
    check_fault("v: !foo bar", 4, &Fault::Tag { tag: "!foo".to_owned() });
    check_fault("v: !<tag:example.com,2026:x> bar", 4, &Fault::Tag { tag: "tag:example.com,2026:x".to_owned() });
    check_fault("!foo k: v", 4, &Fault::Tag { tag: "!foo".to_owned() });
    assert!(matches!(rejected("v: !e!foo bar").fault(), Fault::Syntax { .. }));
}

#[test]
fn c7_tags_that_readers_disagree_on_or_that_do_not_fit() {
    for (text, tag) in [
        ("!!float 5", "!!float"),
        ("!!null ''", "!!null"),
        ("! 5", "!"),
        ("!!int abc", "!!int"),
        ("!!int 1.5", "!!int"),
        ("!!str [a]", "!!str"),
        ("!!seq {a: b}", "!!seq"),
        ("!!map [a]", "!!map"),
        ("!!merge a", "!!merge"),
    ] {
        check_fault(&format!("v: {text}"), 4, &Fault::Tag { tag: tag.to_owned() });
    }
}

#[test]
fn c7_merge_keys() {
    check_fault("<<: {a: 1}", 4, &Fault::Merge);
    check_fault("b: &b {c: 1}\na:\n  <<: *b", 6, &Fault::Merge);
    check_fault("v: {<<: {a: 1}}", 4, &Fault::Merge);
    assert_eq!(json("'<<': {a: 1}\nv: <<"), r#"{"<<":{"a":1},"v":"<<"}"#);
}

#[test]
fn c7_duplicate_keys() {
    let duplicate = |key: &str, first| Fault::Duplicate { key: key.to_owned(), first };
    check_fault("a: 1\na: 2", 5, &duplicate("a", 4));
    check_fault("name: y", 4, &duplicate("name", 2));
    check_fault("v: {a: 1, b: 2,\n  'a': 3}", 5, &duplicate("a", 4));
    // Keys are compared as strings.
    check_fault("1: a\n'1': b", 5, &duplicate("1", 4));
    check_fault("1: a\n0x1: b", 5, &duplicate("1", 4));
    check_fault("a: &x b\nb: 1\n*x : 2", 6, &duplicate("b", 5));
    assert_eq!(json("v: {a: 1}\nw: {a: 1}"), r#"{"v":{"a":1},"w":{"a":1}}"#);
}

#[test]
fn c7_the_key_null() {
    for text in ["null: a", "~: a", ": a", "? \n: a", "v: {null: a}", "a: &n ~\n*n : b"] {
        assert_eq!(rejected(text).fault(), &Fault::Key { found: "null" }, "{text:?}");
    }
    assert_eq!(json("'null': a\n'~': b"), r#"{"null":"a","~":"b"}"#);
}

#[test]
fn c7_complex_keys() {
    check_fault("? [a]\n: b", 4, &Fault::Key { found: "a list" });
    check_fault("? {a: b}\n: c", 4, &Fault::Key { found: "a mapping" });
    check_fault("? - a\n: b", 4, &Fault::Key { found: "a list" });
    check_fault("[a]: b", 4, &Fault::Key { found: "a list" });
    check_fault("a: &l [1]\n*l : b", 5, &Fault::Key { found: "a list" });
    assert_eq!(json("? a\n: b"), r#"{"a":"b"}"#);
}

#[test]
fn c7_keys_that_hosts_round() {
    check_fault("9007199254740993: a", 4, &Fault::Key { found: "an integer" });
    check_fault(".inf: a", 4, &Fault::NotFinite { value: ".inf".to_owned() });
}

#[test]
fn c7_plain_scalars_that_begin_with_a_reserved_character() {
    for text in ["@x", "`x", "%x"] {
        let error = rejected(&format!("v: {text}"));
        assert_eq!(error.line(), Some(4));
        assert!(error.to_string().ends_with("quote a value that begins with such a character"), "{error}");
    }
    assert_eq!(json("v: '@x'\nw: a@b"), r#"{"v":"@x","w":"a@b"}"#);
}

#[test]
fn c7_a_colon_inside_a_plain_scalar() {
    let error = rejected("v: b: c");
    assert_eq!(error.line(), Some(4));
    assert!(error.to_string().contains("quote the value if it holds `: `"), "{error}");
    assert_eq!(json("v: b:c\nw: 'b: c'"), r#"{"v":"b:c","w":"b: c"}"#);
}

#[test]
fn c7_more_than_100_aliases() {
    let hundred = |count: usize| format!("a: &a x\nb: [{}]", vec!["*a"; count].join(", "));
    // The name is one more occurrence.
    assert_eq!(accepted(&hundred(100)).json().matches("\"x\"").count(), 102);
    check_fault(&hundred(101), 5, &Fault::Aliases);
    let large = |count: usize| format!("a: &a {}\nb: [{}]", "x".repeat(10_000), vec!["*a"; count].join(", "));
    accepted(&large(6));
    check_fault(&large(7), 5, &Fault::Aliases);
    check_fault(&format!("a: &a {}\nb: *a", "x".repeat(70_000)), 5, &Fault::Aliases);
}

#[test]
fn c7_exponential_aliases() {
    let mut body = "a0: &a0 [lol]\n".to_owned();
    for level in 1..40 {
        let inside = vec![format!("*a{}", level - 1); 10].join(", ");
        body.extend([format!("a{level}: &a{level} [{inside}]\n")]);
    }
    check_fault(&body, 6, &Fault::Aliases);
}

#[test]
fn c7_a_recursive_or_unknown_alias() {
    check_fault("a: &a [*a]", 4, &Fault::RecursiveAlias);
    check_fault("a: &a {b: [*a]}", 4, &Fault::RecursiveAlias);
    check_fault("a: *b", 4, &Fault::UnknownAlias);
    check_fault("a: *b\nb: &b 1", 4, &Fault::UnknownAlias);
}

#[test]
fn c7_more_than_64_levels() {
    let nested = |levels: usize| format!("v: {}{}", "[".repeat(levels), "]".repeat(levels));
    // The frontmatter itself is the first level.
    accepted(&nested(63));
    check_fault(&nested(64), 4, &Fault::Depth);
    assert_eq!(rejected(&nested(10_000)).fault(), &Fault::Depth);
    let block: Vec<String> = (0..70).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
    assert_eq!(rejected(&block.concat()).fault(), &Fault::Depth);
    // The alias adds levels.
    let body = format!("a: &a {}{}\nb: {}*a{}", "[".repeat(40), "]".repeat(40), "[".repeat(30), "]".repeat(30));
    check_fault(&body, 5, &Fault::Depth);
}

#[test]
fn c7_several_documents() {
    check_fault("...\na: b", 5, &Fault::Documents);
    check_fault("--- {a: b}", 4, &Fault::Documents);
    assert_eq!(json("a: b\n..."), r#"{"a":"b"}"#);
    for text in ["---\n--- {name: x}\n---\n", "---\n# c\n...\nname: x\n---\n", "---\n...\nname: x\n---\n"] {
        let error = crate::Frontmatter::parse(text.as_bytes()).unwrap_err();
        assert_eq!(error.fault(), &Fault::Documents, "{text:?}");
    }
}

#[test]
fn c7_directives() {
    let error = crate::Frontmatter::parse(b"---\n%YAML 1.2\nname: x\n---\n").unwrap_err();
    assert_eq!((error.line(), error.fault()), (Some(2), &Fault::Directive));
}

#[test]
fn c8_4_invalid_yaml_has_a_line_and_a_remedy() {
    for (body, line, remedy) in [
        ("a: [b", 4, "close what is open"),
        ("a: {b: c\nd: e", 5, "correct the line, or quote the value"),
        ("a: 'b' c", 4, "correct the line, or quote the value"),
        ("a: \"\\q\"", 4, "correct the line, or quote the value"),
        ("a: b\n c: d", 5, "begin a new line for the key"),
        ("a: \u{7}", 4, "remove the character"),
        ("a: - b", 4, "correct the line, or quote the value"),
    ] {
        let error = rejected(body);
        assert!(matches!(error.fault(), Fault::Syntax { .. }), "{body:?}: {error}");
        assert_eq!(error.line(), Some(line), "{body:?}: {error}");
        assert!(error.to_string().contains(remedy), "{body:?}: {error}");
    }
}
