//! Templates of one shape, and templates that leave nothing to others.

use crate::{Template, UnknownQuery};

fn template(text: &str) -> Template {
    Template::parse(text).unwrap()
}

#[test]
fn l1_3_two_templates_of_one_shape_differ_in_names() {
    for (one, other, expected) in [
        ("demo://items/{id}", "demo://items/{x}", true),
        ("demo://items/{id}", "demo://items/{id}", true),
        ("demo://{a}.{b}/{+c}", "demo://{x}.{y}/{+z}", true),
        ("demo://a{/b*}/c", "demo://a{/x*}/c", true),
        ("demo://a{?b,c}", "demo://a{?c,b}", true),
        ("demo://a{?b,c}", "demo://a{?b}", false),
        ("demo://a{?b}", "demo://a{?c}", false),
        ("demo://items/{id}", "demo://items/{+x}", false),
        ("demo://a/{+b}", "demo://a{/b*}", false),
        ("demo://a/{x}.md", "demo://a/{x}.txt", false),
        ("demo://a/{x}", "demo://a/{x}/b", false),
        ("demo://a/{x}-{y}", "demo://a/{x}-", false),
    ] {
        assert_eq!(template(one).same_shape(&template(other)), expected, "{one} and {other}");
        assert_eq!(template(other).same_shape(&template(one)), expected, "{other} and {one}");
    }
}

#[test]
fn l1_3_a_template_covers_another_segment_by_segment() {
    for (one, other) in [
        ("demo://items/{id}", "demo://items/{x}"),
        ("demo://items/{id}", "demo://items/{x}.md"),
        ("demo://{a}/{b}", "demo://items/{x}"),
        ("demo://files/{+p}", "demo://files/{x}"),
        ("demo://files/{+p}", "demo://files/{x}/y/{+z}"),
        ("demo://files/{+p}", "demo://files/x{/z*}"),
        ("demo://files{/p*}", "demo://files/{x}"),
        ("demo://files{/p*}", "demo://files{/z*}/{x}"),
        ("demo://files{/p*}/{x}", "demo://files/{y}{/z*}"),
        ("demo://files/{x}{/p*}", "demo://files/{+y}"),
        ("demo://files/{+p}", "demo://files/{x}/"),
        ("demo://a/{x}{?q,r}", "demo://a/{y}{?r}"),
        ("demo://a/{x}{?q}", "demo://a/{y}"),
        ("demo://a?x={b}", "demo://a?x={c}"),
    ] {
        assert!(template(one).covers(&template(other)), "{one} covers {other}");
    }
}

#[test]
fn l1_3_overlaps_that_segments_do_not_show_are_legal() {
    for (one, other) in [
        ("demo://items/{id}", "demo://items/{id}/notes"),
        ("demo://items/{id}", "demo://files/{id}"),
        ("demo://items/{id}.md", "demo://items/{id}"),
        ("demo://items/x/{a}", "demo://items/{b}/y"),
        ("demo://files/{x}", "demo://files/{+p}"),
        ("demo://files/{+p}", "demo://files{/p*}"),
        ("demo://files/{x}", "demo://files{/p*}"),
        ("demo://files/{+p}/raw", "demo://files/{+p}"),
        ("demo://files/a/{+p}", "demo://files/{+p}"),
        ("demo://a/{v}/b", "demo://a//{w}"),
        ("demo://search/{x}", "demo://search/{x}{?q}"),
        ("demo://search{?q}", "demo://search{?r}"),
        ("demo://{v}", "demo://{x}?y={z}"),
        ("demo://a/{v}", "demo://a/x?y={z}"),
        ("demo://a?x={v}", "demo://a/{w}"),
    ] {
        assert!(!template(one).covers(&template(other)), "{one} does not cover {other}");
    }
}

#[test]
fn l1_3_ignored_query_names_count() {
    let [strict, lenient] =
        [UnknownQuery::Reject, UnknownQuery::Ignore].map(|unknown| template("demo://a/{x}{?q}").unknown_query(unknown));
    assert!(lenient.covers(&strict) && !strict.covers(&lenient) && lenient.covers(&lenient));
    assert!(lenient.covers(&template("demo://a/{x}{?z}")) && lenient.same_shape(&strict));
}
