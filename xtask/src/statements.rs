//! Every numbered statement of the contracts has a test that carries its number: `fn w5_3_…` for W5.3 of the wire, `fn
//! a2_1_…` and `fn b2_4_…` for what a host requires and what is offered to its servers.
//!
//! `tests/statements.txt` has one statement a line, exactly those of `docs/contract`. `waits: …` behind it says for what:
//! such a statement may lack its test. Where another copy of the contract stands beside the repository, what differs is
//! said.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{Failure, Outcome};
use crate::project::Project;

const LIST: &str = "tests/statements.txt";
const CONTRACT: &str = "docs/contract";
/// The pages of it that have numbered statements.
const PAGES: [&str; 5] = ["wire.md", "host.md", "live.md", "asking.md", "scale.md"];
const FOLDERS: [&str; 4] = ["crates", "fuzz", "src", "tests"];
/// Of what is below them, not ours.
const FOREIGN: [&str; 4] = ["node_modules", "target", ".venv", "corpus"];

/// Where the copies of the contract say that their pages and the cases are.
const FOLDERS_NAMED: [&str; 4] = ["../", "contracts/", "tests/cases/", "cases/"];

/// A statement's number, as ('W', 5, 3) for W5.3.
type Number = (char, u32, u32);

/// The letters that statements begin with: the wire, what a host requires, what it offers, living resources, prompts and
/// asking the client, several replicas.
const PARTS: &str = "WABLPS";

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
    for line in other_copy(project)? {
        println!("../shared/contracts: {line}");
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Failure::new(problems.join("\n")).or_repeat("cargo xtask statements"))
    }
}

pub(crate) fn report(project: &Project) -> Outcome<Report> {
    let list = read(&project.path(LIST))?;
    let contracts = pages(&project.path(CONTRACT))?;
    let mut tests = BTreeMap::new();
    for folder in FOLDERS {
        collect(&project.path(folder), &mut tests)?;
    }
    Ok(compare(&list, &contracts, &tests))
}

fn pages(folder: &Path) -> Outcome<Vec<String>> {
    PAGES.iter().map(|page| read(&folder.join(page))).collect()
}

/// What differs in the contract beside the repository, if there is one.
fn other_copy(project: &Project) -> Outcome<Vec<String>> {
    let Some(folder) = project.shared("contracts") else { return Ok(Vec::new()) };
    let ours = project.path(CONTRACT);
    let added = added_pages(&ours, &folder)?;
    let changed = changes(&pages(&ours)?.join("\n\n"), &pages(&folder)?.join("\n\n"));
    Ok(added.into_iter().chain(changed).collect())
}

/// The pages that only the other copy has. Their words are compared statement by statement.
fn added_pages(ours: &Path, theirs: &Path) -> Outcome<Vec<String>> {
    let unreadable = |error| Failure::new(format!("{}: {error}", theirs.display()));
    let mut added = Vec::new();
    for entry in fs::read_dir(theirs).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        if !ours.join(&name).exists() {
            added.push(format!("{} is not in {CONTRACT}", name.to_string_lossy()));
        }
    }
    added.sort();
    Ok(added)
}

/// The statements that are not the same, word for word, in another copy of the contract.
fn changes(ours: &str, theirs: &str) -> Vec<String> {
    let (ours, theirs) = (texts(ours), texts(theirs));
    let changed = ours.iter().filter_map(|(number, text)| match theirs.get(number) {
        None => Some(format!("{} is only in {CONTRACT}", shown(*number))),
        Some(other) if other != text => Some(format!("{} reads otherwise", shown(*number))),
        Some(_) => None,
    });
    let added = theirs.keys().filter(|number| !ours.contains_key(*number));
    changed.chain(added.map(|number| format!("{} is not in {CONTRACT}", shown(*number)))).collect()
}

/// The words of each statement. It ends with its paragraph, a heading, a table or the next one. The folders of the pages and
/// of the cases that it names are no words of it.
fn texts(contract: &str) -> BTreeMap<Number, String> {
    let mut found = BTreeMap::new();
    let mut open = None;
    for line in contract.lines() {
        let begins = number(line.trim_start_matches("- ").split(' ').next().unwrap_or_default());
        if begins.is_some() {
            open = begins;
        } else if line.trim().is_empty() || line.starts_with(['#', '|']) {
            open = None;
        }
        if let Some(number) = open {
            let text: &mut String = found.entry(number).or_default();
            for word in line.split_whitespace() {
                let word = FOLDERS_NAMED.iter().fold(word.to_owned(), |word, folder| word.replace(folder, ""));
                text.push_str(&word);
                text.push(' ');
            }
        }
    }
    found
}

fn read(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

fn compare(list: &str, contracts: &[String], tests: &BTreeMap<Number, String>) -> Report {
    let mut report = Report::default();
    let rows: Vec<(Number, Option<&str>)> = list.lines().filter_map(row).collect();
    let stated: Vec<Number> = contracts.iter().flat_map(|contract| stated(contract)).collect();
    report.problems.extend(differences(&rows, &stated));
    for &(number, waits) in &rows {
        match (tests.contains_key(&number), waits) {
            (true, _) => report.tested += 1,
            (false, Some(what)) => report.waiting.push(format!("{} waits: {what}", shown(number))),
            (false, None) => {
                let (part, section, place) = number;
                let name = format!("{}{section}_{place}_", part.to_ascii_lowercase());
                report.problems.push(format!("{} has no test `fn {name}…`", shown(number)));
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
    let lacking = lacking.map(|number| format!("{LIST} lacks {} of {CONTRACT}", shown(*number)));
    let surplus = listed.iter().filter(|number| !stated.contains(number));
    let surplus = surplus.map(|number| format!("{} of {LIST} is not in {CONTRACT}", shown(*number)));
    lacking.chain(surplus).collect()
}

fn shown((part, section, place): Number) -> String {
    format!("{part}{section}.{place}")
}

/// The numbers of a contract: at the start of a line, of a point, or of a place in the section that is all a list.
fn stated(contract: &str) -> Vec<Number> {
    let mut found = Vec::new();
    let mut list = None;
    for line in contract.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            list = heading.starts_with("B7.").then_some(('B', 7));
        }
        let word = line.trim_start_matches("- ").split(' ').next().unwrap_or_default();
        let place = word.strip_suffix('.').and_then(|place| place.parse().ok());
        found.extend(number(word));
        found.extend(list.zip(place).map(|((part, section), place)| (part, section, place)));
    }
    found
}

/// Reads `W5.8 waits: legacy sessions`.
fn row(line: &str) -> Option<(Number, Option<&str>)> {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    Some((number(name)?, rest.trim().strip_prefix("waits:").map(str::trim)))
}

fn number(word: &str) -> Option<Number> {
    let part = word.chars().next().filter(|part| PARTS.contains(*part))?;
    let (section, place) = word.strip_prefix(part)?.split_once('.')?;
    Some((part, section.parse().ok()?, place.parse().ok()?))
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
            None if line.starts_with("(\"") => {
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
    let part = name.chars().next()?.to_ascii_uppercase();
    let (section, rest) = name.get(1..).filter(|_| PARTS.contains(part))?.split_once('_')?;
    let (place, _) = rest.split_once('_')?;
    Some((part, section.parse().ok()?, place.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{changes, compare, report, tests_in};
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
        assert_eq!(numbers, [('W', 1, 2), ('W', 10, 4), ('W', 7, 5)]);
    }

    #[test]
    fn a_missing_test_is_a_problem_unless_its_statement_waits() {
        let tests = [(('W', 1, 1), "w1_1_a".to_owned()), (('W', 7, 7), "w7_7_b".to_owned())].into();
        let contract = "W1.1 One.\nW1.2 Two.\nW1.3 Three.\n".to_owned();
        let found = compare("W1.1\nW1.2\nW1.3 waits: tools\n", &[contract], &tests);
        assert_eq!(found.tested, 1);
        assert_eq!(found.waiting, ["W1.3 waits: tools"]);
        assert_eq!(found.problems.len(), 2, "{:?}", found.problems);
    }

    #[test]
    fn the_list_is_that_of_the_contract() {
        let wire = "Text.\nW1.1 One.\nW1.2 Two, see W3.3.\n".to_owned();
        let host = "### A2. Text\n- A2.1 One.\n1. No statement.\n### B7. Text\n1. Seven.\n".to_owned();
        let name = |part: char| format!("{}1_1_a", part.to_ascii_lowercase());
        let tests = [('W', 1, 1), ('W', 1, 3), ('A', 2, 1), ('B', 7, 1)].map(|number| (number, name(number.0))).into();
        let found = compare("W1.1\nW1.3\nA2.1\nB7.1\n", &[wire, host], &tests);
        assert_eq!(found.problems.len(), 2, "{:?}", found.problems);
    }

    #[test]
    fn another_copy_is_compared_statement_by_statement() {
        let ours = "W1.1 One\nand more, host.md A2.9.\nW1.2 Two.\n\nText.\n- L3.4 See `tests/cases/a.py`.\n";
        let same = "Other text.\n\nW1.1 One and\nmore, contracts/host.md A2.9.\nW1.2 Two.\n## 2\nText!\n- L3.4 See `../cases/a.py`.\n| a |\n";
        assert!(changes(ours, same).is_empty(), "{:?}", changes(ours, same));
        let newer = "W1.1 One and less.\nW1.2 Two.\nW1.3 Three.\n";
        let expected = ["L3.4 is only in docs/contract", "W1.1 reads otherwise", "W1.3 is not in docs/contract"];
        assert_eq!(changes(ours, newer), expected);
    }
}
