//! The dependency rules: how many crates a user takes in, what the core may not have, nothing twice. Then `cargo deny`.

use std::collections::{BTreeMap, BTreeSet};

use crate::deny;
use crate::process::{Failure, Outcome, capture};
use crate::project::Project;

/// Most crates that a server over stdio alone may bring, our own included.
const STDIO_CRATES: usize = 45;
/// Most crates that the default features may bring, our own included.
const DEFAULT_CRATES: usize = 70;
/// What the feature `validate` brings a second time, which nobody has without it.
const TWICE: &[&str] = &["getrandom", "syn"];
/// No runtime, no sockets, no clock: so the engine would run anywhere.
const NOT_IN_CORE: &[&str] = &[
    "chrono",
    "getrandom",
    "hyper",
    "libc",
    "mio",
    "parking_lot",
    "rand",
    "rustix",
    "signal-hook-registry",
    "socket2",
    "time",
];
/// The features of tokio that the core may use.
const CORE_TOKIO: &[&str] = &["default", "sync"];

/// A package of a tree, with the features it was resolved with.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Package {
    name: String,
    version: String,
    features: Vec<String>,
}

pub(crate) fn run(project: &Project) -> Outcome {
    let stdio = tree(project, "--package grange --no-default-features --features stdio,macros")?;
    let default = tree(project, "--package grange")?;
    let all = tree(project, "--package grange --package grange-testkit --all-features")?;
    let unvalidated =
        tree(project, "--package grange --features auth,files,http,macros,metrics,schemars,skills,stdio")?;
    let core = tree(project, "--package grange-core")?;
    println!("{} crates over stdio (at most {STDIO_CRATES})", stdio.len());
    println!("{} crates by default (at most {DEFAULT_CRATES})", default.len());
    println!("{} crates in the core", core.len());
    let mut problems = Vec::new();
    problems.extend(over_budget("a server over stdio", &stdio, STDIO_CRATES));
    problems.extend(over_budget("the default features", &default, DEFAULT_CRATES));
    problems.extend(duplicates(&all, TWICE));
    problems.extend(duplicates(&unvalidated, &[]));
    problems.extend(core_problems(&core));
    if !problems.is_empty() {
        return Err(Failure::new(problems.join("\n")).or_repeat("cargo xtask dependencies"));
    }
    deny::run(project)
}

/// What a package brings into a build of this machine: normal and build dependencies, each once.
fn tree(project: &Project, selection: &str) -> Outcome<BTreeSet<Package>> {
    let arguments = format!("tree {selection} --edges normal,build --prefix none --no-dedupe --format");
    let text = capture(project.cargo(&arguments).arg("{p}|{f}"))?;
    Ok(text.lines().filter_map(package).collect())
}

/// Reads `name v1.2.3 (path or note)|feature,feature`.
fn package(line: &str) -> Option<Package> {
    let (package, features) = line.split_once('|')?;
    let mut words = package.split_whitespace();
    let features = features.split([',', ' ']).filter(|feature| !feature.is_empty() && *feature != "(*)");
    Some(Package {
        name: words.next()?.to_owned(),
        version: words.next()?.to_owned(),
        features: features.map(str::to_owned).collect(),
    })
}

fn over_budget(what: &str, tree: &BTreeSet<Package>, budget: usize) -> Option<String> {
    let names: Vec<&str> = tree.iter().map(|package| package.name.as_str()).collect();
    let count = names.len();
    (count > budget).then(|| format!("{what} brings {count} crates, over the budget of {budget}: {}", names.join(" ")))
}

fn duplicates(tree: &BTreeSet<Package>, known: &[&str]) -> Vec<String> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in tree {
        versions.entry(&package.name).or_default().insert(&package.version);
    }
    let several = versions.into_iter().filter(|(name, versions)| versions.len() > 1 && !known.contains(name));
    several.map(|(name, versions)| format!("`{name}` is in the tree as {versions:?}: unify them")).collect()
}

fn core_problems(core: &BTreeSet<Package>) -> Vec<String> {
    let banned = core.iter().filter(|package| NOT_IN_CORE.contains(&package.name.as_str()));
    let banned = banned.map(|package| format!("`{}` is in the tree of grange-core, which does no I/O", package.name));
    let tokio = core.iter().filter(|package| package.name == "tokio").flat_map(|package| &package.features);
    let extra = tokio.filter(|feature| !CORE_TOKIO.contains(&feature.as_str()));
    let extra = extra.map(|feature| format!("grange-core uses tokio's feature `{feature}`: only `sync` is allowed"));
    banned.chain(extra).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{core_problems, duplicates, over_budget, package};
    use crate::project::Project;

    fn tree(lines: &[&str]) -> BTreeSet<super::Package> {
        lines.iter().filter_map(|line| package(line)).collect()
    }

    #[test]
    fn a_crate_in_two_versions_is_a_problem() {
        assert!(duplicates(&tree(&["a v1.0.0|", "b v1.0.0 (path)|std"]), &[]).is_empty());
        assert_eq!(duplicates(&tree(&["a v1.0.0|", "a v2.0.0|"]), &[]).len(), 1);
        assert!(duplicates(&tree(&["a v1.0.0|", "a v2.0.0|"]), &["a"]).is_empty());
    }

    #[test]
    fn only_the_feature_files_brings_what_follows_directories() {
        let project = Project::find();
        let has = |selection: &str| {
            let tree = super::tree(&project, selection).expect("a tree of dependencies");
            ["cap-std", "grange-files", "notify"].map(|name| tree.iter().any(|package| package.name == name))
        };
        assert_eq!(has("--package grange"), [false; 3]);
        assert_eq!(has("--package grange --features files"), [true; 3]);
    }

    #[test]
    fn the_core_has_no_runtime() {
        assert!(core_problems(&tree(&["tokio v1.0.0|sync", "bytes v1.0.0|default,std"])).is_empty());
        assert_eq!(core_problems(&tree(&["tokio v1.0.0|sync,time", "mio v1.0.0|"])).len(), 2);
    }

    #[test]
    fn the_budget_counts_crates_once() {
        let lines = tree(&["a v1.0.0|", "a v1.0.0| (*)", "b v1.0.0|"]);
        assert!(over_budget("it", &lines, 2).is_none());
        assert!(over_budget("it", &lines, 1).is_some());
    }
}
