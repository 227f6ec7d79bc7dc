//! Which URIs a template matches, and with which values.

use crate::template::steps::counted;
use crate::{Candidate, Match, Template, UnknownQuery, Value};

/// The outcome as text: `no`, `unknown`, or the values as `name=value`, in the order of the names.
fn outcome(template: &Template, uri: &str) -> String {
    let values = match template.matches(uri) {
        Match::No => return "no".to_owned(),
        Match::Unknown => return "unknown".to_owned(),
        Match::Values(values) => values,
    };
    let show = |(name, value): (&str, &Value)| match value {
        Value::Text(text) => format!("{name}={text}"),
        Value::Segments(segments) => format!("{name}={segments:?}"),
    };
    values.iter().map(show).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(template: &str, rows: &[(&str, &str)]) {
    let template = Template::parse(template).unwrap();
    for (uri, expected) in rows {
        assert_eq!(outcome(&template, uri), *expected, "{} on {uri:?}", template.as_str());
    }
}

#[test]
fn l1_4_only_rfc_3986_text_matches() {
    let uris = [
        "a b", "a\tb", "a\u{7f}", "é", "%zz", "%", "a%4", "a#b", "a\\b", "{x}", "a\"b", "a^b", "a`b", "a|b", "<",
        "a[1]",
    ];
    for tail in uris {
        for (template, uri) in [
            ("demo://files/{+path}", format!("demo://files/{tail}")),
            ("demo://items/{id}", format!("demo://items/{tail}")),
            ("demo://s{?q}", format!("demo://s?q={tail}")),
        ] {
            check(template, &[(&uri, "no")]);
        }
        let lenient = Template::parse("demo://s{?q}").unwrap().unknown_query(UnknownQuery::Ignore);
        assert_eq!(outcome(&lenient, &format!("demo://s?z={tail}")), "no");
    }
}

#[test]
fn l1_4_nothing_is_normalised() {
    check(
        "demo://items/{id}/x",
        &[
            ("demo://items/7/x", "id=7"),
            ("DEMO://items/7/x", "no"),
            ("demo://Items/7/x", "no"),
            ("demo://items/7/x/", "no"),
            ("demo://items/7/%78", "no"),
            ("demo://items/y/../7/x", "no"),
            ("demo:/items/7/x", "no"),
            ("demo://items//7/x", "no"),
            (" demo://items/7/x", "no"),
            ("", "no"),
        ],
    );
}

#[test]
fn l1_5_a_variable_stays_in_its_segment() {
    check(
        "demo://items/{id}",
        &[
            ("demo://items/7", "id=7"),
            ("demo://items/a:b@c;d=1,2!$&'()*+", "id=a:b@c;d=1,2!$&'()*+"),
            ("demo://items/", "no"),
            ("demo://items", "no"),
            ("demo://items/7/8", "no"),
            ("demo://items/7?x=1", "no"),
            ("demo://items/7?", "no"),
            ("demo://items/7#x", "no"),
        ],
    );
    check(
        "demo://{country}/{city}",
        &[("demo://Chad/x", "city=x country=Chad"), ("demo:///x", "no"), ("demo://x/", "no")],
    );
    check("demo://h?x={a}&y={b}", &[("demo://h?x=1&y=2", "a=1 b=2"), ("demo://h?x=1?&y=2", "no"), ("demo://h", "no")]);
    check("urn:isbn:{isbn}", &[("urn:isbn:0451450523", "isbn=0451450523"), ("urn:isbn:", "no")]);
}

#[test]
fn l1_5_several_variables_of_a_segment_end_at_the_first_literal() {
    check("demo://{name}.md", &[("demo://v1.2.md", "name=v1.2"), ("demo://.md", "no"), ("demo://v1", "no")]);
    check(
        "demo://{name}.{ext}",
        &[("demo://v1.2.md", "ext=2.md name=v1"), ("demo://.md", "no"), ("demo://.a.md", "no"), ("demo://a.", "no")],
    );
    check("demo://x/{a}--{b}-{c}.z", &[("demo://x/1-2--3-4-5.z", "a=1-2 b=3 c=4-5"), ("demo://x/1--3.z", "no")]);
    // A literal does not begin inside an escape.
    check("demo://x/{a}2{b}", &[("demo://x/a%20b2c", "a=a b b=c"), ("demo://x/a%20b", "no")]);
    check("demo://x/{a}41", &[("demo://x/a%41", "no"), ("demo://x/a%4141", "a=aA")]);
}

#[test]
fn l1_5_paths_take_whole_segments() {
    check(
        "demo://files/{+path}",
        &[
            ("demo://files/a", "path=a"),
            ("demo://files/items/7/notes", "path=items/7/notes"),
            ("demo://files/%2520%C2%A7", "path=%20§"),
            ("demo://files", "no"),
            ("demo://files/a?b", "no"),
            ("demo://filesx/a", "no"),
        ],
    );
    check(
        "demo://files/{+path}/raw",
        &[
            ("demo://files/a/raw", "path=a"),
            ("demo://files/a/raw/raw", "path=a/raw"),
            ("demo://files/raw", "no"),
            ("demo://files/a/rawx", "no"),
        ],
    );
    check(
        "repo://{name}{/path*}",
        &[
            ("repo://a", "name=a path=[]"),
            ("repo://a/b", r#"name=a path=["b"]"#),
            ("repo://a/b/c", r#"name=a path=["b", "c"]"#),
            ("repo://", "no"),
        ],
    );
    check("repo://x{/p*}/raw/{v}", &[("repo://x/raw/1", "p=[] v=1"), ("repo://x/a/raw/1", r#"p=["a"] v=1"#)]);
    check("repo://x{/p*}{?q}", &[("repo://x?q=/a/b", "p=[] q=/a/b"), ("repo://x/a?q=/", r#"p=["a"] q=/"#)]);
    check("demo://h?x={a}/{+b}", &[("demo://h?x=1/2/3", "a=1 b=2/3"), ("demo://h?x=1/2?3", "no")]);
}

#[test]
fn l1_6_query_names_come_in_any_order() {
    check(
        "demo://search{?q,limit}",
        &[
            ("demo://search?limit=5&q=a%20b", "limit=5 q=a b"),
            ("demo://search?q=a%20b&limit=5", "limit=5 q=a b"),
            ("demo://search?q=x", "q=x"),
            ("demo://search", ""),
            ("demo://search?q=", "q="),
            ("demo://search?q=a+b", "q=a+b"),
            ("demo://search?q=a%2Bb", "q=a+b"),
            ("demo://search?q=a%2Fb%5C..", "q=a/b\\.."),
            ("demo://search?q=a/b?c", "q=a/b?c"),
            ("demo://search?q=a=b", "q=a=b"),
            ("demo://search?q=%2526", "q=%26"),
            ("demo://search?q=1%262", "q=1&2"),
        ],
    );
    let wrong = [
        "?q=1&q=2",
        "?limit=1&limit=1",
        "?z=1",
        "?q=1&z=1",
        "?",
        "?q",
        "?%71=1",
        "?q=1&",
        "?&q=1",
        "?q=1&&limit=1",
        "?=1",
        "?Q=1",
        "?q=%zz",
        "#q",
        "?q=1#f",
        "/",
        "/?q=1",
    ];
    for tail in wrong {
        check("demo://search{?q,limit}", &[(&format!("demo://search{tail}"), "no")]);
    }
}

#[test]
fn l1_6_unknown_names_pass_if_they_are_ignored() {
    let template = Template::parse("demo://search{?q}").unwrap().unknown_query(UnknownQuery::Ignore);
    for (tail, expected) in [
        ("", ""),
        ("?q=1", "q=1"),
        ("?z=1", ""),
        ("?z=1&q=1&z=%FF", "q=1"),
        ("?q=1&q=2", "no"),
        ("?", "no"),
        ("?z", "no"),
        ("?=1", "no"),
        ("?%71=1", "no"),
        ("?z=1&", "no"),
    ] {
        assert_eq!(outcome(&template, &format!("demo://search{tail}")), expected, "{tail}");
    }
    let template = Template::parse("demo://items/{id}").unwrap().unknown_query(UnknownQuery::Ignore);
    assert_eq!(outcome(&template, "demo://items/7?utm=1"), "id=7");
}

#[test]
fn l1_7_values_are_decoded_once_and_are_utf_8() {
    for (tail, expected) in
        [("%2520", "%20"), ("%41", "A"), ("%c3%a9", "é"), ("%F0%9F%8C%B1", "🌱"), ("a+b", "a+b"), ("a%2Bb", "a+b")]
    {
        check("demo://a/{v}", &[(&format!("demo://a/{tail}"), &*format!("v={expected}"))]);
        check("demo://a/{+v}", &[(&format!("demo://a/x/{tail}"), &*format!("v=x/{expected}"))]);
        check("demo://a{/v*}", &[(&format!("demo://a/{tail}"), &*format!("v={:?}", [expected]))]);
        check("demo://a{?v}", &[(&format!("demo://a?v={tail}"), &*format!("v={expected}"))]);
    }
    // A lone byte, a cut sequence, an overlong form, a surrogate.
    for tail in ["%FF", "%C3", "%C0%AF", "%ED%A0%80"] {
        for (template, uri) in [
            ("demo://a/{v}", format!("demo://a/{tail}")),
            ("demo://a/{+v}", format!("demo://a/x/{tail}/y")),
            ("demo://a{/v*}", format!("demo://a/{tail}")),
            ("demo://a{?v}", format!("demo://a?v={tail}")),
        ] {
            check(template, &[(&uri, "unknown")]);
        }
    }
    // It is split before it is decoded, so no character is joined across segments.
    check("demo://a{/v*}", &[("demo://a/%C3/%A9", "unknown")]);
}

#[test]
fn l1_8_no_value_leaves_its_segment() {
    let hostile = [
        ".",
        "..",
        "%2e%2e",
        "%2E%2E",
        ".%2e",
        "%2e",
        "a%2Fb",
        "a%5Cb",
        "%00",
        "a%0Ab",
        "a%1Fb",
        "%7F",
        "..%2F..%2Fetc",
    ];
    for tail in hostile {
        for (template, uri) in [
            ("demo://a/{v}", format!("demo://a/{tail}")),
            ("demo://a/{v}/c", format!("demo://a/{tail}/c")),
            ("demo://a/x{v}", format!("demo://a/x{tail}")),
            ("demo://a/{+v}", format!("demo://a/{tail}")),
            ("demo://a/{+v}", format!("demo://a/b/{tail}/c")),
            ("demo://a{/v*}", format!("demo://a/{tail}")),
            ("demo://a{/v*}", format!("demo://a/b/{tail}")),
        ] {
            check(template, &[(&uri, "unknown")]);
        }
    }
    check("demo://a/{+v}", &[("demo://a//b", "unknown"), ("demo://a/b//c", "unknown"), ("demo://a/b/", "unknown")]);
    check("demo://a/{+v}", &[("demo://a/", "unknown"), ("demo://a/...", "v=..."), ("demo://a/.b/c..d", "v=.b/c..d")]);
    check("demo://a{/v*}", &[("demo://a/", "unknown"), ("demo://a//b", "unknown"), ("demo://a/b/", "unknown")]);
    check("demo://a{?v}", &[("demo://a?v=%00", "unknown"), ("demo://a?v=..%2F%5C%0A", "v=../\\\n")]);
}

#[test]
fn l1_10_a_failure_of_a_value_is_not_a_failure_to_match() {
    let template = Template::parse("demo://a/{v}").unwrap();
    assert_eq!(template.matches("demo://a/%2e%2e"), Match::Unknown);
    assert_eq!(template.matches("demo://b/%2e%2e"), Match::No);
    // The text decides first: a bad value and a query that is not expected.
    assert_eq!(template.matches("demo://a/%2e%2e?x=1"), Match::No);
}

#[test]
fn l1_11_matching_is_linear_in_the_uri() {
    let templates = [
        "demo://a/{v}",
        "demo://a/{+v}",
        "demo://a/{+v}/aab",
        "demo://a{/v*}/b",
        "demo://a/{v}aab{w}aac{x}",
        "demo://a/{v}{?a,b}",
        "demo://a/x?{v}=/{+w}",
    ]
    .map(|text| Template::parse(text).unwrap());
    for unit in ["a", "/", "aa/", "%41", "%61a", "aab", "a=b&", "?", "a%2Fa"] {
        for start in ["demo://a/", "demo://a/x?", "demo://a/x?a="] {
            let uri = format!("{start}{}", unit.repeat(8192 / unit.len()));
            for template in &templates {
                let (_, bytes) = counted(|| template.matches(&uri));
                assert!(bytes <= 10 * uri.len(), "{} looked at {bytes} bytes of {unit}", template.as_str());
            }
        }
    }
}

#[test]
fn l1_11_a_template_with_another_start_looks_at_nothing() {
    let uri = format!("demo://a/{}", "x".repeat(8192));
    let candidate = Candidate::new(&uri).unwrap();
    let others = ["demo://b/{v}", "other://a/{v}", "demo://a/{v}/{w}", "demo://a/{v}/end"];
    for template in others.map(|text| Template::parse(text).unwrap()) {
        let (outcome, bytes) = counted(|| template.matches_candidate(&candidate));
        assert_eq!((outcome, bytes), (Match::No, 0), "{}", template.as_str());
    }
    assert_eq!(counted(|| Template::parse("demo://b/{v}").unwrap().matches(&uri)), (Match::No, 0));
}
