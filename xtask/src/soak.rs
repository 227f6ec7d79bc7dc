//! The soak (`benches/soak`): a server under a mixed load, for a minute in CI and for as long as is asked by hand. Also the memory that its
//! settings allow (`benches/memory`), reached on purpose, which takes seconds.
//!
//! All sides are built as the server that is measured is, and of the same package, so that the two steps share what they
//! are made of.

use crate::process::{Outcome, execute};
use crate::project::Project;

const BUILD: &str = "build --package grange-benches --bin memory --bin soak --bin soak-server --profile dist";

/// The step of CI.
pub(crate) fn step(project: &Project) -> Outcome {
    execute(&mut project.cargo(BUILD))?;
    execute(&mut project.command(&built("memory")))?;
    soak(project, &[])
}

/// The soak with its own flags, as in `--secs 600 --seed 7`.
pub(crate) fn run(project: &Project, arguments: &[String]) -> Outcome {
    execute(&mut project.cargo(BUILD))?;
    soak(project, arguments)
}

/// The memory that the settings of a server allow.
pub(crate) fn memory(project: &Project) -> Outcome {
    execute(&mut project.cargo(BUILD))?;
    execute(&mut project.command(&built("memory")))
}

fn soak(project: &Project, arguments: &[String]) -> Outcome {
    let mut command = project.command(&built("soak"));
    execute(command.args(["--server", &built("soak-server")]).args(arguments))
}

fn built(name: &str) -> String {
    Project::target().join("dist").join(name).to_string_lossy().into_owned()
}
