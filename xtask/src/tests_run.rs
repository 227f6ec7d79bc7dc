//! The tests of the workspace. What passed is counted, not listed; a test that was ignored is a failure.

use crate::process::{Failure, Outcome, run_lines};
use crate::project::Project;

/// Every test of every package, doctests included. The structural rules are among them.
pub(crate) fn workspace(project: &Project) -> Outcome {
    run(project, "test --workspace --no-fail-fast")
}

/// The engine and the transports with their optional parts switched off. Doctests may be about those parts.
pub(crate) fn bare(project: &Project) -> Outcome {
    let packages = "--package grange-core --package grange-http --package grange-stdio";
    run(project, &format!("test {packages} --no-default-features --lib --tests"))
}

/// `cargo test` with its lines for passed tests left out and its closing lines summed up.
pub(crate) fn run(project: &Project, arguments: &str) -> Outcome {
    let mut sum = Sum::default();
    let outcome = run_lines(&mut project.cargo(arguments), |line| {
        if let Some(closing) = line.strip_prefix("test result: ") {
            sum.add(closing);
        }
        if is_worth_showing(line) {
            println!("{line}");
        }
    });
    let Sum { passed, failed, ignored, binaries } = sum;
    println!("{passed} passed, {failed} failed, {ignored} ignored in {binaries} test binaries");
    outcome?;
    match (passed, ignored) {
        (0, _) => Err(Failure::new("no test ran, which proves nothing")),
        (_, 0) => Ok(()),
        _ => Err(Failure::new("ignored tests: a test that cannot run is removed or mended")),
    }
}

fn is_worth_showing(line: &str) -> bool {
    !(line.is_empty() || line.starts_with("test ") && line.ends_with("... ok") || line.starts_with("running "))
}

#[derive(Debug, Default, Eq, PartialEq)]
struct Sum {
    passed: u64,
    failed: u64,
    ignored: u64,
    binaries: u64,
}

impl Sum {
    /// Takes in a closing line, as in `ok. 3 passed; 0 failed; 0 ignored; …`.
    fn add(&mut self, closing: &str) {
        let words: Vec<&str> = closing.split([' ', ';']).filter(|word| !word.is_empty()).collect();
        let count = |what: &str| -> u64 {
            let at = words.iter().position(|word| *word == what);
            at.and_then(|at| words.get(at.checked_sub(1)?)?.parse().ok()).unwrap_or(0)
        };
        self.passed += count("passed");
        self.failed += count("failed");
        self.ignored += count("ignored");
        self.binaries += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::Sum;

    #[test]
    fn closing_lines_are_summed_up() {
        let mut sum = Sum::default();
        sum.add("ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s");
        sum.add("FAILED. 10 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s");
        assert_eq!(sum, Sum { passed: 13, failed: 2, ignored: 1, binaries: 2 });
    }
}
