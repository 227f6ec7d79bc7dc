//! Debian's packages, where CI runs for everyone and may install them. A developer's machine is the developer's to change.

use std::env;

use crate::process::{Failure, Outcome, capture, execute};
use crate::project::Project;
use crate::tools;

/// Installs a package in CI; anywhere else it fails with what to do.
pub(crate) fn install(project: &Project, package: &str) -> Outcome {
    let in_ci = env::var("CI").is_ok_and(|value| value == "true");
    let is_root = capture(project.command("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    if !in_ci || !is_root || !tools::has(project, "apt-get", &["--version"]) {
        return Err(Failure::new(format!("`{package}` is not installed: run `apt-get install {package}` as root")));
    }
    execute(project.command("apt-get").args(["update", "-qq"]))?;
    let mut install = project.command("apt-get");
    install.args(["install", "-y", "-qq", "--no-install-recommends", package]);
    execute(install.env("DEBIAN_FRONTEND", "noninteractive"))
}
