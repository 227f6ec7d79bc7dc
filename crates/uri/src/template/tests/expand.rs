//! URIs and keys from values.

use crate::{ExpandError, Match, Template, ValueError, Values, encode_segment};

fn template(text: &str) -> Template {
    Template::parse(text).unwrap()
}

#[track_caller]
fn expands(text: &str, values: &Values, expected: &str) {
    let template = template(text);
    assert_eq!(template.expand(values).as_deref(), Ok(expected));
    assert_eq!(template.matches(expected), Match::Values(values.clone()));
}

fn list(segments: &[&str]) -> Vec<String> {
    segments.iter().map(|segment| (*segment).to_owned()).collect()
}

#[test]
fn l1_18_unreserved_characters_stay_and_all_else_is_escaped() {
    let all = "AZaz09-._~ %+&=?#:@!$'()*,;é";
    let escaped = "AZaz09-._~%20%25%2B%26%3D%3F%23%3A%40%21%24%27%28%29%2A%2C%3B%C3%A9";
    let value = Values::new().with("v", all);
    expands("demo://a/{v}", &value, &format!("demo://a/{escaped}"));
    expands("demo://a{?v}", &value, &format!("demo://a?v={escaped}"));
    let path = Values::new().with("v", format!("x/{all}"));
    expands("demo://a/{+v}", &path, &format!("demo://a/x/{escaped}"));
    let segments = Values::new().with("v", list(&["x", all]));
    expands("demo://a{/v*}", &segments, &format!("demo://a/x/{escaped}"));
}

#[test]
fn l1_18_every_form_expands() {
    expands("demo://a{/v*}", &Values::new().with("v", Vec::new()), "demo://a");
    expands("demo://a{/v*}/b", &Values::new().with("v", Vec::new()), "demo://a/b");
    expands("demo://a/{+v}/b/{w}.md", &Values::new().with("v", "x/y").with("w", "z"), "demo://a/x/y/b/z.md");
    let values = Values::new().with("a", "1").with("b", "");
    expands("demo://a{?b,c,a}", &values, "demo://a?b=&a=1");
    expands("demo://a{?b,c,a}", &Values::new(), "demo://a");
    expands("demo://a?x={v}&y=1", &Values::new().with("v", "&y=1"), "demo://a?x=%26y%3D1&y=1");
    expands("demo://a{?v}", &Values::new().with("v", "../\\\n"), "demo://a?v=..%2F%5C%0A");
}

#[test]
fn l1_18_a_value_that_a_read_would_refuse_is_an_error() {
    let error = |text: &str, value: &str| template(text).expand(&Values::new().with("v", value)).unwrap_err();
    for (text, value, expected) in [
        ("demo://a/{v}", "", ValueError::Empty),
        ("demo://a/{v}", "..", ValueError::DotSegment),
        ("demo://a/{v}", "a/b", ValueError::Character('/')),
        ("demo://a/{v}", "a\\b", ValueError::Character('\\')),
        ("demo://a/{v}", "a\u{7f}", ValueError::Character('\u{7f}')),
        ("demo://a/{+v}", "", ValueError::Empty),
        ("demo://a/{+v}", "a//b", ValueError::Empty),
        ("demo://a/{+v}", "a/./b", ValueError::DotSegment),
        ("demo://a{?v}", "\0", ValueError::Character('\0')),
    ] {
        let expected = ExpandError::Value { name: "v".to_owned(), error: expected };
        assert_eq!(error(text, value), expected, "{text} {value:?}");
    }
    let segments = Values::new().with("v", list(&["a/b"]));
    assert!(template("demo://a{/v*}").expand(&segments).is_err());
}

#[test]
fn l1_18_a_value_that_matching_would_not_give_back_is_an_error() {
    let values = |name: &str, ext: &str| Values::new().with("name", name).with("ext", ext);
    let ambiguous = template("demo://{name}.{ext}");
    expands("demo://{name}.{ext}", &values("v1", "2.md"), "demo://v1.2.md");
    for name in ["a.b", ".b", "a."] {
        let expected = ExpandError::Ambiguous { name: "name".to_owned() };
        assert_eq!(ambiguous.expand(&values(name, "md")), Err(expected), "{name}");
    }
    // The value and the literal together have the literal earlier.
    assert!(template("demo://{name}--{ext}").expand(&values("a-", "b")).is_err());
}

#[test]
fn l1_18_missing_unknown_and_wrong_types_are_errors() {
    let problem = |text: &str, values: Values| template(text).expand(&values).unwrap_err().to_string();
    for (found, expected) in [
        (problem("a://{v}", Values::new()), "has no value for `v`: give one"),
        (problem("a://b{/v*}", Values::new()), "has no value for `v`: give one"),
        (problem("a://{v}", Values::new().with("v", "1").with("w", "2")), "has no variable `w`: leave out its value"),
        (
            problem("a://{v}", Values::new().with("v", Vec::new())),
            "has a list for `v`, which takes a text: give a text",
        ),
        (
            problem("a://b{/v*}", Values::new().with("v", "x")),
            "has a text for `v`, which takes a list of segments: give a list",
        ),
        (
            problem("a://{v}", Values::new().with("v", "x/y")),
            "has a value for `v` that has a `/`: give one segment, or declare the variable as in `{+path}`",
        ),
    ] {
        assert_eq!(found, expected);
    }
}

#[test]
fn a_key_is_a_function_of_the_decoded_values() {
    let key = |template: &Template, uri: &str| match template.matches(uri) {
        Match::Values(values) => template.key(&values),
        other => panic!("{uri}: {other:?}"),
    };
    let items = template("demo://items/{id}{?a,b}");
    assert_eq!(key(&items, "demo://items/%41?a=1&b=2"), key(&items, "demo://items/A?b=%32&a=1"));
    assert_ne!(key(&items, "demo://items/A?a=1"), key(&items, "demo://items/A?b=1"));
    assert_ne!(key(&items, "demo://items/A?a="), key(&items, "demo://items/A"));
    assert_ne!(key(&items, "demo://items/A"), key(&template("demo://items/{id}"), "demo://items/A"));
    // No expansion gives this value, but there is a key.
    let dotted = template("demo://{name}.{ext}");
    assert_ne!(key(&dotted, "demo://a%2Eb.md"), key(&dotted, "demo://a.b.md"));
}

#[test]
fn l1_8_a_text_that_no_segment_can_be_is_an_error_with_the_remedy() {
    for (text, problem) in [
        ("", "the segment is empty: give at least one character"),
        (".", "the segment `.` leads to another path: give that path"),
        ("..", "the segment `..` leads to another path: give that path"),
        ("a/b", "the segment `a/b` has a '/': encode each segment on its own"),
        ("a\\b", "the segment `a\\\\b` has a '\\\\': leave it out"),
        ("a\0", "the segment `a\\0` has a '\\0': leave it out"),
    ] {
        assert_eq!(encode_segment(text).map_err(|error| error.to_string()), Err(problem.to_owned()));
    }
    assert_eq!(encode_segment("...").as_deref(), Ok("..."));
    assert_eq!(encode_segment("%2F+").as_deref(), Ok("%252F%2B"));
}
