//! The fuzz targets, in two ways: over their seeds and many mutations of them on any toolchain, and guided by coverage
//! where nightly and cargo-fuzz are.

use std::process::Command;

use crate::process::{Failure, Outcome, execute, runs};
use crate::project::Project;

const TARGETS: [&str; 11] =
    ["answer", "batch", "message", "header", "proxy", "uri", "session", "skill", "pattern", "template", "token"];
const SECONDS: &str = "60";

/// Cargo in the fuzz package, which is a workspace of its own; it shares the target folder.
pub(crate) fn cargo(project: &Project, arguments: &str) -> Command {
    let (command, rest) = arguments.split_once(' ').unwrap_or((arguments, ""));
    let mut cargo = project.cargo(command);
    cargo.args(["--manifest-path", "fuzz/Cargo.toml", "--target-dir"]).arg(Project::target());
    cargo.args(rest.split_whitespace());
    cargo
}

/// Runs each target's function over its seeds and a fixed number of mutations: no coverage, any toolchain.
pub(crate) fn smoke(project: &Project) -> Outcome {
    execute(&mut cargo(project, "test --features libfuzzer -- --nocapture"))
}

/// Coverage-guided, each target for some seconds.
pub(crate) fn guided(project: &Project, arguments: &[String]) -> Outcome {
    if !runs(project.command("cargo").args(["+nightly", "fuzz", "--version"])) {
        let remedy = "rustup toolchain install nightly; cargo install cargo-fuzz --locked";
        return Err(Failure::new(format!("coverage-guided fuzzing needs nightly and cargo-fuzz: {remedy}")));
    }
    let (seconds, targets) = match arguments {
        [flag, seconds, targets @ ..] if flag == "--seconds" => (seconds.as_str(), targets),
        targets => (SECONDS, targets),
    };
    let named = |target: &&&str| targets.is_empty() || targets.iter().any(|name| name == **target);
    let chosen: Vec<_> = TARGETS.iter().filter(named).collect();
    if chosen.is_empty() || targets.len() > chosen.len() {
        return Err(Failure::new(format!("usage: cargo xtask fuzz [--seconds N] [{}]", TARGETS.join("|"))));
    }
    chosen.into_iter().try_for_each(|target| guide(project, target, seconds))
}

/// New inputs go to the ignored `fuzz/corpus`; the committed seeds are only read.
fn guide(project: &Project, target: &str, seconds: &str) -> Outcome {
    let corpus = project.path(&format!("fuzz/corpus/{target}"));
    std::fs::create_dir_all(&corpus).map_err(|error| Failure::new(format!("{}: {error}", corpus.display())))?;
    let mut command = project.cargo("+nightly fuzz run --features libfuzzer");
    command.args([target, &format!("fuzz/corpus/{target}"), &format!("fuzz/seeds/{target}"), "--"]);
    execute(command.arg(format!("-max_total_time={seconds}")).arg("-timeout=10"))
}
