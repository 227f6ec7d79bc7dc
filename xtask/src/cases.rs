//! The black-box cases (`tests/cases`) against the `fixture` example.
//!
//! A case is skipped when the fixture says (by its exit status) that it does not offer a flag yet. Which ones are skipped,
//! and which ones fail, is pinned here: a case that begins or ceases to do either is a change to this file.
//!
//! Where a newer copy of the cases stands beside the repository, both are run, and what is new is asked for.

use std::path::Path;

use crate::folders::{Files, differences};
use crate::process::{Failure, Outcome, run_lines};
use crate::project::Project;

/// The cases that need a flag which the fixture does not offer yet, in the runner's order: P…
/// `--asking`.
#[rustfmt::skip]
const SKIPPED: &[&str] = &[
    "P01", "P02", "P03", "P04", "P05", "P06", "P07", "P08", "P09", "P10", "P11", "P12", "P13", "P14", "P15", "P16",
];

/// The cases that fail today, in any order. The list only gets shorter.
const FAILING: &[&str] = &[];

/// The examples that cases start beside the fixture. The runner skips such a case where its example is not built.
const EXAMPLES: &[&str] = &["apps", "docs", "fixture", "skills"];

const OURS: &str = "tests/cases";
const THEIRS: &str = "../shared/cases";

pub(crate) fn run(project: &Project) -> Outcome {
    for example in EXAMPLES {
        if !project.path(&Project::example(example)).exists() {
            return Err(Failure::new(format!("example `{example}` is not built: run `cargo xtask ci examples` first")));
        }
    }
    let folder = project.path(OURS);
    let other = match project.shared("cases") {
        Some(other) => {
            let different = differences(&Files::read(&folder)?, &Files::read(&other)?);
            (!different.is_empty()).then_some((other, different))
        }
        None => None,
    };
    let ours = run_copy(project, &folder)?;
    let mut problems = judge(&ours, SKIPPED, FAILING);
    if let Some((folder, different)) = other {
        println!("\n{THEIRS} differs from {OURS}, both are run: {}", different.join(", "));
        let theirs = run_copy(project, &folder)?;
        problems.extend(judge_other(&ours, &theirs, SKIPPED, FAILING));
    }
    if problems.is_empty() { Ok(()) } else { Err(Failure::new(problems.join("\n"))) }
}

/// Runs the cases of a folder. What the runner thinks of its cases is for `judge`.
fn run_copy(project: &Project, folder: &Path) -> Outcome<Report> {
    let fixture = Project::example("fixture");
    let mut command = project.command("python3");
    command.arg(folder.join("run.py"));
    command.args(["--http-cmd", &format!("{fixture} --http {{addr}}")]);
    command.args(["--stdio-cmd", &format!("{fixture} --stdio")]);
    // A debug build takes its time to name the frames of a panic, and a case waits for the answer.
    command.env("RUST_BACKTRACE", "0");
    let mut lines = Vec::new();
    let ended = run_lines(&mut command, |line| {
        println!("{line}");
        lines.push(line.to_owned());
    });
    let report = Report::read(&lines)?;
    // The runner fails when a case does, and only then.
    if report.of("FAIL").is_empty() {
        ended?;
    }
    Ok(report)
}

/// What a run came to: each case with its status, in the runner's order.
#[derive(Debug)]
struct Report {
    rows: Vec<(String, String)>,
}

impl Report {
    /// Reads the runner's lines, `C01 ok|FAIL|skip  reason`, and its last, `N passed, M failed, K skipped`.
    fn read(lines: &[String]) -> Outcome<Self> {
        let [cases @ .., summary] = lines else {
            return Err(Failure::new("the runner printed nothing"));
        };
        let numbers: Vec<usize> = summary.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
        let &[passed, failed, skipped] = numbers.as_slice() else {
            return Err(Failure::new(format!("the runner's last line is no summary: {summary:?}")));
        };
        let words = cases.iter().map(|line| line.split_whitespace());
        let rows = words.filter_map(|mut words| Some((words.next()?.to_owned(), words.next()?.to_owned()))).collect();
        let report = Self { rows };
        let counted = ["ok", "FAIL", "skip"].map(|status| report.of(status).len());
        if passed == 0 {
            return Err(Failure::new(format!("no case passed: {summary}")));
        }
        if counted != [passed, failed, skipped] {
            return Err(Failure::new(format!("the cases do not add up: {summary}")));
        }
        Ok(report)
    }

    fn of(&self, status: &str) -> Vec<&str> {
        self.rows.iter().filter(|row| row.1 == status).map(|row| row.0.as_str()).collect()
    }

    fn has(&self, case: &str) -> bool {
        self.rows.iter().any(|row| row.0 == case)
    }

    /// Without the cases that `other` has not.
    fn known_to(&self, other: &Self) -> Self {
        Self { rows: self.rows.iter().filter(|row| other.has(&row.0)).cloned().collect() }
    }
}

/// What differs from the pinned lists.
fn judge(report: &Report, skipped: &[&str], failing: &[&str]) -> Vec<String> {
    let mut failed = report.of("FAIL");
    failed.sort_unstable();
    let mut expected = failing.to_vec();
    expected.sort_unstable();
    let mut problems = Vec::new();
    if failed != expected {
        problems.push(format!("failed: {failed:?}\nexpected: {expected:?}, see xtask/src/cases.rs"));
    }
    let found = report.of("skip");
    if found != skipped {
        problems.push(format!("skipped: {found:?}\nexpected: {skipped:?}, see xtask/src/cases.rs"));
    }
    problems
}

/// The same of a copy that stands beside the repository: the cases that both have are judged by the same lists, and those
/// that only it has are named.
fn judge_other(ours: &Report, theirs: &Report, skipped: &[&str], failing: &[&str]) -> Vec<String> {
    fn kept<'a>(list: &[&'a str], theirs: &Report) -> Vec<&'a str> {
        list.iter().copied().filter(|case| theirs.has(case)).collect()
    }
    let problems = judge(&theirs.known_to(ours), &kept(skipped, theirs), &kept(failing, theirs));
    let mut problems: Vec<String> = problems.into_iter().map(|problem| format!("{THEIRS}: {problem}")).collect();
    let new = theirs.rows.iter().filter(|row| !ours.has(&row.0));
    let new: Vec<String> = new.map(|(case, status)| format!("{case} ({status})")).collect();
    if !new.is_empty() {
        let remedy = format!("copy it to {OURS} and add it to the lists of xtask/src/cases.rs");
        problems.push(format!("only {THEIRS} has {}: {remedy}", new.join(", ")));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::{Report, SKIPPED, judge, judge_other};

    fn lines(skipped: &[&str], failed: &[&str], summary: &str) -> Vec<String> {
        let skips = skipped.iter().map(|id| format!("{id} skip  server does not offer --live"));
        let failures = failed.iter().map(|id| format!("{id} FAIL  http: expected a result"));
        std::iter::once("C01 ok  fine".to_owned()).chain(skips).chain(failures).chain([summary.to_owned()]).collect()
    }

    fn report(skipped: &[&str], failed: &[&str]) -> Report {
        let summary = format!("1 passed, {} failed, {} skipped", failed.len(), skipped.len());
        Report::read(&lines(skipped, failed, &summary)).unwrap()
    }

    #[test]
    fn only_the_pinned_cases_may_be_skipped() {
        assert!(judge(&report(SKIPPED, &[]), SKIPPED, &[]).is_empty());
        assert_eq!(judge(&report(&["C02"], &[]), SKIPPED, &[]).len(), 1);
        assert_eq!(judge(&report(&[], &[]), &["C02"], &[]).len(), 1);
    }

    #[test]
    fn exactly_the_pinned_cases_fail() {
        let failed = report(&[], &["C76", "C59"]);
        assert!(judge(&failed, &[], &["C59", "C76"]).is_empty());
        assert_eq!(judge(&failed, &[], &["C59"]).len(), 1);
        assert_eq!(judge(&failed, &[], &["C59", "C61", "C76"]).len(), 1);
    }

    #[test]
    fn what_does_not_add_up_is_no_report() {
        for summary in ["Traceback", "1 passed, 0 failed, 0 skipped", "2 passed, 0 failed, 1 skipped"] {
            assert!(Report::read(&lines(&["C02"], &[], summary)).is_err(), "{summary}");
        }
        assert!(Report::read(&[]).is_err());
        assert!(Report::read(&["0 passed, 0 failed, 0 skipped".to_owned()]).is_err());
    }

    #[test]
    fn a_case_that_only_the_other_copy_has_is_named() {
        let ours = report(&["C02"], &["C03"]);
        let theirs = report(&["C02", "C91"], &["C03", "C90"]);
        let problems = judge_other(&ours, &theirs, &["C02"], &["C03"]);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains("C91 (skip), C90 (FAIL): copy it to tests/cases and add it"), "{problems:?}");
    }

    #[test]
    fn the_other_copy_is_judged_by_the_same_lists() {
        let ours = report(&["C02", "C05"], &["C03"]);
        assert!(judge_other(&ours, &report(&["C02", "C05"], &["C03"]), &["C02", "C05"], &["C03"]).is_empty());
        // A case that it has not is none of its failures.
        assert!(judge_other(&ours, &report(&["C02"], &[]), &["C02", "C05"], &["C03"]).is_empty());
        let problems = judge_other(&ours, &report(&["C03", "C05"], &["C02"]), &["C02", "C05"], &["C03"]);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems.iter().all(|problem| problem.starts_with("../shared/cases: ")), "{problems:?}");
    }
}
