//! Where things are: the repository, what stands beside it, and what is built.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository.
#[derive(Clone, Debug)]
pub(crate) struct Project {
    root: PathBuf,
}

impl Project {
    /// The repository that this program was built in.
    pub(crate) fn find() -> Self {
        let here = env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("xtask"), PathBuf::from);
        let root = here.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Self { root: root.to_owned() }
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// What stands beside the repository, shared with other projects, if it is there: other copies of the contract and of
    /// the black-box cases. Nothing needs it.
    pub(crate) fn shared(&self, relative: &str) -> Option<PathBuf> {
        let path = self.root.parent()?.join("shared").join(relative);
        path.exists().then_some(path)
    }

    /// A command that runs in the root.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        // Set by the cargo that runs us; they would make another package look like this one.
        for variable in ["CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH", "CARGO_PKG_NAME", "CARGO_PKG_VERSION"] {
            command.env_remove(variable);
        }
        command
    }

    /// `cargo` with these arguments, separated by spaces.
    pub(crate) fn cargo(&self, arguments: &str) -> Command {
        let mut command = self.command("cargo");
        command.args(arguments.split_whitespace());
        command
    }

    /// The one folder that everything is built in, seen from the root.
    pub(crate) fn target() -> PathBuf {
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from)
    }

    /// Something in it, from wherever.
    pub(crate) fn built(&self, relative: &str) -> PathBuf {
        self.root.join(Self::target()).join(relative)
    }

    /// A built example, as it is typed in the root.
    pub(crate) fn example(name: &str) -> String {
        Self::target().join("debug/examples").join(name).to_string_lossy().into_owned()
    }

    /// A built example that is a package of its own, likewise.
    pub(crate) fn example_package(name: &str) -> String {
        Self::target().join("debug").join(format!("example-{name}")).to_string_lossy().into_owned()
    }
}
