//! How two real readers read the rows: npm `yaml`, which the conformance suite uses, and gray-matter with js-yaml 3,
//! which NimbleBrain's host uses.
//!
//! `observed.json` has their recorded results. `{"!": …}` is an error, or a value that JSON cannot represent. A date
//! equals the listed string if JavaScript reads the same instant from it, as in the host's comparison.

use serde_json::Value;

use super::{file, json};
use crate::{Frontmatter, LintKind};

/// A row of the file.
struct Row {
    body: String,
    yaml: Value,
    gray_matter: Value,
    rejected: bool,
}

fn rows() -> Vec<Row> {
    let observed: Value = serde_json::from_str(include_str!("observed.json")).unwrap();
    let rows = observed["rows"].as_array().unwrap().iter();
    let row = |row: &Value| Row {
        body: row["body"].as_str().unwrap().to_owned(),
        yaml: row["yaml"].clone(),
        gray_matter: row["gray_matter"].clone(),
        rejected: row["refused"].as_bool().unwrap(),
    };
    rows.map(row).collect()
}

/// Whether a host with the value `theirs` considers it equal to the listed one. Numbers compare as in JavaScript.
fn is_same(listed: &Value, theirs: &Value) -> bool {
    match (listed, theirs) {
        (Value::String(_), Value::Object(special)) => special.get("!").is_some_and(|word| word == "same instant"),
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| is_same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let has = |(key, value): (&String, &Value)| right.get(key).is_some_and(|other| is_same(value, other));
            left.len() == right.len() && left.iter().all(has)
        }
        (left, right) => left == right,
    }
}

/// Whether the lint is about hosts that read another value.
fn is_about_reading(kind: &LintKind) -> bool {
    match kind {
        LintKind::Differs { .. } | LintKind::Fence | LintKind::Instant | LintKind::Layout { .. } => true,
        LintKind::Key { here, there } => here != there,
        _ => false,
    }
}

#[test]
fn c7_exactly_the_marked_rows_are_rejected() {
    let rows = rows();
    assert!(rows.len() > 100);
    for row in rows {
        let outcome = Frontmatter::parse(file(&row.body).as_bytes());
        assert_eq!(outcome.is_err(), row.rejected, "{:?}: {outcome:?}", row.body);
    }
}

#[test]
fn c7_listed_values_are_those_that_the_conformance_suite_reads() {
    for row in rows().iter().filter(|row| !row.rejected) {
        let listed: Value = serde_json::from_str(&json(&row.body)).unwrap();
        // The only row that npm `yaml` rejects against the specification.
        if row.yaml["!"] == "error" {
            assert_eq!(row.body, "v: a\n\t\n  b");
        } else {
            assert!(is_same(&listed, &row.yaml), "{:?}: {listed} and {}", row.body, row.yaml);
        }
    }
}

#[test]
fn c7_a_lint_exists_exactly_where_the_host_reads_another_value() {
    for row in rows().iter().filter(|row| !row.rejected && row.yaml["!"] != "error") {
        let listed: Value = serde_json::from_str(&json(&row.body)).unwrap();
        let has_lint = super::kinds(&row.body).iter().any(is_about_reading);
        let is_read = is_same(&listed, &row.gray_matter);
        assert_eq!(has_lint, !is_read, "{:?}: {listed} and {}", row.body, row.gray_matter);
    }
}

#[test]
fn c7_rows_that_both_readers_reject_are_rejected() {
    for row in rows().iter().filter(|row| row.yaml["!"] == "error" && row.gray_matter["!"] == "error") {
        assert!(row.rejected, "{:?}", row.body);
    }
}
