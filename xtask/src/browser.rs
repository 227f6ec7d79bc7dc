//! The `apps` and `browser` examples in a real browser: sets up what the lock files pin, runs `tests/browser`.
//!
//! Builds nothing: the step `examples` has. Playwright brings no browser of its own here, since its download is no
//! package that a lock file pins; the system's Chromium is used.

use std::fs;

use crate::need::{Find, NODE, NPM, Need, Source};
use crate::process::{Failure, Outcome, execute};
use crate::project::Project;
use crate::tools;

const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome"];
pub(crate) const CHROMIUM: Need =
    Need::new("chromium", Find::File { variable: "CHROMIUM", names: NAMES, folders: &[] }, Source::Debian("chromium"));
pub(crate) const NEEDS: &[&Need] = &[&NODE, &NPM, &CHROMIUM];
/// What drives the browser, and the page that users start.
const PACKAGES: [&str; 2] = ["tests/browser", "examples/browser"];
/// Beside what is installed: the lock file that it was installed from.
const STAMP: &str = "node_modules/.grange-stamp";

pub(crate) fn run(project: &Project) -> Outcome {
    PACKAGES.iter().try_for_each(|package| set_up(project, package))?;
    let mut command = project.command("node");
    command.args(["tests/browser/run.mjs", "--apps", &Project::example("apps")]);
    command.args(["--browser", &Project::example("browser")]).arg("--chromium").arg(tools::place(&CHROMIUM)?);
    execute(command.arg("--screenshots").arg(Project::target().join("browser")))
}

/// Exactly what the lock file pins, and again only after it changed.
fn set_up(project: &Project, package: &str) -> Outcome {
    let lock = project.path(package).join("package-lock.json");
    let lock = fs::read(&lock).map_err(|error| Failure::new(format!("{}: {error}", lock.display())))?;
    let stamp = project.path(package).join(STAMP);
    if fs::read(&stamp).is_ok_and(|from| from == lock) {
        return Ok(());
    }
    let mut npm = project.command("npm");
    execute(npm.args(["ci", "--prefix", package, "--no-audit", "--no-fund", "--loglevel=error"]))?;
    fs::write(&stamp, lock).map_err(|error| Failure::new(format!("{}: {error}", stamp.display())))
}
