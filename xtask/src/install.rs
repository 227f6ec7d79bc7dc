//! Installing what is missing, in one place: with Debian's packages, npm and rustup, and only when `--install` says so. Never
//! with more rights than the user has: what needs root is printed for a user who is not.

use std::collections::BTreeSet;

use crate::debian;
use crate::need::{Missing, Source};
use crate::process::{Failure, Outcome, capture, execute};
use crate::project::Project;

/// A command that installs, and whether only root can run it.
#[derive(Debug, PartialEq)]
struct Command {
    words: Vec<&'static str>,
    needs_root: bool,
}

impl Command {
    fn new(words: &[&'static str], needs_root: bool) -> Self {
        Self { words: words.to_vec(), needs_root }
    }

    /// As it is typed.
    fn shown(&self, is_root: bool) -> String {
        let before = if self.needs_root && !is_root { "sudo " } else { "" };
        format!("{before}{}", self.words.join(" "))
    }

    fn run(&self, project: &Project) -> Outcome {
        let mut command = project.command(self.words[0]);
        if self.words[0] == "apt-get" {
            command.env("DEBIAN_FRONTEND", "noninteractive");
        }
        execute(command.args(&self.words[1..]))
    }
}

/// The commands that get these, Debian's packages in one.
fn commands<'a>(sources: impl Iterator<Item = &'a Source>) -> Vec<Command> {
    let mut packages = BTreeSet::new();
    let mut others = Vec::new();
    for source in sources {
        match source {
            Source::Debian(package) => {
                packages.insert(*package);
            }
            Source::Npm(package) => others.push(Command::new(&["npm", "install", "--global", package], true)),
            Source::Rustup(arguments) => others.push(Command::new(&[&["rustup"], *arguments].concat(), false)),
        }
    }
    let packages: Vec<_> = packages.into_iter().collect();
    let debian = if packages.is_empty() { Vec::new() } else { debian::commands(&packages) };
    debian.into_iter().map(|words| Command::new(&words, true)).chain(others).collect()
}

/// Why CI does not begin: all that is missing, and what installs it.
pub(crate) fn missing_tools(project: &Project, missing: &[Missing]) -> Failure {
    let is_root = is_root(project);
    let remedy = format!("install it with `cargo xtask ci --install`, or by hand:\n{}", by_hand(missing, is_root));
    Failure::new(format!("{}\n{remedy}", named("missing", missing)))
}

/// Installs from the first source of each. What needs root is left to a user who is not.
pub(crate) fn first(project: &Project, missing: &[Missing]) -> Outcome {
    println!("{}", named("to be installed", missing));
    let commands = commands(missing.iter().map(|one| &one.need.source));
    let is_root = is_root(project);
    if is_root && commands.iter().any(|command| command.words[0] == "apt-get") {
        debian::is_there(project)?;
    }
    let (ours, roots): (Vec<_>, Vec<_>) = commands.into_iter().partition(|command| is_root || !command.needs_root);
    ours.iter().try_for_each(|command| command.run(project))?;
    if !roots.is_empty() {
        let rest = typed(&roots, missing, is_root);
        let reason = format!("these need root, which you are not; run them, then run this again:\n{rest}");
        return Err(Failure::new(reason));
    }
    let after = missing.iter().map(|one| one.need.after).filter(|words| !words.is_empty());
    after.map(|words| Command::new(words, true)).try_for_each(|command| command.run(project))
}

/// Installs from the other source what the first one had only too old.
pub(crate) fn otherwise(project: &Project, missing: &[Missing]) -> Outcome {
    let others = missing.iter().filter_map(|one| one.need.otherwise.as_ref());
    let is_root = is_root(project);
    for command in commands(others) {
        if command.needs_root && !is_root {
            let reason = format!("this needs root, which you are not: {}", command.shown(is_root));
            return Err(Failure::new(reason));
        }
        command.run(project)?;
    }
    Ok(())
}

/// What is missing although it was installed.
pub(crate) fn in_vain(missing: &[Missing]) -> Failure {
    Failure::new(named("installed, and still not usable (is another one before it on PATH?)", missing))
}

fn named(title: &str, missing: &[Missing]) -> String {
    let lines = missing.iter().map(|one| format!("\n  {}: {}", one.need.name, one.reason));
    format!("{title}:{}", lines.collect::<String>())
}

/// All that gets these, as it is typed.
fn by_hand(missing: &[Missing], is_root: bool) -> String {
    typed(&commands(missing.iter().map(|one| &one.need.source)), missing, is_root)
}

/// The commands as they are typed, a line each; then those for what Debian may have only too old.
fn typed(commands: &[Command], missing: &[Missing], is_root: bool) -> String {
    let mut lines: Vec<String> = commands.iter().map(|command| format!("  {}", command.shown(is_root))).collect();
    for one in missing {
        for command in self::commands(one.need.otherwise.iter()) {
            let shown = command.shown(is_root);
            lines.push(format!("  {shown}    (where Debian's `{}` is too old)", one.need.name));
        }
    }
    lines.join("\n")
}

fn is_root(project: &Project) -> bool {
    capture(project.command("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

#[cfg(test)]
mod tests {
    use super::{by_hand, commands};
    use crate::browser::CHROMIUM;
    use crate::need::{CLIPPY, Missing, NODE, Need, Source};
    use crate::proxy::NGINX;

    fn missing(needs: &[&'static Need]) -> Vec<Missing> {
        needs.iter().map(|need| Missing { need, reason: "not there".to_owned() }).collect()
    }

    #[test]
    fn packages_of_debian_are_installed_by_one_command() {
        let sources = [Source::Debian("b"), Source::Rustup(&["component", "add", "c"]), Source::Debian("a")];
        let commands = commands(sources.iter());
        let shown: Vec<String> = commands.iter().map(|command| command.shown(true)).collect();
        let apt = "apt-get install -y --no-install-recommends a b";
        assert_eq!(shown, ["apt-get update", apt, "rustup component add c"]);
    }

    #[test]
    fn who_is_not_root_is_shown_what_needs_it() {
        let missing = missing(&[&CHROMIUM, &CLIPPY, &NGINX]);
        let lines = by_hand(&missing, false);
        let apt = "  sudo apt-get install -y --no-install-recommends chromium nginx-light";
        let expected = ["  sudo apt-get update", apt, "  rustup component add clippy"];
        assert_eq!(lines.lines().collect::<Vec<_>>(), expected);
        assert!(!by_hand(&missing, true).contains("sudo"));
    }

    #[test]
    fn what_debian_may_have_too_old_has_a_second_source() {
        let lines = by_hand(&missing(&[&NODE]), false);
        let last = lines.lines().last().unwrap();
        assert!(last.starts_with("  sudo npm install --global node@22"), "{lines}");
        assert!(lines.contains("sudo apt-get install -y --no-install-recommends nodejs\n"), "{lines}");
    }

    #[test]
    fn nothing_missing_asks_for_no_command() {
        assert!(commands([].iter()).is_empty());
    }
}
