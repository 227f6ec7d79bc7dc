//! The examples behind a real nginx, configured as the deployment guide says: finds nginx and openssl, runs `tests/proxy`.
//!
//! Builds nothing: the step `examples` has. The nginx that runs is the test's own, in the foreground and in a folder of its own; a
//! service that comes with the package is ended, since it is not ours to leave.

use std::env;
use std::path::{Path, PathBuf};

use crate::debian;
use crate::process::{Failure, Outcome, execute};
use crate::project::Project;
use crate::tools;

/// Where Debian has it; not on every user's `PATH`.
const SYSTEM: [&str; 2] = ["/usr/sbin", "/usr/local/sbin"];

pub(crate) fn run(project: &Project) -> Outcome {
    let nginx = match installed()? {
        Some(path) => path,
        None => install_nginx(project)?,
    };
    if !tools::has(project, "openssl", &["version"]) {
        debian::install(project, "openssl")?;
    }
    let mut command = project.command("node");
    command.args(["tests/proxy/run.mjs", "--fixture", &Project::example("fixture")]);
    command.args(["--tool-host", &Project::example("tool_host"), "--deploy", &Project::example("deploy")]);
    execute(command.arg("--nginx").arg(nginx))
}

/// nginx on this machine: what `NGINX` names, else the first on `PATH` or in the system's folders.
fn installed() -> Outcome<Option<PathBuf>> {
    let named = env::var_os("NGINX").filter(|path| !path.is_empty()).map(PathBuf::from);
    let folders = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&folders).chain(SYSTEM.map(PathBuf::from)).collect();
    find(named, &folders, Path::is_file)
}

fn find(named: Option<PathBuf>, folders: &[PathBuf], is_there: impl Fn(&Path) -> bool) -> Outcome<Option<PathBuf>> {
    match named {
        Some(path) if is_there(&path) => Ok(Some(path)),
        Some(path) => {
            let path = path.display();
            Err(Failure::new(format!("NGINX says `{path}`, where no file is: name the program with its whole path")))
        }
        None => Ok(folders.iter().map(|folder| folder.join("nginx")).find(|place| is_there(place))),
    }
}

fn install_nginx(project: &Project) -> Outcome<PathBuf> {
    debian::install(project, "nginx-light")
        .map_err(|failure| Failure::new(format!("no nginx on PATH nor named by NGINX=…\n{failure}")))?;
    // The package may have started a service; since there was no nginx before, it is nobody else's.
    execute(project.command("service").args(["nginx", "stop"]))?;
    installed()?.ok_or_else(|| Failure::new("apt-get installed `nginx-light`, and still no nginx is there"))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::find;

    #[test]
    fn nginx_is_the_named_one_or_the_first_there_is() {
        let folders = ["/usr/bin", "/usr/sbin"].map(PathBuf::from);
        let found = |named: Option<&str>, there: &[&str]| {
            find(named.map(PathBuf::from), &folders, |path: &Path| there.iter().any(|file| path == Path::new(file)))
        };
        assert_eq!(found(None, &["/usr/sbin/nginx"]).unwrap(), Some("/usr/sbin/nginx".into()));
        assert_eq!(found(Some("/opt/nginx"), &["/opt/nginx", "/usr/bin/nginx"]).unwrap(), Some("/opt/nginx".into()));
        assert_eq!(found(None, &["/usr/bin/other"]).unwrap(), None);
        let problem = found(Some("/opt/none"), &["/usr/sbin/nginx"]).unwrap_err();
        assert!(problem.to_string().contains("NGINX says `/opt/none`"), "{problem}");
    }
}
