//! Plain and quoted scalars that all hosts read in the same way.

use super::{check, check_lint, json};
use crate::LintKind;

#[test]
fn c7_yes_no_on_off_and_y_are_strings() {
    for word in ["yes", "no", "on", "off", "y", "Yes", "NO", "n"] {
        check(word, &format!("\"{word}\""));
    }
}

#[test]
fn c7_true_and_false_in_three_cases_are_booleans() {
    for word in ["true", "True", "TRUE"] {
        check(word, "true");
    }
    for word in ["false", "False", "FALSE"] {
        check(word, "false");
    }
}

#[test]
fn c7_true_in_mixed_case_is_a_string() {
    check("tRue", "\"tRue\"");
    check("fALSE", "\"fALSE\"");
}

#[test]
fn c7_null_tilde_and_nothing_are_null() {
    for word in ["null", "Null", "NULL", "~", "", "# nothing"] {
        check(word, "null");
    }
    check("nULL", "\"nULL\"");
}

#[test]
fn c7_integers_with_a_sign_or_in_base_16() {
    check("1", "1");
    check("+5", "5");
    check("-5", "-5");
    check("-0", "0");
    check("0x1F", "31");
    check("0xff", "255");
}

#[test]
fn c7_text_similar_to_another_base_is_a_string() {
    check("-0o7", "\"-0o7\"");
    check("0xZZ", "\"0xZZ\"");
    check("0o8", "\"0o8\"");
    check("0x", "\"0x\"");
    check("0o", "\"0o\"");
    check("0X1F", "\"0X1F\"");
}

#[test]
fn c7_decimal_fractions_and_exponents_are_numbers() {
    for (text, expected) in [
        ("1.5", "1.5"),
        ("1.", "1"),
        (".5", "0.5"),
        ("1e3", "1000"),
        ("1E+3", "1000"),
        ("12e03", "12000"),
        ("0.", "0"),
        ("-1.25e-2", "-0.0125"),
        ("+1.5", "1.5"),
        ("-0.0", "0"),
        ("1e-400", "0"),
        ("1e21", "1e+21"),
    ] {
        check(text, expected);
    }
    for text in [".", "1.e", "e3", "1e", "1.5.2", "--1", "1-2", "+", "-", "1,5", "٣"] {
        if text != "-" {
            check(text, &format!("\"{text}\""));
        }
    }
}

#[test]
fn c7_dates_and_times_with_a_zone_are_strings() {
    for text in [
        "2026-01-01",
        "2024-02-29",
        "2026-01-01T00:00:00Z",
        "2026-01-01T09:30:00+02:00",
        "2026-12-31T23:59:59.123-08:00",
        "2026-01-01T00:00:00-0130",
        "2026-01-01T00:00Z",
        "2026-1-1",
    ] {
        check(text, &format!("\"{text}\""));
    }
}

#[test]
fn c7_quoted_text_is_a_string() {
    check("'1'", "\"1\"");
    check("\"é\"", "\"é\"");
    check("''", "\"\"");
    check("'a''b'", "\"a'b\"");
    check("'017'", "\"017\"");
    check("\"1:30\"", "\"1:30\"");
    check("\"a\\n\\u00e9\\x41\\/\\ud83d\\ude00\"", "\"a\\néA/😀\"");
    check("'<<'", "\"<<\"");
}

#[test]
fn c7_integers_beyond_2_to_the_53_keep_their_digits_and_give_a_lint() {
    let rounded = |there: &str| LintKind::Rounded { there: there.to_owned() };
    check("9007199254740992", "9007199254740992");
    check_lint("9007199254740993", "9007199254740993", rounded("9007199254740992"));
    check_lint("-9007199254740993", "-9007199254740993", rounded("-9007199254740992"));
    let long = "123456789012345678901234567890";
    check_lint(long, long, rounded("1.2345678901234568e+29"));
    check_lint("0x1FFFFFFFFFFFFFFFFF", "590295810358705651711", rounded("590295810358705700000"));
}

#[test]
fn c7_a_plain_equals_sign_is_a_string() {
    check("=", "\"=\"");
    assert_eq!(json("=: a"), r#"{"=":"a"}"#);
}

#[test]
fn c7_anchors_and_aliases_are_expanded() {
    let body = "a: &list [1, {b: c}]\nd: *list\ne: &text 'f'\ng: [*text, *list]";
    assert_eq!(json(body), r#"{"a":[1,{"b":"c"}],"d":[1,{"b":"c"}],"e":"f","g":["f",[1,{"b":"c"}]]}"#);
    assert_eq!(super::kinds(body), []);
    // An alias refers to the nearest anchor before it.
    assert_eq!(json("a: &x 1\nb: &x 2\nc: *x"), r#"{"a":1,"b":2,"c":2}"#);
    assert_eq!(json("a: &x k\n*x : 1"), r#"{"a":"k","k":1}"#);
}

#[test]
fn keys_keep_the_order_of_the_file() {
    assert_eq!(json("z: 1\na: {y: 2, b: 3}\n10: 4\n9: 5"), r#"{"z":1,"a":{"y":2,"b":3},"10":4,"9":5}"#);
    assert_eq!(json("__proto__: 1\n'': 2\nconstructor: 3"), r#"{"__proto__":1,"":2,"constructor":3}"#);
}
