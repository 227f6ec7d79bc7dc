//! C8: the errors of `build()`, all at once, each with the file, the line and the remedy.

use grange_core::{Resource, Server};
use grange_skills::{FileContent, Skill, Skills};

use super::{errors, server, skill, skill_md};

/// The problem with a skill at `x` with this SKILL.md, without the common start of the text.
fn wrong(skill_md: impl Into<FileContent>) -> String {
    let mut errors = errors([Skill::new("x", [("SKILL.md", skill_md)])]);
    assert_eq!(errors.len(), 1, "{errors:?}");
    let error = errors.remove(0);
    error.strip_prefix("skill `x`: SKILL.md: ").unwrap_or_else(|| panic!("{error}")).to_owned()
}

/// The same for a SKILL.md with these lines as frontmatter.
fn wrong_lines(lines: &str) -> String {
    wrong(format!("---\n{lines}\n---\n"))
}

#[test]
fn c8_1_no_skill_md() {
    assert_eq!(errors([Skill::new("x", [("a.md", "")])]), ["skill `x`: there is no SKILL.md: add one"]);
    assert_eq!(errors([Skill::new("x", [("a", ""); 0])]), ["skill `x`: there is no SKILL.md: add one"]);
    let lower = Skill::new("x", [("skill.md".to_owned(), skill_md("x"))]);
    assert_eq!(errors([lower]), ["skill `x`: there is no SKILL.md: rename `skill.md`"]);
    // The path is relative to the package's directory.
    assert_eq!(errors([Skill::from_dir("macros/ui/pass")]), ["skill `pass`: there is no SKILL.md: add one"]);
    let missing = errors([Skill::from_dir("no/such/skill")]);
    assert_eq!(missing.len(), 1);
    assert!(missing[0].starts_with("skill `skill`: directory `no/such/skill` cannot be read: "), "{missing:?}");
}

#[test]
fn c8_2_a_skill_md_that_is_not_utf_8() {
    let bytes = b"---\nname: x\ndescription: caf\xe9\n---\n".to_vec();
    assert_eq!(wrong(bytes), "line 3: the file is not UTF-8: save it as UTF-8");
}

#[test]
fn c8_3_no_frontmatter() {
    for (text, expected) in [
        ("", "the file does not begin with frontmatter: make `---` its very first line, before `name: …`"),
        ("# X\n", "the file does not begin with frontmatter: make `---` its very first line, before `name: …`"),
        (
            "\n---\nname: x\ndescription: D.\n---\n",
            "the file does not begin with frontmatter: make `---` its very first line, before `name: …`",
        ),
        (
            "--- \nname: x\ndescription: D.\n---\n",
            "something stands behind the opening `---`, perhaps a space: end the line there",
        ),
        (
            "---\nname: x\ndescription: D.\n",
            "no line `---` ends the frontmatter: add one, at the beginning of its line",
        ),
    ] {
        assert_eq!(wrong(text), format!("line 1: {expected}"));
    }
    assert_eq!(wrong("---\n---\n"), "line 2: nothing stands between the fences: write `name: …` and `description: …`");
}

#[test]
fn c8_4_frontmatter_that_is_not_yaml() {
    for (line, expected) in [
        ("v: @x", "line 4: not YAML, "),
        ("v: `x", "line 4: not YAML, "),
        ("v: a: b: c", "line 4: not YAML, "),
        ("v: \"a", "line 4: not YAML, "),
        ("v: *a", "line 4: an alias without an anchor before it: quote a value that begins with `*`"),
        ("v:\n\ta: b", "line 5: a tab in the indentation, where YAML has none: indent with spaces"),
        ("name: x", "line 4: the key `name` is already on line 2: keep one of the two"),
        (
            "<<: {a: 1}",
            "line 4: a merge key, which some hosts merge and some keep: write the merged keys out, or quote `<<`",
        ),
    ] {
        let found = wrong_lines(&format!("name: x\ndescription: D.\n{line}"));
        assert!(found.starts_with(expected) && found.contains(": "), "{line:?}: {found}");
    }
}

#[test]
fn c8_5_frontmatter_that_is_not_a_mapping() {
    const REMEDY: &str = "not a mapping: write `name: …` and `description: …`";
    assert_eq!(wrong_lines("- a"), format!("line 2: the frontmatter is a list, {REMEDY}"));
    assert_eq!(wrong_lines("just words"), format!("line 2: the frontmatter is a string, {REMEDY}"));
}

#[test]
fn c8_6_values_that_json_cannot_represent() {
    const REMEDY: &str = "a number that JSON has not: quote it, or write a finite one";
    for value in [".inf", "-.INF", ".nan", "1e400"] {
        let found = wrong_lines(&format!("name: x\ndescription: D.\nv: {value}"));
        assert_eq!(found, format!("line 4: `{value}` is {REMEDY}"));
    }
    for (line, expected) in [
        ("v: !!binary aGk=", "line 4: the tag `!!binary` "),
        ("v: !!set {a}", "line 4: the tag `!!set` "),
        ("v: !!timestamp 2026-01-01", "line 4: the tag `!!timestamp` "),
        ("v: !foo bar", "line 4: the tag `!foo` "),
        ("? [a]\n: b", "line 4: a key is a list, "),
        ("null: a", "line 4: a key is null, "),
    ] {
        let found = wrong_lines(&format!("name: x\ndescription: D.\n{line}"));
        assert!(found.starts_with(expected), "{line:?}: {found}");
    }
}

#[test]
fn c8_7_invalid_names() {
    for (lines, expected) in [
        ("description: D.", "there is no `name`: add a line `name: …`"),
        ("name: 1\ndescription: D.", "line 2: `name` is an integer, not a string: quote it"),
        ("name:\ndescription: D.", "line 2: `name` is null, not a string: quote it"),
        (
            "description: D.\nname: X",
            "line 3: the name has 'X': use only `a` to `z`, `0` to `9` and `-`, as in `ledger-close`",
        ),
        ("name: -x\ndescription: D.", "line 2: the name has a hyphen at an end or two together: write `x`"),
        ("name: x--y\ndescription: D.", "line 2: the name has a hyphen at an end or two together: write `x-y`"),
        ("name: ''\ndescription: D.", "line 2: the name is empty: write one, as in `ledger-close`"),
    ] {
        assert_eq!(wrong_lines(lines), expected, "{lines:?}");
    }
    let long = "x".repeat(65);
    assert_eq!(
        wrong_lines(&format!("name: {long}\ndescription: D.")),
        "line 2: the name has 65 characters: 64 are allowed, shorten it"
    );
    server(Skills::new([skill(&long[1..], &[])]));
}

#[test]
fn c8_8_a_name_that_differs_from_the_path() {
    let misplaced = Skill::new("acme/refund", [("SKILL.md", skill_md("refunds"))]);
    assert_eq!(
        errors([misplaced]),
        ["skill `acme/refund`: the path `acme/refund` ends in `refund`, but the skill's name is `refunds`: write \
             `acme/refunds`, or change the name"]
    );
}

#[test]
fn c8_9_invalid_descriptions() {
    const REMEDY: &str = "are allowed, move the rest below the frontmatter";
    for (lines, expected) in [
        ("name: x", "there is no `description`: add a line `description: …`"),
        ("name: x\ndescription:", "line 3: `description` is null, not a string: quote it"),
        ("name: x\ndescription: 5", "line 3: `description` is an integer, not a string: quote it"),
        ("name: x\ndescription: ''", "line 3: `description` is blank: write at least one word"),
        ("name: x\ndescription: \" \\t \"", "line 3: `description` is blank: write at least one word"),
    ] {
        assert_eq!(wrong_lines(lines), expected, "{lines:?}");
    }
    let long = |field: &str, length: usize| format!("{field}: {}", "d".repeat(length));
    let found = wrong_lines(&format!("name: x\n{}", long("description", 1025)));
    assert_eq!(found, format!("line 3: `description` has 1025 characters: 1024 {REMEDY}"));
    let found = wrong_lines(&format!("name: x\ndescription: D.\n{}", long("compatibility", 501)));
    assert_eq!(found, format!("line 4: `compatibility` has 501 characters: 500 {REMEDY}"));
    let longest = format!("---\nname: x\n{}\n{}\n---\n", long("description", 1024), long("compatibility", 500));
    server(Skills::new([Skill::new("x", [("SKILL.md", longest)])]));
}

#[test]
fn c8_12_two_skills_at_one_path() {
    let expected = "skill `x`: two skills are at this path: serve one `.at(…)` another";
    assert_eq!(errors([skill("x", &[]), skill("x", &[("a.md", "a")])]), [expected]);
    server(Skills::new([skill("x", &[]), skill("x", &[]).at("acme/x")]));
}

#[test]
fn c8_13_two_files_with_the_same_uri() {
    let outer = skill("ops", &[("keys/all.md", "one"), ("keys/SKILL.md", "two")]);
    assert_eq!(
        errors([skill("ops/keys", &[("all.md", "other")]), outer]),
        [
            "skill `ops/keys`: file `SKILL.md` is served by a skill around this one with other bytes: keep one of them",
            "skill `ops/keys`: file `all.md` is served by a skill around this one with other bytes: keep one of them",
        ]
    );
}

#[test]
fn c8_14_no_skills() {
    assert_eq!(errors([]), ["skills: there are none: add one, or leave the extension out"]);
}

#[test]
fn c8_15_a_resource_with_the_uri_of_a_skills_file() {
    let own = Resource::builder().uri("skill://x/a.md").name("own").text("own").build();
    let builder = Server::builder("t", "1").extension(Skills::new([skill("x", &[("a.md", "a")])])).resource(own);
    let error = builder.build().expect_err("the URI is taken");
    let expected =
        "resource `skill://x/a.md`: the uri is declared twice, by `own` and `x/a.md`: give each resource its own";
    assert_eq!(error.errors().iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
}

#[test]
fn c8_all_errors_of_all_skills_are_reported_at_once() {
    let found = errors([
        Skill::new("a b", [("skill.md", "# X\n"), ("a?b.md", ""), ("notes/../c.md", "")]),
        Skill::new("y", [("SKILL.md", "# Y\n")]),
        skill("z", &[("A.md", ""), ("a.md", "")]),
        skill("w", &[]),
        skill("w", &[]),
    ]);
    let subjects: Vec<&str> = found.iter().map(|error| error.split(':').next().unwrap()).collect();
    let a = "skill `a b`";
    assert_eq!(subjects, [a, a, a, a, "skill `y`", "skill `z`", "skill `w`"], "{found:#?}");
}
