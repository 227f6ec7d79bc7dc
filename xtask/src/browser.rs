//! The `apps` and `browser` examples in a real browser: finds Chromium, installs what the lock files pin, runs `tests/browser`.
//!
//! Builds nothing: the step `examples` has. Playwright brings no browser of its own here, since its download is no
//! package that a lock file pins; the system's Chromium is used, and CI installs it where it may.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::debian;
use crate::process::{Failure, Outcome, execute};
use crate::project::Project;

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// What drives the browser, and the page that users start.
const PACKAGES: [&str; 2] = ["tests/browser", "examples/browser"];
/// Beside what is installed: the lock file that it was installed from.
const STAMP: &str = "node_modules/.grange-stamp";

pub(crate) fn run(project: &Project) -> Outcome {
    let chromium = match installed()? {
        Some(path) => path,
        None => install_chromium(project)?,
    };
    PACKAGES.iter().try_for_each(|package| install_package(project, package))?;
    let mut command = project.command("node");
    command.args(["tests/browser/run.mjs", "--apps", &Project::example("apps")]);
    command.args(["--browser", &Project::example("browser")]).arg("--chromium").arg(chromium);
    execute(command.arg("--screenshots").arg(Project::target().join("browser")))
}

/// Chromium on this machine: what `CHROMIUM` names, else the first on `PATH`.
fn installed() -> Outcome<Option<PathBuf>> {
    let named = env::var_os("CHROMIUM").filter(|path| !path.is_empty()).map(PathBuf::from);
    let folders = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&folders).collect();
    find(named, &folders, Path::is_file)
}

fn find(named: Option<PathBuf>, folders: &[PathBuf], is_there: impl Fn(&Path) -> bool) -> Outcome<Option<PathBuf>> {
    match named {
        Some(path) if is_there(&path) => Ok(Some(path)),
        Some(path) => {
            let path = path.display();
            Err(Failure::new(format!("CHROMIUM says `{path}`, where no file is: name the program with its whole path")))
        }
        None => {
            let mut places = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
            Ok(places.find(|place| is_there(place)))
        }
    }
}

fn install_chromium(project: &Project) -> Outcome<PathBuf> {
    let names = NAMES.join(", ");
    debian::install(project, "chromium")
        .map_err(|failure| Failure::new(format!("no browser on PATH ({names}) nor named by CHROMIUM=…\n{failure}")))?;
    installed()?.ok_or_else(|| Failure::new("apt-get installed `chromium`, and still no browser is on PATH"))
}

/// Exactly what the lock file pins, and again only after it changed.
fn install_package(project: &Project, package: &str) -> Outcome {
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

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::find;

    fn found(named: Option<&str>, there: &[&str]) -> Option<PathBuf> {
        let folders = ["/usr/bin", "/opt/bin"].map(PathBuf::from);
        let is_there = |path: &Path| there.iter().any(|file| path == Path::new(file));
        find(named.map(PathBuf::from), &folders, is_there).expect("what is named is there")
    }

    #[test]
    fn the_browser_is_the_named_one_or_the_first_on_the_path() {
        let there = ["/usr/bin/google-chrome", "/opt/bin/chromium", "/opt/bin/chromium-browser", "/opt/other"];
        assert_eq!(found(Some("/opt/other"), &there), Some("/opt/other".into()));
        assert_eq!(found(None, &there), Some("/opt/bin/chromium".into()));
        assert_eq!(found(None, &there[..1]), Some("/usr/bin/google-chrome".into()));
        assert_eq!(found(None, &[]), None);
    }

    #[test]
    fn a_named_browser_that_is_not_there_is_a_mistake() {
        let problem =
            find(Some("/opt/none".into()), &["/usr/bin".into()], |path| path.starts_with("/usr")).unwrap_err();
        assert!(problem.to_string().contains("CHROMIUM says `/opt/none`"), "{problem}");
    }
}
