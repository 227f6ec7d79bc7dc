//! The page of threats names tests: each of them exists, and each row of a table has what holds the attempt.

use std::collections::BTreeSet;
use std::fs;

use super::none;
use crate::project::Project;
use crate::source::sources;

const PAGE: &str = "docs/threats.md";

/// Tests and functions: what a test is called is the name of a function.
fn functions() -> BTreeSet<String> {
    let all = sources(&["crates", "src", "tests", "fuzz", "examples"]);
    let after = |code: &str| code.split("fn ").skip(1).map(name).collect::<Vec<_>>();
    all.iter().flat_map(|source| after(&source.code)).collect()
}

fn name(text: &str) -> String {
    text.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
}

/// What the last column of a table names.
fn named(line: &str) -> Vec<&str> {
    let last = line.trim_end_matches(['|', ' ']).rsplit('|').next().unwrap_or_default();
    last.split('`').skip(1).step_by(2).filter(|name| name.contains('_') && !name.contains(['.', '/', ' '])).collect()
}

#[test]
fn every_test_that_the_page_of_threats_names_exists() {
    let page = fs::read_to_string(Project::find().path(PAGE)).unwrap();
    let functions = functions();
    let rows = page.lines().enumerate().filter(|(_, line)| line.starts_with('|'));
    let named: Vec<_> = rows.flat_map(|(at, line)| named(line).into_iter().map(move |name| (at + 1, name))).collect();
    assert!(named.len() > 50, "the tables were not found: {} names", named.len());
    let missing = named.into_iter().filter(|(_, name)| !functions.contains(*name));
    let missing: Vec<String> = missing.map(|(line, name)| format!("{PAGE}:{line}: `{name}`")).collect();
    none(&missing, "no test is called that: name the one that shows it");
}

#[test]
fn names_are_those_of_the_last_column() {
    assert_eq!(named("| a `b_c` | held by `d_e` | `f_g`, `h_i` and `tests/x` |"), ["f_g", "h_i"]);
    assert_eq!(named("| a | b | |"), Vec::<&str>::new());
}
