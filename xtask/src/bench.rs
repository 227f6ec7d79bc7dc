//! What Grange costs: the engine by itself, the server beside its floor and its peers, and the limits that CI keeps on
//! instructions.
//!
//! Times are for reading, on a quiet machine; nothing fails by them. Instructions repeat, and are a step of CI.

use std::path::{Path, PathBuf};

use crate::process::{Failure, Outcome, capture, execute};
use crate::project::Project;
use crate::{debian, tools};

const PEERS: [&str; 3] = ["floor-parse", "rmcp", "tower"];
/// The name of the bench's results.
const RESULTS: &str = "product";

/// All that there is to measure, one after the other; further arguments go to the bench beside the repository.
pub(crate) fn run(project: &Project, arguments: &[String]) -> Outcome {
    let Some(bench) = project.shared("bench/run.sh") else {
        return Err(Failure::new("the bench is not at ../shared/bench: put the folder `shared` beside the repository"));
    };
    let server = build_server(project)?;
    execute(&mut project.cargo("bench --package grange-benches"))?;
    let mut command = project.command("sh");
    command.arg(&bench).args(PEERS).args(["--out", RESULTS]);
    let server_text = server.display();
    command.args(["--add", &format!("product={server_text} http")]);
    command.args(["--add", &format!("computed=env COMPUTED=1 {server_text} http")]);
    command.args(["--add-stdio", &format!("product={server_text} stdio")]);
    execute(command.args(arguments))?;
    let folder = capture(project.command("sh").arg(&bench).arg("--where"))?;
    let results = PathBuf::from(folder.trim()).join("results").join(format!("{RESULTS}.json"));
    meter(project, "marks", &results)?;
    for what in ["compare", "memory", "instructions"] {
        meter(project, what, &server)?;
    }
    Ok(())
}

/// The step of CI: no load takes more instructions than its limit.
pub(crate) fn instructions(project: &Project) -> Outcome {
    if !tools::has(project, "valgrind", &["--version"]) {
        debian::install(project, "valgrind")?;
    }
    let server = build_server(project)?;
    meter(project, "instructions", &server)
}

/// The server as it is measured, optimised for it.
fn build_server(project: &Project) -> Outcome<PathBuf> {
    execute(&mut project.cargo("build --package grange-benches --bin bench-server --profile dist"))?;
    Ok(project.path(&Project::target().to_string_lossy()).join("dist/bench-server"))
}

fn meter(project: &Project, what: &str, of: &Path) -> Outcome {
    let mut command = project.cargo("run --quiet --package grange-benches --bin bench-meter --");
    execute(command.arg(what).arg(of))
}
