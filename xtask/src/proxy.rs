//! The examples behind a real nginx, configured as the deployment guide says: runs `tests/proxy`.
//!
//! Builds nothing: the step `examples` has. The nginx that runs is the test's own, in the foreground and in a folder of its own; a
//! service that comes with the package is ended after we installed it: there was no nginx before, so it is nobody else's.

use crate::need::{Find, NODE, Need, Source};
use crate::process::{Outcome, execute};
use crate::project::Project;
use crate::tools;

/// Where Debian has nginx; not on every user's `PATH`.
const SYSTEM: &[&str] = &["/usr/sbin", "/usr/local/sbin"];

pub(crate) const NGINX: Need = Need {
    after: &["service", "nginx", "stop"],
    ..Need::new(
        "nginx",
        Find::File { variable: "NGINX", names: &["nginx"], folders: SYSTEM },
        Source::Debian("nginx-light"),
    )
};
const OPENSSL: Need = Need::new(
    "openssl",
    Find::Version { program: "openssl", arguments: &["version"], least: (1, 1) },
    Source::Debian("openssl"),
);
pub(crate) const NEEDS: &[&Need] = &[&NODE, &NGINX, &OPENSSL];

pub(crate) fn run(project: &Project) -> Outcome {
    let mut command = project.command("node");
    command.args(["tests/proxy/run.mjs", "--fixture", &Project::example("fixture")]);
    command.args(["--tool-host", &Project::example("tool_host"), "--deploy", &Project::example("deploy")]);
    execute(command.arg("--nginx").arg(tools::place(&NGINX)?))
}
