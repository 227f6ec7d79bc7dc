//! C4, C8.10 and C8.11: paths are URIs as written, so that a client that parses a URI and one that does not read the
//! same file.

use grange_skills::{Skill, Skills};

use super::{errors, server, skill, skill_md};

const RENAME: &str = "rename it, with letters, digits, `-`, `_` and `.`";

/// The only error for a file at that path.
fn of_file(path: &str) -> String {
    let mut errors = errors([skill("x", &[(path, "")])]);
    assert_eq!(errors.len(), 1, "{path:?}: {errors:?}");
    let error = errors.remove(0);
    let words = error.strip_prefix(&format!("skill `x`: file `{path}` "));
    words.unwrap_or_else(|| panic!("{path:?}: {error}")).to_owned()
}

/// The only error for a skill at that path.
fn of_skill(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap();
    let mut errors = errors([Skill::new(path, [("SKILL.md", skill_md(if name.is_empty() { "x" } else { name }))])]);
    assert_eq!(errors.len(), 1, "{path:?}: {errors:?}");
    let error = errors.remove(0);
    let words = error.strip_prefix(&format!("skill `{path}`: the path `{path}` "));
    words.unwrap_or_else(|| panic!("{path:?}: {error}")).to_owned()
}

#[test]
fn c8_10_segments_of_a_files_path() {
    for (path, expected) in [
        ("", "is empty: write one, as in `notes/order.md`"),
        ("/a.md", "has an empty segment: write `a.md`"),
        ("a/", "has an empty segment: write `a`"),
        ("a//b.md", "has an empty segment: write `a/b.md`"),
        ("./a.md", "has the segment `.`, which clients resolve: write the path that it leads to"),
        ("a/../b.md", "has the segment `..`, which clients resolve: write the path that it leads to"),
        ("..", "has the segment `..`, which clients resolve: write the path that it leads to"),
        ("a\\b.md", "has a backslash: write `a/b.md`"),
        (" a.md", "has white space around the segment ` a.md`: write it without"),
        ("a /b.md", "has white space around the segment `a `: write it without"),
    ] {
        assert_eq!(of_file(path), expected, "{path:?}");
    }
}

#[test]
fn c8_10_segments_of_a_skills_path() {
    for (path, expected) in [
        ("/x", "has an empty segment: write `x`"),
        ("x/", "has an empty segment: write `x`"),
        ("acme//x", "has an empty segment: write `acme/x`"),
        ("./x", "has the segment `.`, which clients resolve: write the path that it leads to"),
        ("acme/../x", "has the segment `..`, which clients resolve: write the path that it leads to"),
        ("acme\\x", "has a backslash: write `acme/x`"),
        ("acme /x", "has white space around the segment `acme `: write it without"),
    ] {
        assert_eq!(of_skill(path), expected, "{path:?}");
    }
    assert_eq!(
        errors([Skill::new("", [("SKILL.md", skill_md("x"))])]),
        ["skill ``: the path `` is empty: write one, as in `notes/order.md`"]
    );
}

#[test]
fn c8_11_characters_that_a_uri_must_escape() {
    assert_eq!(of_file("a b.md"), format!("has a space, which a URI must escape: {RENAME}"));
    assert_eq!(of_file("caf\u{e9}.md"), format!("has 'é', which a URI must escape: {RENAME}"));
    assert_eq!(of_file("cafe\u{301}.md"), format!("has '\\u{{301}}', which a URI must escape: {RENAME}"));
    assert_eq!(of_file("a\nb.md"), format!("has '\\n', which a URI must escape: {RENAME}"));
    assert_eq!(of_skill("ac me/x"), format!("has a space, which a URI must escape: {RENAME}"));
    assert_eq!(of_skill("acm\u{e9}/x"), format!("has 'é', which a URI must escape: {RENAME}"));
}

#[test]
fn c8_characters_that_hosts_misread_are_rejected() {
    const AUTHORITY: &str = "in its first segment, which hosts read as a user or port: leave it out";
    assert_eq!(of_file("a?b.md"), format!("has '?', behind which a URI has no path: {RENAME}"));
    assert_eq!(of_file("a#b.md"), format!("has '#', behind which a URI has no path: {RENAME}"));
    assert_eq!(of_file("%41.md"), format!("has a `%`, which a host may take for an escape and decode: {RENAME}"));
    for found in ['[', ']', '|', '^', '"', '<', '>', '{', '}', '`'] {
        assert_eq!(of_file(&format!("a{found}.md")), format!("has {found:?}, which a URI must escape: {RENAME}"));
    }
    assert_eq!(of_skill("user@host/x"), format!("has '@' {AUTHORITY}"));
    assert_eq!(of_skill("host:80/x"), format!("has ':' {AUTHORITY}"));
    assert_eq!(
        of_skill("Acme/x"),
        "has 'A' in its first segment, which clients lower-case as a host: write it in lower case"
    );
}

#[test]
fn c8_files_that_collide_on_some_disks_are_rejected() {
    assert_eq!(
        errors([skill("x", &[("SKILL.md/y", "")])]),
        ["skill `x`: file `SKILL.md` is a folder for `SKILL.md/y`: rename one of the two"]
    );
    assert_eq!(
        errors([skill("x", &[("a.md", ""), ("A.md", "")])]),
        ["skill `x`: files `a.md` and `A.md` differ only in case, and are one file on many disks: rename one"]
    );
    assert_eq!(
        errors([skill("x", &[("a.md", "a"), ("a.md", "b")])]),
        ["skill `x`: file `a.md` is there twice: leave one out"]
    );
}

#[test]
fn c4_allowed_characters_are_served_unchanged() {
    let files = ["a-b_c.d~e", "!$&'()*+,;=:@", "UPPER/lower", "a.b/c..d/...e", "-", "_"];
    let skill = skill("acme!$&'()*+,;=/Team:A/x", &files.map(|file| (file, file)));
    let server = server(Skills::new([skill]));
    for file in files {
        let uri = format!("skill://acme!$&'()*+,;=/Team:A/x/{file}");
        let read = crate::raw::modern(&server, "resources/read", serde_json::json!({ "uri": uri })).result();
        assert_eq!(read["contents"][0]["text"], file);
    }
}
