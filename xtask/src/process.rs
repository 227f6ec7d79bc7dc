//! Running other programs: shown before, judged by their status, repeatable by hand when they fail.

use std::ffi::OsStr;
use std::fmt;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// What a step comes to.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// Why a step failed, and the command that repeats just that.
#[derive(Debug)]
pub(crate) struct Failure {
    reason: String,
    repeat: Option<String>,
}

impl Failure {
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), repeat: None }
    }

    /// Names the command to repeat, unless a closer one is known.
    pub(crate) fn or_repeat(mut self, command: impl Into<String>) -> Self {
        self.repeat.get_or_insert_with(|| command.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        match &self.repeat {
            Some(command) => write!(f, "\nrepeat it with: {command}"),
            None => Ok(()),
        }
    }
}

/// Runs a command and lets its output through.
pub(crate) fn execute(command: &mut Command) -> Outcome {
    let shown = announce(command);
    let status = command.status().map_err(|error| not_started(&shown, &error))?;
    judged(&shown, status.success(), &status.to_string())
}

/// Runs a command, gives each line of its standard output to `line`, and lets standard error through.
pub(crate) fn run_lines(command: &mut Command, mut line: impl FnMut(&str)) -> Outcome {
    let shown = announce(command);
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| not_started(&shown, &error))?;
    if let Some(output) = child.stdout.take() {
        for text in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            line(&String::from_utf8_lossy(&text));
        }
    }
    let status = child.wait().map_err(|error| not_started(&shown, &error))?;
    judged(&shown, status.success(), &status.to_string())
}

/// Runs a command quietly and gives its standard output.
pub(crate) fn capture(command: &mut Command) -> Outcome<String> {
    let shown = show(command);
    let output = command.output().map_err(|error| not_started(&shown, &error))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    judged(&shown, output.status.success(), &format!("{}\n{errors}", output.status))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a command runs and succeeds.
pub(crate) fn runs(command: &mut Command) -> bool {
    capture(command).is_ok()
}

fn announce(command: &Command) -> String {
    let shown = show(command);
    println!("$ {shown}");
    shown
}

/// The command as it is typed, environment first.
fn show(command: &Command) -> String {
    let variables =
        command.get_envs().filter_map(|(name, value)| Some(format!("{}={}", name.to_string_lossy(), quoted(value?))));
    let words = std::iter::once(command.get_program()).chain(command.get_args()).map(quoted);
    variables.chain(words).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+@".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into_owned() } else { format!("'{word}'") }
}

fn not_started(shown: &str, error: &std::io::Error) -> Failure {
    Failure::new(format!("{shown} did not start: {error}")).or_repeat(shown)
}

fn judged(shown: &str, success: bool, status: &str) -> Outcome {
    if success { Ok(()) } else { Err(Failure::new(format!("{shown} failed: {status}")).or_repeat(shown)) }
}
