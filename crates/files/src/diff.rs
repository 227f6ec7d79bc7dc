//! What differs between two indexes of a directory.

use std::collections::BTreeSet;

use crate::index::{File, Identity, Index};

/// The files that were written to.
#[derive(Debug, Default)]
pub(crate) struct Written<'a> {
    paths: BTreeSet<&'a str>,
    /// A file can have several paths, and links.
    identities: BTreeSet<Identity>,
}

impl<'a> Written<'a> {
    /// The files at these paths of an index.
    pub(crate) fn new(paths: impl IntoIterator<Item = &'a str>, index: &Index) -> Self {
        let paths: BTreeSet<_> = paths.into_iter().collect();
        let identities = paths.iter().filter_map(|path| index.file(path)).map(|file| file.identity);
        Self { identities: identities.collect(), paths }
    }

    fn contains(&self, path: &str, file: &File) -> bool {
        self.paths.contains(path) || file.identity.is_some() && self.identities.contains(&file.identity)
    }
}

/// Paths of files that came, changed or went.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Diff {
    pub(crate) inserted: BTreeSet<String>,
    pub(crate) updated: BTreeSet<String>,
    pub(crate) removed: BTreeSet<String>,
}

impl Diff {
    /// What makes the second of the first. A file that was written to counts as changed although its metadata are the same: a write can
    /// leave the size and, within the grain of the clock, the time.
    pub(crate) fn between(before: &Index, after: &Index, written: &Written<'_>) -> Self {
        let mut diff = Self::default();
        for (path, file) in after.files() {
            match before.file(&path) {
                None => diff.inserted.insert(path),
                Some(old) if old != file || written.contains(&path, file) => diff.updated.insert(path),
                Some(_) => false,
            };
        }
        let removed = before.files().map(|(path, _)| path).filter(|path| after.file(path).is_none());
        diff.removed = removed.collect();
        diff
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.inserted.is_empty() && self.updated.is_empty() && self.removed.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::{Duration, SystemTime};

    use proptest::prelude::*;

    use super::{Diff, Written};
    use crate::index::{File, Index, split};

    type Files = BTreeMap<String, File>;

    fn files() -> impl Strategy<Value = Files> {
        let file = (0..3_u64, 0..2_u64, 0..4_u64).prop_map(|(size, second, number)| File {
            size,
            modified: Some(SystemTime::UNIX_EPOCH + Duration::from_secs(second)),
            identity: Some((1, number)),
        });
        prop::collection::btree_map("([ab]/){0,2}[cd]", file, 0..8)
    }

    fn index(files: &Files) -> Index {
        let mut index = Index::default();
        for (path, file) in files {
            let (folder, name) = split(path);
            index.folders.entry(folder.to_owned()).or_default().files.insert(name.to_owned(), *file);
        }
        index
    }

    proptest! {
        #[test]
        fn l4_10_a_diff_makes_the_second_index_of_the_first(before in files(), after in files(), written in "([ab]/){0,2}[cd]") {
            let written = Written::new([written.as_str()], &index(&after));
            let diff = Diff::between(&index(&before), &index(&after), &written);
            let mut made = before.clone();
            for path in &diff.removed {
                prop_assert!(made.remove(path).is_some());
            }
            for path in &diff.inserted {
                prop_assert!(made.insert(path.clone(), after[path]).is_none());
            }
            for path in &diff.updated {
                let old = made.insert(path.clone(), after[path]);
                prop_assert!(old != Some(after[path]) || written.contains(path, &after[path]));
            }
            prop_assert_eq!(&made, &after);
            let mut rewritten = after.iter().filter(|(path, file)| written.contains(path, file) && before.contains_key(*path));
            prop_assert!(rewritten.all(|(path, _)| diff.updated.contains(path)));
            prop_assert!(Diff::between(&index(&after), &index(&after), &Written::default()).is_empty());
        }
    }
}
