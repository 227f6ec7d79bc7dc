//! The project's machinery, as `cargo xtask …`: all of CI in one command, and what else needs more than cargo.
//!
//! The structural rules are `#[test]`s in `rules`, so that plain `cargo test` runs them too. Nothing here is shipped.

mod bench;
mod browser;
mod cases;
mod ci;
mod debian;
mod deny;
mod dependencies;
mod exports;
mod features;
mod folders;
mod fuzz;
#[cfg(test)]
mod imports;
mod install;
mod need;
mod packages;
#[cfg(test)]
mod pages;
mod process;
mod project;
mod proxy;
mod public_api;
#[cfg(test)]
mod rules;
mod soak;
#[cfg(test)]
mod source;
mod statements;
mod tests_run;
mod tools;

use std::env;
use std::process::ExitCode;

use crate::process::{Failure, Outcome};
use crate::project::Project;

const USAGE: &str = "\
cargo xtask ci [--install] [STEP…]         all of CI, or only the named steps; installs what they need if told to
cargo xtask steps                          the names of the steps
cargo xtask statements                     which statements of the wire contract lack a test
cargo xtask dependencies                   counts, duplicates, licences
cargo xtask public-api                     the public items against docs/public-api; `UPDATE=1` writes it anew
cargo xtask fuzz [--seconds N] [TARGET…]   coverage-guided fuzzing; needs nightly and cargo-fuzz
cargo xtask soak [--secs N] [--seed N]     a server under a mixed load: memory, descriptors, every answer
cargo xtask memory                         the memory that a server's settings allow, reached on purpose
cargo xtask bench [ARGUMENT…]              the engine, the server beside its floor and its peers, memory, instructions";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("", &[][..]),
    };
    match run(&Project::find(), command, rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\n{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(project: &Project, command: &str, rest: &[String]) -> Outcome {
    match command {
        "ci" => ci::run(project, rest),
        "steps" => {
            ci::list();
            Ok(())
        }
        "statements" => statements::run(project),
        "dependencies" => dependencies::run(project),
        "public-api" => public_api::run(project),
        "fuzz" => fuzz::guided(project, rest),
        "soak" => soak::run(project, rest),
        "memory" => soak::memory(project),
        "bench" => bench::run(project, rest),
        _ => Err(Failure::new(format!("usage:\n{USAGE}"))),
    }
}
