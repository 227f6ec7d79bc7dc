//! The soak (`benches/soak`): a server under a mixed load, for a minute in CI and for as long as is asked by hand.
//!
//! Both sides are built as the server that is measured is, and of the same package, so that the two steps share what they
//! are made of.

use crate::process::{Outcome, execute};
use crate::project::Project;

/// The step of CI.
pub(crate) fn step(project: &Project) -> Outcome {
    run(project, &[])
}

/// The same with the soak's own flags, as in `--secs 600 --seed 7`.
pub(crate) fn run(project: &Project, arguments: &[String]) -> Outcome {
    execute(&mut project.cargo("build --package grange-benches --bin soak --bin soak-server --profile dist"))?;
    let built = |name: &str| Project::target().join("dist").join(name).to_string_lossy().into_owned();
    let mut command = project.command(&built("soak"));
    execute(command.args(["--server", &built("soak-server")]).args(arguments))
}
