//! Values that YAML 1.2 and a YAML 1.1 host read differently: the value, and the lint with both readings.

use super::{accepted, check, check_differs, check_lint, json, kinds};
use crate::LintKind;

#[test]
fn c7_a_leading_zero_is_decimal_here_and_octal_there() {
    check_differs("017", "17", "15");
    check_differs("-017", "-17", "-15");
    check_differs("010", "10", "8");
    // No lint if both read the same number.
    check("00", "0");
    check("07", "7");
}

#[test]
fn c7_08_is_a_number_here_and_a_string_there() {
    check_differs("08", "8", "\"08\"");
    check_differs("08.5", "8.5", "\"08.5\"");
}

#[test]
fn c7_0o17_is_octal_here_and_a_string_there() {
    check_differs("0o17", "15", "\"0o17\"");
}

#[test]
fn c7_0b101_is_a_string_here_and_binary_there() {
    check_differs("0b101", "\"0b101\"", "5");
    check("0b102", "\"0b102\"");
}

#[test]
fn c7_1_000_is_a_string_here_and_a_thousand_there() {
    check_differs("1_000", "\"1_000\"", "1000");
    check_differs("0x1_F", "\"0x1_F\"", "31");
    check_differs("1_0.5", "\"1_0.5\"", "10.5");
    check("1_", "\"1_\"");
    check("_1", "\"_1\"");
}

#[test]
fn c7_1_30_is_a_string_here_and_ninety_there() {
    check_differs("1:30", "\"1:30\"", "90");
    check_differs("-1:30", "\"-1:30\"", "-90");
    check_differs("1:30:00", "\"1:30:00\"", "5400");
    check_differs("190:20:30.15", "\"190:20:30.15\"", "685230.15");
    check("1:60", "\"1:60\"");
    check("1:30pm", "\"1:30pm\"");
}

#[test]
fn c7_0x1f_with_a_sign_is_a_string_here_and_a_number_there() {
    check_differs("+0x1F", "\"+0x1F\"", "31");
    check_differs("-0x1F", "\"-0x1F\"", "-31");
}

#[test]
fn c7_a_fraction_with_a_sign_and_no_whole_part_is_a_string_there() {
    check_differs("-.5", "-0.5", "\"-.5\"");
    check_differs("+.5", "0.5", "\"+.5\"");
}

#[test]
fn c7_times_with_a_space_or_without_a_zone_give_a_lint() {
    for text in [
        "2026-01-01 10:00:00",
        "2026-01-01T10:00:00",
        "2026-01-01 10:00:00Z",
        "2026-01-01t10:00:00Z",
        "2026-1-1T10:00:00Z",
        "2026-01-01T10:00:00+2",
        "2026-01-01T10:00:00.Z",
    ] {
        check_lint(text, &format!("\"{text}\""), LintKind::Instant);
    }
}

#[test]
fn c7_dates_that_do_not_exist_give_a_lint() {
    for text in ["2026-13-01", "2026-02-30", "2026-00-10", "0099-01-01", "2026-01-01T23:59:60Z", "2026-01-01T25:00:00Z"]
    {
        check_lint(text, &format!("\"{text}\""), LintKind::Instant);
    }
}

#[test]
fn c7_the_tags_str_and_int_are_taken_with_a_lint() {
    let tag = |tag: &str| LintKind::Tag { tag: tag.to_owned() };
    check_lint("!!str 5", "\"5\"", tag("!!str"));
    check_lint("!!str", "\"\"", tag("!!str"));
    check_lint("!!int '5'", "5", tag("!!int"));
    check_lint("!<tag:yaml.org,2002:str> yes", "\"yes\"", tag("!!str"));
    check_lint("!!seq [1]", "[1]", tag("!!seq"));
    check_lint("!!map {a: 1}", "{\"a\":1}", tag("!!map"));
    let differs = LintKind::Differs { here: "17".to_owned(), there: "15".to_owned() };
    assert_eq!(kinds("v: !!int 017"), [tag("!!int"), differs]);
}

#[test]
fn c7_keys_that_are_numbers_or_booleans_become_strings_with_a_lint() {
    let key = |key: &str| LintKind::Key { here: key.to_owned(), there: key.to_owned() };
    let body = "1: a\ntrue: b\n2.5: c\n0x1F: d\n1e3: e\n-0: f";
    assert_eq!(json(body), r#"{"1":"a","true":"b","2.5":"c","31":"d","1000":"e","0":"f"}"#);
    assert_eq!(kinds(body), ["1", "true", "2.5", "31", "1000", "0"].map(key));
    assert_eq!(json("'1': a\n\"true\": b"), r#"{"1":"a","true":"b"}"#);
    assert_eq!(kinds("'1': a\n\"true\": b"), []);
}

#[test]
fn c7_keys_that_another_host_reads_differently_give_a_lint() {
    for (text, here, there) in [
        ("1:30", "1:30", "90"),
        ("0b101", "0b101", "5"),
        ("017", "17", "15"),
        ("0o17", "15", "0o17"),
        ("2026-01-01", "2026-01-01", "Thu Jan 01 …"),
    ] {
        let expected = LintKind::Key { here: here.to_owned(), there: there.to_owned() };
        assert_eq!(kinds(&format!("{text}: a")), [expected], "{text}");
        assert_eq!(json(&format!("{text}: a")), format!("{{\"{here}\":\"a\"}}"));
    }
}

#[test]
fn a_lint_has_the_place_and_the_remedy() {
    let frontmatter = accepted("metadata:\n  a.b: [x, {c d: 017}]\nv: 1:30");
    let [first, second] = frontmatter.lints() else { panic!("{:?}", frontmatter.lints()) };
    assert_eq!(
        (first.field.as_str(), first.value.as_str(), first.line),
        (r#"metadata["a.b"][1]["c d"]"#, "017", Some(5))
    );
    assert_eq!((second.field.as_str(), second.value.as_str(), second.line), ("v", "1:30", Some(6)));
    assert_eq!(accepted("v: {'': 017}").lints()[0].field, r#"v[""]"#);
    for (body, expected) in [
        ("v: 017", "takes it for 15 and then passes over the skill: write `17`, or quote it for a string"),
        ("v: 1:30", "takes it for 90 and then passes over the skill: quote it"),
        ("v: 2026-01-01 10:00:00", "write it as in `2026-01-01T00:00:00Z`, or quote it"),
        ("v: 9007199254740993", "JavaScript hosts round it to 9007199254740992: quote it"),
        ("v: !!str 5", "line 4: `v` has the tag `!!str`, which nothing needs and not every reader knows: leave it out"),
        ("1: a", "line 4: the key `1` is no string, and JSON has only such keys: quote it, `\"1\"`"),
        (
            "1:30: a",
            "is `1:30`, but a host that reads YAML 1.1 takes it for `90` and then passes over the skill: quote it",
        ),
    ] {
        let message = accepted(body).lints()[0].to_string();
        assert!(message.contains(expected), "{body:?}: {message}");
    }
}

#[test]
fn lints_are_sorted_by_line() {
    let frontmatter = accepted("license: 1\n---x: 1:30\nmetadata: []\n\t\nv: 017");
    let lines: Vec<_> = frontmatter.lints().iter().filter_map(|lint| lint.line).collect();
    assert_eq!(lines, [4, 5, 5, 6, 7, 8]);
}

#[test]
fn lints_are_limited() {
    let body: Vec<String> = (0..200).map(|number| format!("k{number}: 017\n")).collect();
    assert_eq!(kinds(&body.concat()).len(), 100);
    assert_eq!(kinds(&format!("{}\t\n", body.concat())).len(), 100);
}
