//! Every `Cargo.toml` says the same things the same way.

use std::fs;

use super::none;
use crate::project::Project;

/// A description shorter than this says nothing.
const DESCRIPTION: usize = 20;

/// The manifests of the workspace's packages, by path.
fn manifests() -> Vec<(String, String)> {
    let project = Project::find();
    let below = |folder: &'static str| {
        let entries = fs::read_dir(project.path(folder)).unwrap();
        entries.map(move |entry| format!("{folder}/{}/Cargo.toml", entry.unwrap().file_name().to_string_lossy()))
    };
    let others =
        ["Cargo.toml", "benches/Cargo.toml", "tests/Cargo.toml", "tests/macros/Cargo.toml", "xtask/Cargo.toml"]
            .map(str::to_owned);
    let paths = below("crates").chain(below("examples")).chain(others).filter(|path| project.path(path).exists());
    paths
        .map(|path| (fs::read_to_string(project.path(&path)).unwrap(), path))
        .map(|(text, path)| (path, text))
        .collect()
}

fn is_shipped(path: &str) -> bool {
    path == "Cargo.toml" || path.starts_with("crates/")
}

#[test]
fn every_package_inherits_what_is_common() {
    let common = ["license.workspace = true", "edition.workspace = true", "rust-version.workspace = true"];
    let mut places = Vec::new();
    for (path, text) in manifests() {
        let lacking = common.iter().filter(|line| !text.lines().any(|found| found == **line));
        places.extend(lacking.map(|line| format!("{path}: lacks `{line}`")));
        if !text.contains("[lints]\nworkspace = true") {
            places.push(format!("{path}: lacks `[lints]` with `workspace = true`"));
        }
        if !is_shipped(&path) && !text.lines().any(|line| line == "publish = false") {
            places.push(format!("{path}: lacks `publish = false`"));
        }
    }
    none(&places, "inherit it from the workspace");
}

#[test]
fn every_shipped_package_is_described() {
    let manifests = manifests();
    let shipped = manifests.iter().filter(|(path, _)| is_shipped(path));
    let described = |text: &str| {
        let mut lines = text.lines().filter_map(|line| line.strip_prefix("description = "));
        lines.next().is_some_and(|words| words.len() > DESCRIPTION)
    };
    let places: Vec<String> = shipped.filter(|(_, text)| !described(text)).map(|(path, _)| path.clone()).collect();
    none(&places, "say in `description` what the package is");
}

#[test]
fn unsafe_code_is_forbidden() {
    let text = fs::read_to_string(Project::find().path("Cargo.toml")).unwrap();
    assert!(text.lines().any(|line| line == "unsafe_code = \"forbid\""), "Cargo.toml: forbid it for the workspace");
}
