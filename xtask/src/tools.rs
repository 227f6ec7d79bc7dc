//! The programs that CI needs beside what cargo builds. Each step declares its own (`need.rs`); here they are looked for, all at once,
//! before the first step runs. What is missing is named with the command that installs it (`install.rs`).

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};

use crate::install;
use crate::need::{Find, Missing, Need};
use crate::process::{Failure, Outcome, capture};
use crate::project::Project;

/// What there is of a program.
#[derive(Debug, PartialEq)]
enum Found {
    /// What it says of itself, or where it is.
    Here(String),
    /// Why it does not do.
    Missing(String),
}

/// Makes sure that all of these are there: otherwise installs what is missing if it may, or fails with all of it.
pub(crate) fn prepare(project: &Project, needs: &[&'static Need], may_install: bool) -> Outcome {
    let missing = look(project, needs, false)?;
    if missing.is_empty() {
        return Ok(());
    }
    if !may_install {
        return Err(install::missing_tools(project, &missing));
    }
    install::first(project, &missing)?;
    let still = look(project, needs, false)?;
    install::otherwise(project, &still)?;
    let still = look(project, needs, false)?;
    if still.is_empty() { Ok(()) } else { Err(install::in_vain(&still)) }
}

/// Says what is there of these.
pub(crate) fn show(project: &Project, needs: &[&'static Need]) -> Outcome {
    let missing = look(project, needs, true)?;
    if missing.is_empty() { Ok(()) } else { Err(install::missing_tools(project, &missing)) }
}

/// The place of a program that is found by its place.
pub(crate) fn place(need: &Need) -> Outcome<PathBuf> {
    let found = match need.find {
        Find::File { variable, names, folders } => locate(variable, names, folders)?,
        Find::Version { program, .. } => Some(PathBuf::from(program)),
    };
    found.ok_or_else(|| Failure::new(format!("{} is not there: run `cargo xtask ci tools`", need.name)))
}

/// Those that are missing, each once.
fn look(project: &Project, needs: &[&'static Need], say: bool) -> Outcome<Vec<Missing>> {
    let mut seen = BTreeSet::new();
    let mut missing = Vec::new();
    for need in needs.iter().filter(|need| seen.insert(need.name)) {
        match found(project, need)? {
            Found::Here(what) if say => println!("{}: {what}", need.name),
            Found::Here(_) => {}
            Found::Missing(reason) => missing.push(Missing { need, reason }),
        }
    }
    Ok(missing)
}

/// # Errors
///
/// When the environment names a program that is not there: nothing that we install would mend that.
fn found(project: &Project, need: &Need) -> Outcome<Found> {
    match need.find {
        Find::Version { program, arguments, least } => {
            let said = capture(project.command(program).args(arguments));
            Ok(judged(&format!("{program} {}", arguments.join(" ")), said.ok().as_deref(), least))
        }
        Find::File { variable, names, folders } => Ok(match locate(variable, names, folders)? {
            Some(place) => Found::Here(place.display().to_string()),
            None => Found::Missing(format!("not on PATH as {}, nor named by {variable}=…", names.join(", "))),
        }),
    }
}

fn judged(command: &str, said: Option<&str>, least: (u32, u32)) -> Found {
    let Some(said) = said else { return Found::Missing(format!("`{command}` does not run")) };
    let first = said.lines().next().unwrap_or_default().trim();
    if dotted(first).unwrap_or_default() < least {
        let (major, minor) = least;
        return Found::Missing(format!("`{command}` says {first:?}, older than {major}.{minor}"));
    }
    Found::Here(if first.is_empty() { "there".to_owned() } else { first.to_owned() })
}

/// The first `major.minor` in a line.
fn dotted(line: &str) -> Option<(u32, u32)> {
    line.split_whitespace().find_map(|word| {
        let mut numbers = word.trim_start_matches('v').split('.');
        Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
    })
}

fn locate(variable: &str, programs: &[&str], folders: &[&str]) -> Outcome<Option<PathBuf>> {
    let named = env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).chain(folders.iter().map(PathBuf::from)).collect();
    pick(variable, named, programs, &folders, Path::is_file)
}

fn pick(
    variable: &str,
    named: Option<PathBuf>,
    programs: &[&str],
    folders: &[PathBuf],
    is_there: impl Fn(&Path) -> bool,
) -> Outcome<Option<PathBuf>> {
    match named {
        Some(path) if is_there(&path) => Ok(Some(path)),
        Some(path) => {
            let path = path.display();
            let reason = format!("{variable} says `{path}`, where no file is: name the program with its whole path");
            Err(Failure::new(reason))
        }
        None => {
            let mut places = programs.iter().flat_map(|program| folders.iter().map(move |folder| folder.join(program)));
            Ok(places.find(|place| is_there(place)))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{Find, Found, Need, dotted, judged, look, pick, prepare};
    use crate::need::{CARGO, Source};
    use crate::project::Project;

    const NO_PROGRAM: Need = Need::new(
        "one",
        Find::Version { program: "grange-no-such-program", arguments: &["--version"], least: (0, 0) },
        Source::Debian("package-one"),
    );
    const NO_PLACE: Need = Need::new(
        "two",
        Find::File { variable: "GRANGE_NO_SUCH_VARIABLE", names: &["grange-no-such-file"], folders: &["/nowhere"] },
        Source::Debian("package-two"),
    );

    #[test]
    fn all_that_is_missing_is_named_at_once_with_what_installs_it() {
        let refused = prepare(&Project::find(), &[&NO_PROGRAM, &CARGO, &NO_PLACE], false).unwrap_err();
        let refused = refused.to_string();
        for part in ["one: `grange-no-such-program --version`", "two: not on PATH", "package-one", "package-two"] {
            assert!(refused.contains(part), "{part} in {refused}");
        }
        assert!(!refused.contains("cargo:"), "{refused}");
    }

    #[test]
    fn a_need_of_several_steps_is_looked_for_once() {
        let missing = look(&Project::find(), &[&NO_PROGRAM, &NO_PROGRAM, &NO_PLACE], false).unwrap();
        assert_eq!(missing.iter().map(|one| one.need.name).collect::<Vec<_>>(), ["one", "two"]);
    }

    #[test]
    fn what_is_too_old_is_missing() {
        assert_eq!(judged("node --version", Some("v20.1.0\n"), (20, 0)), Found::Here("v20.1.0".into()));
        let old = judged("node --version", Some("v18.20.4\n"), (20, 0));
        assert_eq!(old, Found::Missing("`node --version` says \"v18.20.4\", older than 20.0".into()));
        assert_eq!(judged("c++", Some("no number"), (0, 0)), Found::Here("no number".into()));
    }

    #[test]
    fn the_version_is_the_first_dotted_number() {
        assert_eq!(dotted("cargo 1.95.0 (f2d3ce0bd 2026-03-21)"), Some((1, 95)));
        assert_eq!(dotted("v20.20.2"), Some((20, 20)));
        assert_eq!(dotted("c++ (Debian 14.2.0-19) 14.2.0"), Some((14, 2)));
        assert_eq!(dotted("no number"), None);
    }

    fn found(named: Option<&str>, there: &[&str]) -> Result<Option<PathBuf>, String> {
        let folders = ["/usr/bin", "/opt/bin"].map(PathBuf::from);
        let is_there = |path: &Path| there.iter().any(|file| path == Path::new(file));
        let found = pick("BROWSER", named.map(PathBuf::from), &["chromium", "chrome"], &folders, is_there);
        found.map_err(|failure| failure.to_string())
    }

    #[test]
    fn a_program_is_the_named_one_or_the_first_on_the_path() {
        let there = ["/usr/bin/chrome", "/opt/bin/chromium", "/opt/bin/chrome", "/opt/other"];
        assert_eq!(found(Some("/opt/other"), &there), Ok(Some("/opt/other".into())));
        assert_eq!(found(None, &there), Ok(Some("/opt/bin/chromium".into())));
        assert_eq!(found(None, &there[..1]), Ok(Some("/usr/bin/chrome".into())));
        assert_eq!(found(None, &[]), Ok(None));
    }

    #[test]
    fn a_named_program_that_is_not_there_is_a_mistake() {
        let problem = found(Some("/opt/none"), &["/usr/bin/chrome"]).unwrap_err();
        assert!(problem.contains("BROWSER says `/opt/none`"), "{problem}");
    }
}
