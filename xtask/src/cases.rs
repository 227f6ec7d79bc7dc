//! The black-box cases that stand beside the repository, against the `fixture` example.
//!
//! A case is skipped when the fixture says (by its exit status) that it does not offer a flag yet. Which ones are skipped,
//! and which ones fail, is pinned here: a case that begins or ceases to do either is a change to this file.

use std::env;

use crate::process::{Failure, Outcome, run_lines};
use crate::project::Project;

/// The cases that need a flag which the fixture does not offer yet, in the runner's order: C… `--live`, L… `--living`,
/// `--rows` or `--dir`, P… `--asking`.
#[rustfmt::skip]
const SKIPPED: &[&str] = &[
    "C30", "C31", "C36", "C38", "C39",
    "L01", "L02", "L03", "L04", "L05", "L06", "L07", "L08", "L09", "L10", "L11", "L12", "L13", "L14", "L15", "L16",
    "P01", "P02", "P03", "P04", "P05", "P06", "P07", "P08", "P09", "P10", "P11", "P12", "P13", "P14", "P15", "P16",
];

/// The cases that fail today, in any order. The list only gets shorter.
const FAILING: &[&str] = &[];

/// The examples that cases start beside the fixture. The runner skips such a case where its example is not built.
const EXAMPLES: &[&str] = &["apps", "docs", "fixture", "skills"];

pub(crate) fn run(project: &Project) -> Outcome {
    let Some(runner) = project.shared("cases/run.py") else {
        let remedy = "put the folder `shared` beside the repository, or pass --without-cases";
        return Err(Failure::new(format!("not run: the cases are not at ../shared/cases: {remedy}")));
    };
    for example in EXAMPLES {
        if !project.path(&Project::example(example)).exists() {
            return Err(Failure::new(format!("example `{example}` is not built: run `cargo xtask ci examples` first")));
        }
    }
    let fixture = Project::example("fixture");
    let mut command = project.command("python3");
    command.arg(runner);
    command.args(["--http-cmd", &format!("{fixture} --http {{addr}}")]);
    command.args(["--stdio-cmd", &format!("{fixture} --stdio")]);
    // A debug build takes its time to name the frames of a panic, and a case waits for the answer.
    command.env("RUST_BACKTRACE", "0");
    let mut lines = Vec::new();
    let ended = run_lines(&mut command, |line| {
        println!("{line}");
        lines.push(line.to_owned());
    });
    // The runner fails when a case does. Which ones may is for `judge` to say.
    if FAILING.is_empty() {
        ended?;
    }
    judge(&lines, FAILING)
}

/// Where CI runs for everyone, nothing may be left out.
pub(crate) fn may_be_left_out() -> Outcome {
    if env::var("CI").is_ok_and(|value| value == "true") {
        return Err(Failure::new("--without-cases is for a developer's machine: with CI=true every step runs"));
    }
    Ok(())
}

fn judge(lines: &[String], failing: &[&str]) -> Outcome {
    let [cases @ .., summary] = lines else {
        return Err(Failure::new("the runner printed nothing"));
    };
    let numbers: Vec<usize> = summary.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    let &[passed, failed, skipped] = numbers.as_slice() else {
        return Err(Failure::new(format!("the runner's last line is no summary: {summary:?}")));
    };
    let of = |status: &str| -> Vec<&str> {
        let words = cases.iter().map(|line| line.split_whitespace());
        words
            .filter_map(|mut words| Some((words.next()?, words.next()?)))
            .filter(|row| row.1 == status)
            .map(|row| row.0)
            .collect()
    };
    let found = of("skip");
    let mut failures = of("FAIL");
    failures.sort_unstable();
    let mut expected = failing.to_vec();
    expected.sort_unstable();
    if passed == 0 || passed != of("ok").len() || failed != failures.len() || skipped != found.len() {
        return Err(Failure::new(format!("the cases do not add up: {summary}")));
    }
    if failures != expected {
        return Err(Failure::new(format!("failed: {failures:?}\nexpected: {expected:?}, see xtask/src/cases.rs")));
    }
    if found != SKIPPED {
        return Err(Failure::new(format!("skipped: {found:?}\nexpected: {SKIPPED:?}, see xtask/src/cases.rs")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{SKIPPED, judge};

    fn report(skipped: &[&str], failed: &[&str], summary: &str) -> Vec<String> {
        let skips = skipped.iter().map(|id| format!("{id} skip  server does not offer --live"));
        let failures = failed.iter().map(|id| format!("{id} FAIL  http: expected a result"));
        std::iter::once("C01 ok  fine".to_owned()).chain(skips).chain(failures).chain([summary.to_owned()]).collect()
    }

    #[test]
    fn only_the_pinned_cases_may_be_skipped() {
        let summary = format!("1 passed, 0 failed, {} skipped", SKIPPED.len());
        assert!(judge(&report(SKIPPED, &[], &summary), &[]).is_ok());
        assert!(judge(&report(&["C01"], &[], "1 passed, 0 failed, 1 skipped"), &[]).is_err());
        assert!(judge(&report(SKIPPED, &[], "Traceback"), &[]).is_err());
        assert!(judge(&[], &[]).is_err());
    }

    #[test]
    fn exactly_the_pinned_cases_fail() {
        let summary = format!("1 passed, 2 failed, {} skipped", SKIPPED.len());
        let failed = report(SKIPPED, &["C76", "C59"], &summary);
        assert!(judge(&failed, &["C59", "C76"]).is_ok());
        assert!(judge(&failed, &["C59"]).is_err());
        assert!(judge(&failed, &["C59", "C61", "C76"]).is_err());
        assert!(judge(&report(SKIPPED, &["C59"], &summary), &["C59"]).is_err());
    }
}
