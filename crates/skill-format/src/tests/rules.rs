//! The fields of Agent Skills.

use super::{accepted, kinds};
use crate::{Frontmatter, FrontmatterFault as Fault, LintKind, NameError, check_skill_name};

#[track_caller]
fn check(frontmatter: &str, line: Option<usize>, expected: &Fault) {
    match Frontmatter::parse(format!("---\n{frontmatter}\n---\n").as_bytes()) {
        Ok(accepted) => panic!("{frontmatter:?} was accepted as {}", accepted.json()),
        Err(error) => assert_eq!((error.line(), error.fault()), (line, expected), "{frontmatter:?}"),
    }
}

#[test]
fn c8_7_a_name_must_be_there() {
    check("description: D.", None, &Fault::Missing { field: "name" });
    check("Name: x\ndescription: D.", None, &Fault::Missing { field: "name" });
}

#[test]
fn c8_7_a_name_must_be_a_string() {
    for (text, found) in [
        ("1", "an integer"),
        ("1.5", "a number"),
        ("true", "a boolean"),
        ("", "null"),
        ("[x]", "a list"),
        ("{}", "a mapping"),
    ] {
        check(&format!("description: D.\nname: {text}"), Some(3), &Fault::NotString { field: "name", found });
    }
    assert_eq!(Frontmatter::parse(b"---\nname: '1'\ndescription: D.\n---\n").unwrap().name(), "1");
}

#[test]
fn c8_7_a_name_must_follow_the_rules() {
    check("name: X\ndescription: D.", Some(2), &Fault::Name(NameError::Character { found: 'X' }));
    check("name: ''\ndescription: D.", Some(2), &Fault::Name(NameError::Empty));
    let message = Frontmatter::parse(b"---\nname: a--b\ndescription: D.\n---\n").unwrap_err().to_string();
    assert_eq!(message, "line 2: the name has a hyphen at an end or two together: write `a-b`");
}

#[test]
fn c4_names_have_1_to_64_lower_case_letters_digits_and_single_hyphens() {
    let longest = "a".repeat(64);
    for name in ["a", "1", "007", "ledger-close", "a-1-b", &longest] {
        assert_eq!(check_skill_name(name), Ok(()), "{name}");
    }
    assert_eq!(check_skill_name(""), Err(NameError::Empty));
    assert_eq!(check_skill_name(&"a".repeat(65)), Err(NameError::Length { found: 65 }));
    for name in ["-a", "a-", "a--b", "-", "--"] {
        assert_eq!(check_skill_name(name), Err(NameError::Hyphen { name: name.to_owned() }), "{name}");
    }
    for (name, found) in
        [("Ab", 'A'), ("a b", ' '), ("a_b", '_'), ("a.b", '.'), ("a/b", '/'), ("é", 'é'), ("a\n", '\n')]
    {
        assert_eq!(check_skill_name(name), Err(NameError::Character { found }), "{name:?}");
    }
}

#[test]
fn c8_8_a_name_must_be_the_last_segment_of_the_path() {
    let frontmatter = accepted("");
    assert_eq!(frontmatter.check_path("x"), Ok(()));
    assert_eq!(frontmatter.check_path("acme/x"), Ok(()));
    let message = |path: &str| frontmatter.check_path(path).unwrap_err().to_string();
    assert_eq!(message("y"), "ends in `y`, but the skill's name is `x`: write `x`, or change the name");
    assert_eq!(message("x/y"), "ends in `y`, but the skill's name is `x`: write `x/x`, or change the name");
    assert_eq!(message("acme//x"), "has an empty segment: write `acme/x`");
}

#[test]
fn c8_9_a_description_must_be_there_and_a_string() {
    check("name: x", None, &Fault::Missing { field: "description" });
    for (text, found) in [("1", "an integer"), ("", "null"), ("[D.]", "a list"), ("no: 1", "")] {
        if found.is_empty() {
            assert!(Frontmatter::parse(format!("---\nname: x\ndescription: {text}\n---\n").as_bytes()).is_err());
        } else {
            check(&format!("name: x\ndescription: {text}"), Some(3), &Fault::NotString { field: "description", found });
        }
    }
}

#[test]
fn c8_9_a_description_must_not_be_blank() {
    for text in ["''", "\"  \\t\"", "\"\\n\"", "|\n\nv: w", "\"\u{a0}\""] {
        check(
            &format!("name: x\ndescription: {text}"),
            Some(3),
            &Fault::Length { field: "description", found: 0, most: 1024 },
        );
    }
}

#[test]
fn c8_a_description_has_at_most_1024_characters() {
    let of = |length: usize| format!("name: x\ndescription: {}", "é".repeat(length));
    assert!(Frontmatter::parse(format!("---\n{}\n---\n", of(1024)).as_bytes()).is_ok());
    check(&of(1025), Some(3), &Fault::Length { field: "description", found: 1025, most: 1024 });
}

#[test]
fn c8_a_compatibility_has_1_to_500_characters() {
    let of = |length: usize| format!("name: x\ndescription: D.\ncompatibility: '{}'", "é".repeat(length));
    let fault = |found| Fault::Length { field: "compatibility", found, most: 500 };
    assert!(Frontmatter::parse(format!("---\n{}\n---\n", of(500)).as_bytes()).is_ok());
    check(&of(501), Some(4), &fault(501));
    check(&of(0), Some(4), &fault(0));
    check(
        "name: x\ndescription: D.\ncompatibility: [a]",
        Some(4),
        &Fault::NotString { field: "compatibility", found: "a list" },
    );
}

#[test]
fn c4_metadata_keys_with_the_protocols_prefix_give_a_lint() {
    let frontmatter =
        accepted("metadata:\n  version: '1'\n  io.modelcontextprotocol/author: a\n  io.modelcontextprotocol.x/y: b");
    let [lint] = frontmatter.lints() else { panic!("{:?}", frontmatter.lints()) };
    assert_eq!(lint.field, r#"metadata["io.modelcontextprotocol/author"]"#);
    assert_eq!(
        (lint.value.as_str(), lint.line, &lint.kind),
        ("io.modelcontextprotocol/author", Some(6), &LintKind::Reserved)
    );
    assert!(lint.to_string().ends_with("write your own, as in `com.example/author`"), "{lint}");
    assert_eq!(kinds("io.modelcontextprotocol/author: a\nmetadata: {x-io.modelcontextprotocol/author: a}"), []);
}

#[test]
fn c4_metadata_may_nest_and_hold_any_value() {
    assert_eq!(kinds("metadata:\n  nimblebrain:\n    priority: 60\n    triggers: [close]\n  strict: true"), []);
}

#[test]
fn c4_other_types_than_those_of_agent_skills_give_a_lint() {
    assert_eq!(kinds("license: 2.0"), [LintKind::NotString { found: "a number" }]);
    assert_eq!(kinds("allowed-tools: [Read, Grep]"), [LintKind::NotString { found: "a list" }]);
    assert_eq!(kinds("metadata: [a]"), [LintKind::NotMapping { found: "a list" }]);
    assert_eq!(kinds("metadata:"), [LintKind::NotMapping { found: "null" }]);
    assert_eq!(kinds("license: MIT\nallowed-tools: Read Grep\nmetadata: {}"), []);
}
