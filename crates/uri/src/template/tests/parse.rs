//! What is a template, and the remedy for what is none.

use crate::{Template, VariableKind};

#[track_caller]
fn check(text: &str, expected: &str) {
    let found = Template::parse(text).map_or_else(|error| error.to_string(), |_| "ok".to_owned());
    assert_eq!(found, expected, "{text:?}");
}

#[test]
fn l1_1_the_supported_forms_are_templates() {
    for text in [
        "orders://{id}",
        "demo://items/{id}/notes",
        "demo://files/{+path}",
        "demo://files/{+path}/raw/{n}.md",
        "demo://files/{+path}{?q}",
        "repo://{name}{/path*}",
        "repo://{name}{/path*}/raw",
        "repo://{name}{/path*}{?rev}",
        "demo://search{?q,limit}",
        "demo://{country}/{city}",
        "docs://{name}.{ext}",
        "urn:isbn:{isbn}",
        "demo:{x}",
        "demo:/{+x}",
        "demo://h/search?q={q}",
        "https://example.com/{order_id}",
        "https://{tenant}.example.com:8443/",
        "https://example.com/{+path}",
        "demo://x/{a.b}/w0w/{w}",
        "file:///{+path}",
    ] {
        check(text, "ok");
        assert_eq!(Template::parse(text).unwrap().as_str(), text);
    }
}

#[test]
fn l1_1_variables_have_a_kind_in_the_order_written() {
    use VariableKind::{Exploded, Path, Query, Segment};
    let variables = |text| {
        let template = Template::parse(text).unwrap();
        template.variables().iter().map(|found| (found.name().to_owned(), found.kind())).collect::<Vec<_>>()
    };
    let named = |name: &str, kind| (name.to_owned(), kind);
    assert_eq!(variables("a://{b}-{c}/{+d}"), [named("b", Segment), named("c", Segment), named("d", Path)]);
    assert_eq!(variables("a://b{/c*}{?e,d}"), [named("c", Exploded), named("e", Query), named("d", Query)]);
}

#[test]
fn l1_1_literals_and_scheme_obey_the_rules_of_fixed_uris() {
    for (text, expected) in [
        ("", "is empty: write one, as in `docs://{name}`"),
        ("{x}", "is relative: start it with a scheme, as in `docs://{x}`"),
        ("items/{id}", "is relative: start it with a scheme, as in `docs://items/{id}`"),
        ("Demo://{x}", "has an upper-case scheme: write `demo://{x}`"),
        ("my_docs://{x}", "has a bad scheme `my_docs`: write `my-docs://{x}`"),
        ("demo://a b/{x}", "has a space: write `demo://a%20b/{x}`"),
        ("demo://{x}/café{?q}", "is not ASCII: write `demo://{x}/caf%C3%A9{?q}`"),
        ("http://Panel/{x}", "has an upper-case host, which clients lower-case: write `http://panel/{x}`"),
        ("http://W{x}/", "has an upper-case host, which clients lower-case: write `http://w{x}/`"),
        ("demo://h/./{x}", "has a path segment `.`, which clients resolve: write `demo://h/{x}`"),
        ("demo://h/{x}/../y", "has a path segment `..`, which clients resolve: write the path that it leads to"),
        ("demo://h/{x}}", "has a raw `}`: write `demo://h/{x}%7D`"),
        ("demo://h:{port}/", "has a bad authority `h:{port}`: write `host`, `host:port` or `[ipv6]:port` after `//`"),
        ("https://{host}", "has no `/` after its host, which clients add: write `https://{host}/`"),
        ("https://h{?q}", "has no `/` after its host, which clients add: write `https://h/{?q}`"),
        ("demo://h/%{x}", "has a bad percent escape `%`: write two hex digits after `%`, or `%25` for the sign itself"),
        (
            "demo://h/%4{x}",
            "has a bad percent escape `%4`: write two hex digits after `%`, or `%25` for the sign itself",
        ),
        ("https://h{/path*}", "with no segment for `{/path*}` has no `/` after its host, which clients add: add a `/`"),
    ] {
        check(text, expected);
    }
}

#[test]
fn l1_2_each_form_that_is_not_supported_has_a_remedy() {
    for (expression, remedy) in [
        ("{a,b}", "write `{a}/{b}`"),
        ("{.x}", "write `.{x}`"),
        ("{.x,y}", "write `.{x}.{y}`"),
        ("{/x}", "write `/{x}`"),
        ("{/x,y}", "write `/{x}/{y}`"),
        ("{/x:3}", "write `/{x}`"),
        ("{/x:3*}", "write `{/x*}`"),
        ("{;x}", "write `;x={x}`"),
        ("{#x}", "leave it out: no request has a fragment"),
        ("{&x}", "write `{?x}` at the end"),
        ("{x:3}", "write `{x}`"),
        ("{x*}", "write `{x}`, or `{/x*}` for several segments"),
        ("{+x*}", "write `{+x}`"),
        ("{+x:3}", "write `{+x}`"),
        ("{+x,y}", "write one variable, which takes all segments, as in `{+path}`"),
        ("{?x*}", "write `{?x}` at the end"),
        ("{?x*,y:3}", "write `{?x,y}` at the end"),
        ("{}", "write a name in it, as in `{id}`"),
        ("{?}", "write a name in it, as in `{id}`"),
        ("{/*}", "write a name in it, as in `{id}`"),
    ] {
        let expected = format!("has `{expression}`, a form that Grange does not support: {remedy}");
        check(&format!("demo://a/{expression}"), &expected);
    }
}

#[test]
fn l1_2_names_are_words() {
    let remedy = "write letters, digits and `_`, as in `{order_id}`";
    for (expression, name) in [
        ("{a-b}", "a-b"),
        ("{ a }", " a "),
        ("{é}", "é"),
        ("{%41}", "%41"),
        ("{=a}", "=a"),
        ("{a{b}", "a{b"),
        ("{?a,}", ""),
        ("{a.}", "a."),
        ("{?a, b}", " b"),
    ] {
        check(&format!("demo://h/{expression}"), &format!("has the name `{name}` in `{expression}`: {remedy}"));
    }
    check("demo://h/{a\n}", &format!("has the name `a\\n` in `{{a\\n}}`: {remedy}"));
}

#[test]
fn l1_2_what_stands_beside_a_variable_is_checked() {
    let between = |first: &str, second: &str| {
        format!("has nothing between `{first}` and `{second}`: write a literal, as in `{first}/{second}`")
    };
    check("demo://{a}{b}", &between("{a}", "{b}"));
    check("demo://h/{a}{+b}", &between("{a}", "{+b}"));
    check("demo://h/{+a}{b}", &between("{+a}", "{b}"));
    check("demo://h{/a*}{b}", &between("{/a*}", "{b}"));
    for (text, expected) in [
        ("demo://h/{a", "has `{a` without its `}`: add it"),
        ("demo://h/x", "has no variable: write one, as in `{id}`, or declare a `resource!`"),
        ("demo://h/x{+a}", "has `{+a}` within a segment: write a `/` before it, as in `/{+a}`"),
        ("demo://h/{+a}.md", "has a piece of a segment after `{+a}`: write `{+a}/` before it"),
        ("demo://h{/a*}x", "has a piece of a segment after `{/a*}`: write `{/a*}/` before it"),
        ("demo://h/{+a}?x={b}", "has a piece of a segment after `{+a}`: write `{+a}/` before it"),
        ("demo://h/{+a}/{+b}", "has `{+a}` and `{+b}`, which both take several segments: keep one of them"),
        ("demo://h{/a*}{/b*}", "has `{/a*}` and `{/b*}`, which both take several segments: keep one of them"),
        ("demo://h/{a}/{a}", "has two variables `a`: give each its own name"),
        ("demo://h/{a}{?b,a}", "has two variables `a`: give each its own name"),
        ("demo://h/{a}{?b,b}", "has two variables `b`: give each its own name"),
        ("demo://h{?a}/b", "has more after `{?a}`: move that before it, and write every query name in it"),
        ("demo://h{?a}{?b}", "has more after `{?a}`: move that before it, and write every query name in it"),
        ("demo://h{?a}{b}", "has more after `{?a}`: move that before it, and write every query name in it"),
        ("demo://h/{a}?x=1{?b}", "has a `?` before `{?b}`: write every query name in `{?…}`, as in `{?q,limit}`"),
        ("demo://h/{a}#b", "has a `#`, which no request has: leave it out, or write `%23`"),
        ("{a}://h", "has `{a}` in its scheme: write the scheme out, as in `docs://{a}`"),
        ("demo{a}://h", "has `{a}` in its scheme: write the scheme out, as in `docs://{a}`"),
    ] {
        check(text, expected);
    }
}
