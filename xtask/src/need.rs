//! What a step needs beside what cargo builds: which program, how it is found, and where it is from. Looking for it is `tools.rs`,
//! installing it `install.rs`.

/// A program that a step runs.
#[derive(Debug)]
pub(crate) struct Need {
    /// As reports name it.
    pub(crate) name: &'static str,
    pub(crate) find: Find,
    pub(crate) source: Source,
    /// Where it is from if `source` has given one that is too old.
    pub(crate) otherwise: Option<Source>,
    /// A command that follows when we have installed it.
    pub(crate) after: &'static [&'static str],
}

/// How a program is found.
#[derive(Debug)]
pub(crate) enum Find {
    /// By running it. `least` is the lowest version that will do, as major and minor.
    Version { program: &'static str, arguments: &'static [&'static str], least: (u32, u32) },
    /// By its place: what the environment variable names, else the first of `names` on `PATH` or in `folders`.
    File { variable: &'static str, names: &'static [&'static str], folders: &'static [&'static str] },
}

impl Need {
    /// One that has no second source and asks for nothing afterwards.
    pub(crate) const fn new(name: &'static str, find: Find, source: Source) -> Self {
        Self { name, find, source, otherwise: None, after: &[] }
    }
}

const fn version(program: &'static str, arguments: &'static [&'static str], least: (u32, u32)) -> Find {
    Find::Version { program, arguments, least }
}

pub(crate) const CARGO: Need =
    Need::new("cargo", version("cargo", &["--version"], (1, 88)), Source::Rustup(&["update", "stable"]));
pub(crate) const RUSTFMT: Need = Need::new(
    "cargo fmt",
    version("cargo", &["fmt", "--version"], (1, 0)),
    Source::Rustup(&["component", "add", "rustfmt"]),
);
pub(crate) const CLIPPY: Need = Need::new(
    "cargo clippy",
    version("cargo", &["clippy", "--version"], (0, 1)),
    Source::Rustup(&["component", "add", "clippy"]),
);
pub(crate) const GIT: Need = Need::new("git", version("git", &["--version"], (2, 0)), Source::Debian("git"));
/// Some dependencies of the tests and of the fuzz targets have parts in C and C++.
pub(crate) const CXX: Need = Need::new("c++", version("c++", &["--version"], (0, 0)), Source::Debian("g++"));
pub(crate) const PYTHON: Need =
    Need::new("python3", version("python3", &["--version"], (3, 11)), Source::Debian("python3"));
pub(crate) const VENV: Need = Need::new(
    "venv of python3",
    version("python3", &["-c", "import ensurepip, venv"], (0, 0)),
    Source::Debian("python3-venv"),
);
pub(crate) const NODE: Need = Need {
    otherwise: Some(Source::Npm("node@22.23.3")),
    ..Need::new("node", version("node", &["--version"], (20, 0)), Source::Debian("nodejs"))
};
pub(crate) const NPM: Need = Need::new("npm", version("npm", &["--version"], (9, 0)), Source::Debian("npm"));

/// Where a program is from.
#[derive(Debug)]
pub(crate) enum Source {
    /// A package of Debian.
    Debian(&'static str),
    /// A package of npm, for all users.
    Npm(&'static str),
    /// The arguments of rustup.
    Rustup(&'static [&'static str]),
}

/// A need that is not met, and why.
#[derive(Debug)]
pub(crate) struct Missing {
    pub(crate) need: &'static Need,
    pub(crate) reason: String,
}
