//! What Grange costs: the engine by itself, the server beside its floor and its peers, and the limits that CI keeps on
//! instructions.
//!
//! Times are for reading, on a quiet machine; nothing fails by them. Instructions repeat, and are a step of CI.

use std::path::{Path, PathBuf};

use crate::need::{CXX, Find, NODE, NPM, Need, PYTHON, Source, VENV};
use crate::process::{Outcome, capture, execute};
use crate::project::Project;
use crate::tools;

const PEERS: [&str; 3] = ["floor-parse", "rmcp", "tower"];
const VALGRIND: Need = Need::new(
    "valgrind",
    Find::Version { program: "valgrind", arguments: &["--version"], least: (0, 0) },
    Source::Debian("valgrind"),
);
/// What the step of CI needs.
pub(crate) const NEEDS: &[&Need] = &[&CXX, &VALGRIND];
/// What the whole bench needs: the peers are in several languages.
const ALL_NEEDS: &[&Need] = &[&CXX, &VALGRIND, &PYTHON, &VENV, &NODE, &NPM];
/// Builds and measures the peers, in a folder outside the repository.
const RUNNER: &str = "benches/peers/run.sh";
/// The name of the bench's results.
const RESULTS: &str = "product";

/// All that there is to measure, one after the other; further arguments go to the bench of the peers.
pub(crate) fn run(project: &Project, arguments: &[String]) -> Outcome {
    tools::prepare(project, ALL_NEEDS, false)?;
    let server = build_server(project)?;
    execute(&mut project.cargo("bench --package grange-benches"))?;
    let mut command = project.command("sh");
    command.arg(RUNNER).args(PEERS).args(["--out", RESULTS]);
    let server_text = server.display();
    command.args(["--add", &format!("product={server_text} http")]);
    command.args(["--add", &format!("computed=env COMPUTED=1 {server_text} http")]);
    command.args(["--add-stdio", &format!("product={server_text} stdio")]);
    execute(command.args(arguments))?;
    let folder = capture(project.command("sh").arg(RUNNER).arg("--where"))?;
    let results = PathBuf::from(folder.trim()).join("results").join(format!("{RESULTS}.json"));
    meter(project, "marks", &results)?;
    for what in ["compare", "memory", "instructions"] {
        meter(project, what, &server)?;
    }
    Ok(())
}

/// The step of CI: no load takes more instructions than its limit.
pub(crate) fn instructions(project: &Project) -> Outcome {
    let server = build_server(project)?;
    meter(project, "instructions", &server)
}

/// The server as it is measured, optimised for it.
fn build_server(project: &Project) -> Outcome<PathBuf> {
    execute(&mut project.cargo("build --package grange-benches --bin bench-server --profile dist"))?;
    Ok(project.path(&Project::target().to_string_lossy()).join("dist/bench-server"))
}

/// Of the server's profile too: what both are made of is built then, and is not for any other.
fn meter(project: &Project, what: &str, of: &Path) -> Outcome {
    let mut command = project.cargo("run --quiet --profile dist --package grange-benches --bin bench-meter --");
    execute(command.arg(what).arg(of))
}
