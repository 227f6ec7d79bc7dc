//! The server beside its floor and its peers, by the bench that stands beside the repository.

use crate::process::{Failure, Outcome, execute};
use crate::project::Project;

const PEERS: [&str; 3] = ["floor-parse", "rmcp", "tower"];

/// Builds the server for measuring and measures it; further arguments go to the bench.
pub(crate) fn run(project: &Project, arguments: &[String]) -> Outcome {
    let Some(bench) = project.shared("bench/run.sh") else {
        return Err(Failure::new("the bench is not at ../shared/bench: put the folder `shared` beside the repository"));
    };
    execute(&mut project.cargo("build --package grange-benches --bin bench-server --profile dist"))?;
    let built = project.path(&Project::target().to_string_lossy()).join("dist/bench-server");
    let product = |mode: &str| format!("product={} {mode}", built.display());
    let mut command = project.command("sh");
    command.arg(bench).args(PEERS);
    command.args(["--add", &product("http"), "--add-stdio", &product("stdio")]);
    execute(command.args(arguments))
}
