//! Imports go one way: no circle of files, and no file that takes from the one above it.

use std::collections::{BTreeMap, BTreeSet};

use crate::imports::{Crate, circles};
use crate::source::shipped_sources;

/// The one circle that is meant: a provider is made with a context, and a context gives what providers made.
const MEANT: [&str; 2] = ["crates/core/src/define/context.rs", "crates/core/src/define/provide.rs"];

fn crates() -> Vec<Crate> {
    let sources = shipped_sources();
    let folders: BTreeSet<&str> =
        sources.iter().filter_map(|source| source.path.find("/src/").map(|at| &source.path[..at + 4])).collect();
    folders.into_iter().map(|folder| Crate::read(folder, sources.iter().copied())).collect()
}

/// What is still to be untied: how many files of a folder lie in circles. The list only gets shorter.
const CIRCLES: &[(&str, usize)] = &[];

/// The same for imports from the file above.
const PARENTS: &[(&str, usize)] = &[];

#[test]
fn no_files_import_each_other_in_a_circle() {
    let meant: BTreeSet<String> = MEANT.map(str::to_owned).into();
    let found: Vec<_> =
        crates().iter().flat_map(|each| circles(&each.imports())).filter(|(files, _)| *files != meant).collect();
    let files: Vec<&str> = found.iter().flat_map(|(files, _)| files).map(String::as_str).collect();
    let ties: Vec<String> =
        found.iter().map(|(files, ties)| format!("{} files:\n    {}", files.len(), ties.join("\n    "))).collect();
    assert_eq!(
        counted(&files),
        CIRCLES,
        "files import each other in a circle: move what ties them to a file below both:\n  {}",
        ties.join("\n  ")
    );
}

#[test]
fn no_file_imports_from_the_one_above_it() {
    let places: Vec<String> = crates().iter().flat_map(Crate::taken_from_above).collect();
    let files: Vec<&str> = places.iter().map(String::as_str).collect();
    assert_eq!(
        counted(&files),
        PARENTS,
        "a parent that has code is not imported by its children: move the code to a child, or to a sibling:\n  {}",
        places.join("\n  ")
    );
}

/// How many of these files each crate has.
fn counted<'a>(files: &[&'a str]) -> Vec<(&'a str, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files {
        *counts.entry(file.split("/src/").next().unwrap_or(file)).or_default() += 1;
    }
    counts.into_iter().collect()
}
