//! Syntax that hosts read in different ways, for any value.

use super::{HEAD, accepted, check_fault, json, kinds};
use crate::{Frontmatter, FrontmatterFault as Fault, LintKind};

/// Checks that the body has exactly one lint about its layout, with this text.
#[track_caller]
fn check(body: &str, expected: &str) {
    match kinds(body).as_slice() {
        [LintKind::Layout { found, .. }] => assert_eq!(*found, expected, "{body:?}"),
        other => panic!("{body:?}: {other:?}"),
    }
}

#[track_caller]
fn check_none(body: &str) {
    assert_eq!(kinds(body), [], "{body:?}");
}

#[test]
fn white_space_at_the_end_of_a_line_inside_quotes() {
    const FOUND: &str = "white space at the end of a line inside quotes";
    check("v: \"a \n  b\"", FOUND);
    check("v: 'a\t\n  b'", FOUND);
    check("v: \" \n  b\"", FOUND);
    check("v: [\"a \n  b\"]", FOUND);
    check_none("v: \"a\n  b \"");
    check_none("v: \"a\n   \n  b\"");
    check_none("v: a \n  b");
    check_none("v: >\n  a \n  b");
    assert_eq!(json("v: \"a \n  b\""), r#"{"v":"a b"}"#);
}

#[test]
fn an_anchor_or_tag_on_the_first_key_of_a_mapping() {
    const FOUND: &str = "an anchor or tag on the first key of a mapping";
    check("v:\n  &a k: w", FOUND);
    check("v:\n  - &a k: w", FOUND);
    check_none("v:\n  k: w\n  &a l: x");
    check_none("v: {&a k: w}");
    check_none("k: &a v\n*a : w");
}

#[test]
fn an_anchor_that_no_text_follows_on_its_line() {
    const FOUND: &str = "an anchor that no text follows on the same line";
    check("a: &a\n  b\nc: *a", FOUND);
    check("a: &a\nc: *a", FOUND);
    check_none("a: &a\n  k: v\nc: *a");
    check_none("a: &a\n  - v\nc: *a");
    check_none("a: &a |\n  v\nc: *a");
    check_none("a:\n  - &a v\nc: *a");
}

#[test]
fn an_empty_item_at_the_end_of_an_inner_list() {
    const FOUND: &str = "a list inside another that ends in an empty item";
    check("v:\n- - a\n  -\n- b", FOUND);
    check("v:\n- k:\n  - a\n  - # c\n- b", FOUND);
    check_none("v:\n- a\n-\nw: b");
    check_none("v:\n- - a\n  - ~\n- b");
    check_none("v:\n- - a\n  -\n  - c\n- b");
    assert_eq!(json("v:\n- - a\n  -\n- b"), r#"{"v":[["a",null],"b"]}"#);
}

#[test]
fn a_key_in_braces_on_another_line_than_its_colon() {
    const FOUND: &str = "a key in braces on another line than its `:`";
    check("v: {k\n  : a}", FOUND);
    check("v: {k\n  : }", FOUND);
    check("v: {\"k\"\n  : a}", FOUND);
    check("v: {k\n  l: a}", FOUND);
    check_none("v: {k:\n  a}");
    check_none("v: {k\n  , l: b}");
    check_none("v: {k, l\n  }");
    check_none("? k\n: a");
}

#[test]
fn a_tab_before_a_line_or_on_a_blank_one() {
    const FOUND: &str = "a tab at the beginning of a line or on a blank one";
    check("v: a\n\t\n  b", FOUND);
    check("\t\nv: a", FOUND);
    check("v: a\n \t\nw: b", FOUND);
    let message = accepted("v: a\n\t\n  b").lints()[0].to_string();
    assert_eq!(
        message,
        format!(
            "line 5: the line has {FOUND}, which not every host reads alike, or at all: remove it, or indent with spaces"
        )
    );
    check_none("v: a\tb");
    check_none("v: |\n  \tcode");
    check_none("v:\ta");
}

#[test]
fn a_line_that_begins_with_a_fence() {
    let frontmatter = accepted("---x: 1");
    let [lint] = frontmatter.lints() else { panic!("{:?}", frontmatter.lints()) };
    assert_eq!((lint.value.as_str(), lint.line, &lint.kind), ("---x: 1", Some(4), &LintKind::Fence));
    assert_eq!(
        lint.to_string(),
        "line 4: `---x: 1` begins its line with `---`, where some hosts end the frontmatter: quote what stands there"
    );
    check_none("v: |\n  ---x");
}

#[test]
fn line_breaks_kept_at_the_end_of_a_text() {
    const FOUND: &str = "a `|+` or `>+` with a blank line at the end of the frontmatter";
    check("v: |+\n  a\n", FOUND);
    check("v: >+\n  a\n\n", FOUND);
    check_none("v: |+\n  a");
    check_none("v: |\n  a\n\n");
    check_none("v: |+\n  a\n\nw: b\n");
    let windows = format!("---\n{HEAD}v: |+\n  a\n\n---\n").replace('\n', "\r\n");
    let lints = Frontmatter::parse(windows.as_bytes()).unwrap().lints().to_vec();
    assert_eq!((lints[0].field.as_str(), lints[0].line, lints.len()), ("v", Some(4), 1));
}

#[test]
fn lines_inside_quotes_and_brackets_are_indented() {
    for (body, line) in [
        ("v: \"a\nb\"", 5),
        ("v: 'a\n\nb'", 6),
        ("v: [\na\n]", 5),
        ("v: {\n  a: b,\nc: d\n  }", 6),
        ("v:\n  w: \"a\n  b\"", 6),
        ("v:\n  w: [\n    a\n ]", 7),
        ("v:\n  - [a,\n  b]", 6),
        ("v:\n- [a,\nb]", 6),
        ("v:\n- - [a,\n  b]", 6),
        ("v: [[\n a\n],\n b\n]", 6),
    ] {
        check_fault(body, line, &Fault::Indentation);
    }
    for body in [
        "v: \"a\n b\"",
        "v: [\n  a\n]",
        "v: {\n  a: b\n}",
        "v: {\n  a: b,\n# c\n}",
        "v:\n  w: [\n    a\n  ]",
        "v:\n- [a,\n b]",
        "v:\n- w: {\n    a: b\n  }",
        "v: [[\n a,\n b]\n]",
    ] {
        check_none(body);
    }
}

#[test]
fn tabs_in_the_indentation() {
    check_fault("v:\n\ta: b", 5, &Fault::Tab);
    check_fault("v:\n  \ta: b", 5, &Fault::Tab);
    check_fault("v:\n  a: 'b'\n\tc: d", 6, &Fault::Tab);
    check_fault("v:\n \t- a", 5, &Fault::Tab);
}
