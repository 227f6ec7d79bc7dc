//! The rows of the contract, one test each: `c7_…` for the meaning of YAML and how hosts read it, `c8_…` for invalid
//! input, `c4_…` and `c11_…` for names, paths, types and the fixture.

mod blocks;
mod golden;
mod layout;
mod observed;
mod paths;
mod patterns;
mod portable;
mod properties;
mod rejected;
mod rules;
mod scalars;

use crate::{Frontmatter, FrontmatterError, FrontmatterFault, LintKind};

/// The required fields; two lines, so that the body begins on line 4.
const HEAD: &str = "name: x\ndescription: D.\n";

/// A SKILL.md with this body after the required fields.
fn file(body: &str) -> String {
    format!("---\n{HEAD}{body}\n---\n\n# X\n")
}

#[track_caller]
fn accepted(body: &str) -> Frontmatter {
    Frontmatter::parse(file(body).as_bytes()).unwrap_or_else(|error| panic!("{body:?}: {error}"))
}

#[track_caller]
fn rejected(body: &str) -> FrontmatterError {
    match Frontmatter::parse(file(body).as_bytes()) {
        Ok(frontmatter) => panic!("{body:?} was accepted as {}", frontmatter.json()),
        Err(error) => error,
    }
}

/// Checks that the error has this cause and this line of the file.
#[track_caller]
fn check_fault(body: &str, line: usize, fault: &FrontmatterFault) {
    let error = rejected(body);
    assert_eq!((error.line(), error.fault()), (Some(line), fault), "{body:?}");
}

/// The JSON members that the body adds.
#[track_caller]
fn json(body: &str) -> String {
    let frontmatter = accepted(body);
    let added = frontmatter.json().strip_prefix(r#"{"name":"x","description":"D.""#).unwrap_or_default();
    format!("{{{}", added.trim_start_matches(','))
}

#[track_caller]
fn kinds(body: &str) -> Vec<LintKind> {
    accepted(body).lints().iter().map(|lint| lint.kind.clone()).collect()
}

/// Checks the value of `v: <text>`, without lints.
#[track_caller]
fn check(text: &str, expected: &str) {
    let body = format!("v: {text}");
    assert_eq!(json(&body), format!("{{\"v\":{expected}}}"), "{text:?}");
    assert_eq!(kinds(&body), [], "{text:?}");
}

/// Checks the value of `v: <text>`, and its only lint.
#[track_caller]
fn check_lint(text: &str, expected: &str, kind: LintKind) {
    let body = format!("v: {text}");
    assert_eq!(json(&body), format!("{{\"v\":{expected}}}"), "{text:?}");
    assert_eq!(kinds(&body), [kind], "{text:?}");
}

/// The same for a value that a YAML 1.1 host reads as `there`.
#[track_caller]
fn check_differs(text: &str, here: &str, there: &str) {
    check_lint(text, here, LintKind::Differs { here: here.to_owned(), there: there.to_owned() });
}
