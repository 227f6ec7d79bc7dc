//! How Debian's packages are installed.

use crate::process::{Failure, Outcome, runs};
use crate::project::Project;

/// The commands that install these packages and nothing that they only recommend. Both need root.
pub(crate) fn commands(packages: &[&'static str]) -> Vec<Vec<&'static str>> {
    let install = ["apt-get", "install", "-y", "--no-install-recommends"];
    vec![vec!["apt-get", "update"], [&install, packages].concat()]
}

/// Whether this system has Debian's packages.
pub(crate) fn is_there(project: &Project) -> Outcome {
    if runs(project.command("apt-get").arg("--version")) {
        return Ok(());
    }
    Err(Failure::new("this system has no apt-get: install what is missing with its own package manager"))
}
