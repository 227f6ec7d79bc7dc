//! The size of files and functions, and their headers.

use super::none;
use crate::project::Project;
use crate::source::{Source, shipped_sources, sources};

const FILE: usize = 500;
const FUNCTION: usize = 60;
/// What we measure ourselves against. It stays as it was measured: figures of another day are compared with it.
const PEERS: &str = "benches/peers/";

fn measured() -> Vec<Source> {
    let project = Project::find();
    let mut all = shipped_sources(&project);
    let others = sources(&project, &["xtask/src", "benches", "examples", "fuzz"]);
    all.extend(others.into_iter().filter(|source| !source.path.starts_with(PEERS)));
    all
}

#[test]
fn every_file_says_what_it_is_for() {
    let sources = measured();
    let bare = sources.iter().filter(|source| !source.text.starts_with("//! "));
    let places: Vec<String> = bare.map(|source| source.path.clone()).collect();
    none(&places, "a file opens with `//!`: what it is for, what it is not for");
}

#[test]
fn no_file_is_over_500_lines() {
    let sources = measured();
    let lengths = sources.iter().map(|source| (source.lines_without_tests(), &source.path));
    let long = lengths.filter(|(lines, _)| *lines > FILE).map(|(lines, path)| format!("{path}: {lines} lines"));
    none(&long.collect::<Vec<_>>(), "a file has at most 500 lines without tests: find the seam");
}

#[test]
fn no_function_is_over_60_lines() {
    let sources = measured();
    let functions = sources.iter().flat_map(|source| source.functions().into_iter().map(move |f| (source, f)));
    let long = functions.filter(|(_, function)| function.lines > FUNCTION);
    let places = long.map(|(source, f)| format!("{}:{}: `{}` has {} lines", source.path, f.line, f.name, f.lines));
    none(&places.collect::<Vec<_>>(), "a function has at most 60 lines: name its parts");
}
