//! Two copies of a folder: which of their files differ.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::process::{Failure, Outcome};

/// The files below a folder, by path relative to it.
#[derive(Debug, Default)]
pub(crate) struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    /// All of them, but what Python caches.
    pub(crate) fn read(folder: &Path) -> Outcome<Self> {
        let mut files = Self::default();
        files.collect(folder, "")?;
        Ok(files)
    }

    fn collect(&mut self, folder: &Path, before: &str) -> Outcome {
        let unreadable = |error| Failure::new(format!("{}: {error}", folder.display()));
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                if name != "__pycache__" {
                    self.collect(&path, &format!("{before}{name}/"))?;
                }
            } else {
                self.0.insert(format!("{before}{name}"), fs::read(&path).map_err(unreadable)?);
            }
        }
        Ok(())
    }
}

/// Each file that is not the same in both, with what is the matter.
pub(crate) fn differences(ours: &Files, theirs: &Files) -> Vec<String> {
    let (ours, theirs) = (&ours.0, &theirs.0);
    let changed = ours.iter().filter_map(|(path, contents)| match theirs.get(path) {
        None => Some(format!("{path} (only in ours)")),
        Some(other) if other != contents => Some(path.clone()),
        Some(_) => None,
    });
    let added = theirs.keys().filter(|path| !ours.contains_key(*path)).map(|path| format!("{path} (new)"));
    changed.chain(added).collect()
}

#[cfg(test)]
mod tests {
    use super::{Files, differences};
    use crate::project::Project;

    fn files(of: &[(&str, &str)]) -> Files {
        Files(of.iter().map(|(path, contents)| ((*path).to_owned(), contents.as_bytes().to_vec())).collect())
    }

    #[test]
    fn every_file_that_differs_is_named() {
        let ours = files(&[("a.py", "1"), ("b.md", "2"), ("c/d", "3")]);
        assert!(differences(&ours, &files(&[("a.py", "1"), ("b.md", "2"), ("c/d", "3")])).is_empty());
        let theirs = files(&[("a.py", "1 "), ("c/d", "3"), ("e.py", "")]);
        assert_eq!(differences(&ours, &theirs), ["a.py", "b.md (only in ours)", "e.py (new)"]);
    }

    #[test]
    fn files_are_read_with_those_of_folders_below() {
        let folder = Project::find().path("docs");
        let files = Files::read(&folder).unwrap();
        assert!(files.0.contains_key("architecture.md") && files.0.contains_key("contract/wire.md"));
        assert!(Files::read(&folder.join("none")).is_err());
    }
}
