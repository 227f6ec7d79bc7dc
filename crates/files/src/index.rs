//! What a directory held when it was read: pure data, by folder. What differs between two of them is in `diff.rs`.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::time::SystemTime;

/// The device and the number of a file or folder, which tell it from another one at its path. `None` on systems without them.
pub(crate) type Identity = Option<(u64, u64)>;

/// A regular file, or a link to one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct File {
    pub(crate) size: u64,
    pub(crate) modified: Option<SystemTime>,
    pub(crate) identity: Identity,
}

/// One folder, without the folders in it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Folder {
    pub(crate) identity: Identity,
    /// A link can lead to another file although nothing in its folder has changed.
    pub(crate) has_links: bool,
    /// By name.
    pub(crate) files: BTreeMap<String, File>,
}

/// Folders by their paths below the root, which is the empty path.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Index {
    pub(crate) folders: BTreeMap<String, Folder>,
}

impl Index {
    /// The number of files.
    pub(crate) fn len(&self) -> usize {
        self.folders.values().map(|folder| folder.files.len()).sum()
    }

    /// Every file with its path below the root.
    pub(crate) fn files(&self) -> impl Iterator<Item = (String, &File)> {
        self.folders.iter().flat_map(|(path, folder)| folder.files.iter().map(|(name, file)| (join(path, name), file)))
    }

    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        let (folder, name) = split(path);
        self.folders.get(folder)?.files.get(name)
    }

    /// The names of the folders directly in this one.
    pub(crate) fn subfolders(&self, path: &str) -> Vec<String> {
        let names = self.below(path).filter_map(|below| {
            let name = if path.is_empty() { below } else { below.strip_prefix(path)?.strip_prefix('/')? };
            (!name.contains('/')).then(|| name.to_owned())
        });
        names.collect()
    }

    /// Removes a folder and all below it.
    pub(crate) fn take(&mut self, path: &str) -> Self {
        let below: Vec<String> = self.below(path).cloned().collect();
        let paths = below.into_iter().chain([path.to_owned()]);
        let folders = paths.filter_map(|path| self.folders.remove_entry(&path)).collect();
        Self { folders }
    }

    /// Adds the folders of another index, in place of those with the same paths.
    pub(crate) fn extend(&mut self, other: Self) {
        self.folders.extend(other.folders);
    }

    /// The paths of all folders below this one.
    fn below<'a>(&'a self, path: &str) -> impl Iterator<Item = &'a String> + use<'a> {
        let start = if path.is_empty() { String::new() } else { format!("{path}/") };
        let range = self.folders.range::<str, _>((Bound::Excluded(start.as_str()), Bound::Unbounded));
        range.map(|(below, _)| below).take_while(move |below| below.starts_with(&start))
    }
}

/// The path of an entry of a folder.
pub(crate) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The folder and the name of a path.
pub(crate) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

#[cfg(test)]
mod tests {
    use super::{Folder, Index, join, split};

    fn index(paths: &[&str]) -> Index {
        Index { folders: paths.iter().map(|path| ((*path).to_owned(), Folder::default())).collect() }
    }

    #[test]
    fn a_folder_is_taken_with_all_below_it_and_nothing_beside_it() {
        let mut all = index(&["", "a", "a-b", "a/b", "a/b/c", "ab", "b"]);
        assert_eq!(all.subfolders(""), ["a", "a-b", "ab", "b"]);
        assert_eq!(all.subfolders("a"), ["b"]);
        assert_eq!(all.take("a"), index(&["a", "a/b", "a/b/c"]));
        assert_eq!(all, index(&["", "a-b", "ab", "b"]));
        assert_eq!(all.clone().take(""), all);
    }

    #[test]
    fn a_path_is_a_folder_and_a_name() {
        for (path, folder, name) in [("a/b/c", "a/b", "c"), ("c", "", "c")] {
            assert_eq!(split(path), (folder, name));
            assert_eq!(join(folder, name), path);
        }
    }
}
