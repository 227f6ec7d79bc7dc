//! The programs that CI needs beside cargo. A missing one stops it at once, with the remedy.

use crate::process::{Failure, Outcome, capture};
use crate::project::Project;

/// A program, how to ask its version, and what to do when it is not there.
struct Tool {
    program: &'static str,
    version: &'static [&'static str],
    /// The lowest version that will do, as major and minor.
    least: (u32, u32),
    remedy: &'static str,
}

const TOOLS: &[Tool] = &[
    Tool { program: "cargo", version: &["--version"], least: (1, 88), remedy: "rustup update stable" },
    Tool { program: "cargo", version: &["fmt", "--version"], least: (1, 0), remedy: "rustup component add rustfmt" },
    Tool { program: "cargo", version: &["clippy", "--version"], least: (0, 1), remedy: "rustup component add clippy" },
    Tool { program: "git", version: &["--version"], least: (2, 0), remedy: "install git" },
    Tool { program: "c++", version: &["--version"], least: (0, 0), remedy: "install a C++ compiler (Debian: g++)" },
    Tool { program: "python3", version: &["--version"], least: (3, 11), remedy: "install Python 3.11 or newer" },
    Tool { program: "node", version: &["--version"], least: (20, 0), remedy: "install Node.js 20 or newer" },
    Tool {
        program: "npm",
        version: &["--version"],
        least: (9, 0),
        remedy: "install npm 9 or newer; it comes with Node.js",
    },
];

/// Whether every program is there and new enough; all that are not, at once.
pub(crate) fn check(project: &Project) -> Outcome {
    let missing: Vec<String> = TOOLS.iter().filter_map(|tool| problem(project, tool)).collect();
    if missing.is_empty() { Ok(()) } else { Err(Failure::new(missing.join("\n"))) }
}

/// Whether a program runs at all.
pub(crate) fn has(project: &Project, program: &str, arguments: &[&str]) -> bool {
    capture(project.command(program).args(arguments)).is_ok()
}

fn problem(project: &Project, tool: &Tool) -> Option<String> {
    let name = format!("{} {}", tool.program, tool.version.join(" "));
    let Ok(said) = capture(project.command(tool.program).args(tool.version)) else {
        return Some(format!("`{name}` does not run: {}", tool.remedy));
    };
    let first = said.lines().next().unwrap_or_default().trim();
    println!("{name}: {first}");
    let found = version(first).unwrap_or_default();
    (found < tool.least).then(|| format!("`{name}` says {first:?}, too old: {}", tool.remedy))
}

/// The first `major.minor` in a line.
fn version(line: &str) -> Option<(u32, u32)> {
    line.split_whitespace().find_map(|word| {
        let mut numbers = word.trim_start_matches('v').split('.');
        Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn the_version_is_the_first_dotted_number() {
        assert_eq!(version("cargo 1.95.0 (f2d3ce0bd 2026-03-21)"), Some((1, 95)));
        assert_eq!(version("v20.20.2"), Some((20, 20)));
        assert_eq!(version("c++ (Debian 14.2.0-19) 14.2.0"), Some((14, 2)));
        assert_eq!(version("no number"), None);
    }
}
