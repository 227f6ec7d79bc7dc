//! The black-box cases that stand beside the repository, against the `fixture` example.
//!
//! A case is skipped when the fixture says (by its exit status) that it does not offer a flag yet. Which ones are is
//! pinned here: a case that begins or ceases to be skipped is a change to this file.

use std::env;

use crate::process::{Failure, Outcome, run_lines};
use crate::project::Project;

/// They need `--live`.
const SKIPPED: &[&str] = &["C30", "C31", "C36", "C38", "C39"];

pub(crate) fn run(project: &Project) -> Outcome {
    let Some(runner) = project.shared("cases/run.py") else {
        let remedy = "put the folder `shared` beside the repository, or pass --without-cases";
        return Err(Failure::new(format!("not run: the cases are not at ../shared/cases: {remedy}")));
    };
    let fixture = Project::example("fixture");
    let mut command = project.command("python3");
    command.arg(runner);
    command.args(["--http-cmd", &format!("{fixture} --http {{addr}}")]);
    command.args(["--stdio-cmd", &format!("{fixture} --stdio")]);
    // A debug build takes its time to name the frames of a panic, and a case waits for the answer.
    command.env("RUST_BACKTRACE", "0");
    let mut lines = Vec::new();
    run_lines(&mut command, |line| {
        println!("{line}");
        lines.push(line.to_owned());
    })?;
    judge(&lines)
}

/// Where CI runs for everyone, nothing may be left out.
pub(crate) fn may_be_left_out() -> Outcome {
    if env::var("CI").is_ok_and(|value| value == "true") {
        return Err(Failure::new("--without-cases is for a developer's machine: with CI=true every step runs"));
    }
    Ok(())
}

fn judge(lines: &[String]) -> Outcome {
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
    if failed > 0 || passed == 0 || passed != of("ok").len() || skipped != found.len() {
        return Err(Failure::new(format!("the cases do not hold, or do not add up: {summary}")));
    }
    if found != SKIPPED {
        return Err(Failure::new(format!("skipped: {found:?}\nexpected: {SKIPPED:?}, see xtask/src/cases.rs")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{SKIPPED, judge};

    fn report(skipped: &[&str], summary: &str) -> Vec<String> {
        let skips = skipped.iter().map(|id| format!("{id} skip  server does not offer --live"));
        std::iter::once("C01 ok  fine".to_owned()).chain(skips).chain([summary.to_owned()]).collect()
    }

    #[test]
    fn only_the_pinned_cases_may_be_skipped() {
        let summary = format!("1 passed, 0 failed, {} skipped", SKIPPED.len());
        assert!(judge(&report(SKIPPED, &summary)).is_ok());
        assert!(judge(&report(&["C01"], "1 passed, 0 failed, 1 skipped")).is_err());
        assert!(judge(&report(SKIPPED, "1 passed, 1 failed, 0 skipped")).is_err());
        assert!(judge(&report(SKIPPED, "Traceback")).is_err());
        assert!(judge(&[]).is_err());
    }
}
