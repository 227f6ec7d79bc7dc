//! The size of files, and their headers. The size of functions is clippy's to see.

use super::none;
use crate::source::{Source, shipped_sources, sources};

const FILE: usize = 500;
/// What we measure ourselves against. It stays as it was measured: figures of another day are compared with it.
const PEERS: &str = "benches/peers/";

fn measured() -> Vec<&'static Source> {
    let mut all = shipped_sources();
    let others = sources(&["xtask/src", "benches", "examples", "fuzz"]);
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
