//! Imports go one way: no circle of files, and no file that takes from the one above it.

use std::collections::BTreeSet;

use super::none;
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

#[test]
fn no_files_import_each_other_in_a_circle() {
    let meant: BTreeSet<String> = MEANT.map(str::to_owned).into();
    let found: Vec<_> =
        crates().iter().flat_map(|each| circles(&each.imports())).filter(|(files, _)| *files != meant).collect();
    let ties: Vec<String> =
        found.iter().map(|(files, ties)| format!("{} files:\n    {}", files.len(), ties.join("\n    "))).collect();
    none(&ties, "files import each other in a circle: move what ties them to a file below both");
}

#[test]
fn no_file_imports_from_the_one_above_it() {
    let places: Vec<String> = crates().iter().flat_map(Crate::taken_from_above).collect();
    none(&places, "a parent that has code is not imported by its children: move the code to a child, or to a sibling");
}
