//! Every numbered statement of the wire contract has a test that carries its number: `fn w5_3_…` for W5.3.
//!
//! `tests/statements.txt` has one statement a line. `waits: …` behind it says for what: such a statement may lack its
//! test. Where the contract stands beside the repository, the list must be exactly its statements.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{Failure, Outcome};
use crate::project::Project;

const LIST: &str = "tests/statements.txt";
const CONTRACT: &str = "contracts/wire.md";
const FOLDERS: [&str; 4] = ["crates", "fuzz", "src", "tests"];
/// Of what is below them, not ours.
const FOREIGN: [&str; 4] = ["node_modules", "target", ".venv", "corpus"];

/// A statement's number, as (5, 3) for W5.3.
type Number = (u32, u32);

/// What became of the statements.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Report {
    pub(crate) problems: Vec<String>,
    tested: usize,
    waiting: Vec<String>,
}

pub(crate) fn run(project: &Project) -> Outcome {
    let Report { problems, tested, waiting } = report(project)?;
    println!("{tested} statements have a test, {} wait without one:", waiting.len());
    for line in waiting {
        println!("  {line}");
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Failure::new(problems.join("\n")).or_repeat("cargo xtask statements"))
    }
}

pub(crate) fn report(project: &Project) -> Outcome<Report> {
    let list = read(&project.path(LIST))?;
    let contract = project.shared(CONTRACT).map(|path| read(&path)).transpose()?;
    let mut tests = BTreeMap::new();
    for folder in FOLDERS {
        collect(&project.path(folder), &mut tests)?;
    }
    Ok(compare(&list, contract.as_deref(), &tests))
}

fn read(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

fn compare(list: &str, contract: Option<&str>, tests: &BTreeMap<Number, String>) -> Report {
    let mut report = Report::default();
    let rows: Vec<(Number, Option<&str>)> = list.lines().filter_map(row).collect();
    if let Some(contract) = contract {
        let stated: Vec<Number> = contract.lines().filter_map(|line| number(line.split(' ').next()?)).collect();
        report.problems.extend(differences(&rows, &stated));
    }
    for &(number @ (section, place), waits) in &rows {
        match (tests.contains_key(&number), waits) {
            (true, _) => report.tested += 1,
            (false, Some(what)) => report.waiting.push(format!("W{section}.{place} waits: {what}")),
            (false, None) => {
                report.problems.push(format!("W{section}.{place} has no test `fn w{section}_{place}_…`"));
            }
        }
    }
    let unknown = tests.iter().filter(|(number, _)| !rows.iter().any(|row| row.0 == **number));
    report.problems.extend(unknown.map(|(_, name)| format!("`fn {name}` names no statement of {LIST}")));
    report
}

fn differences(rows: &[(Number, Option<&str>)], stated: &[Number]) -> Vec<String> {
    let listed: Vec<Number> = rows.iter().map(|row| row.0).collect();
    let lacking = stated.iter().filter(|number| !listed.contains(number));
    let lacking = lacking.map(|(section, place)| format!("{LIST} lacks W{section}.{place} of the contract"));
    let surplus = listed.iter().filter(|number| !stated.contains(number));
    let surplus = surplus.map(|(section, place)| format!("W{section}.{place} of {LIST} is not in the contract"));
    lacking.chain(surplus).collect()
}

/// Reads `W5.8 waits: legacy sessions`.
fn row(line: &str) -> Option<(Number, Option<&str>)> {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    Some((number(name)?, rest.trim().strip_prefix("waits:").map(str::trim)))
}

fn number(word: &str) -> Option<Number> {
    let (section, place) = word.strip_prefix('W')?.split_once('.')?;
    Some((section.parse().ok()?, place.parse().ok()?))
}

fn collect(folder: &Path, tests: &mut BTreeMap<Number, String>) -> Outcome {
    let unreadable = |error| Failure::new(format!("{}: {error}", folder.display()));
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path: PathBuf = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !FOREIGN.contains(&&*name) {
            collect(&path, tests)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            tests.extend(tests_in(&read(&path)?));
        }
    }
    Ok(())
}

/// The tests of a file that are named for a statement: a function with such a name below a `test` attribute, or a row of
/// the table that a test without a harness runs (`("w7_5_…", w7_5_…),`).
fn tests_in(text: &str) -> Vec<(Number, String)> {
    let mut found = Vec::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        let declared = line.trim_start_matches("pub ").trim_start_matches("async ").strip_prefix("fn ");
        match declared {
            Some(declared) => {
                let name = declared.split(['(', '<']).next().unwrap_or_default();
                found.extend(named(name).filter(|_| is_test).map(|number| (number, name.to_owned())));
                is_test = false;
            }
            None if line.starts_with("(\"w") => {
                let name = line.split('"').nth(1).unwrap_or_default();
                found.extend(named(name).map(|number| (number, name.to_owned())));
            }
            None if line.starts_with("#[") => is_test |= line.contains("test"),
            None if line.is_empty() || line.starts_with("//") => {}
            None => is_test = false,
        }
    }
    found
}

/// Reads `w5_3_what_holds`.
fn named(name: &str) -> Option<Number> {
    let (section, rest) = name.strip_prefix('w')?.split_once('_')?;
    let (place, _) = rest.split_once('_')?;
    Some((section.parse().ok()?, place.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{compare, report, tests_in};
    use crate::project::Project;

    #[test]
    fn every_statement_has_a_test() {
        let report = report(&Project::find()).unwrap();
        assert!(report.problems.is_empty(), "{}", report.problems.join("\n"));
    }

    #[test]
    fn only_functions_with_a_test_attribute_and_rows_of_a_table_count() {
        let text = "#[test]\nfn w1_2_a() {\n}\nfn w1_3_b() {}\n#[tokio::test]\nasync fn w10_4_c() {}\n#[test]\nfn word_a() {}\n(\"w7_5_d\", w7_5_d),";
        let found = tests_in(text);
        let numbers: Vec<_> = found.iter().map(|test| test.0).collect();
        assert_eq!(numbers, [(1, 2), (10, 4), (7, 5)]);
    }

    #[test]
    fn a_missing_test_is_a_problem_unless_its_statement_waits() {
        let tests = [((1, 1), "w1_1_a".to_owned()), ((7, 7), "w7_7_b".to_owned())].into();
        let found = compare("W1.1\nW1.2\nW1.3 waits: tools\n", None, &tests);
        assert_eq!(found.tested, 1);
        assert_eq!(found.waiting, ["W1.3 waits: tools"]);
        assert_eq!(found.problems.len(), 2, "{:?}", found.problems);
    }

    #[test]
    fn the_list_is_that_of_the_contract() {
        let contract = "Text.\nW1.1 One.\nW1.2 Two, see W3.3.\n";
        let tests = [((1, 1), "w1_1_a".to_owned()), ((1, 3), "w1_3_b".to_owned())].into();
        assert_eq!(compare("W1.1\nW1.3\n", Some(contract), &tests).problems.len(), 2);
    }
}
