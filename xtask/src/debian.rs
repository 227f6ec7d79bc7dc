//! How Debian's packages are installed.

use crate::process::{Failure, Outcome};
use crate::project::Project;
use crate::tools;

/// The commands that install these packages and nothing that they only recommend. Both need root.
pub(crate) fn commands(packages: &[&'static str]) -> Vec<Vec<&'static str>> {
    let install = ["apt-get", "install", "-y", "--no-install-recommends"];
    vec![vec!["apt-get", "update"], [&install, packages].concat()]
}

/// Whether this system has Debian's packages.
pub(crate) fn is_there(project: &Project) -> Outcome {
    if tools::has(project, "apt-get", &["--version"]) {
        return Ok(());
    }
    Err(Failure::new("this system has no apt-get: install what is missing with its own package manager"))
}
