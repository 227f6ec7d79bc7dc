//! The folders of the skills, for `resources/directory/read`: the root of each skill and all levels below, with their
//! direct children.

use std::collections::BTreeMap;

use crate::entry::Child;

const FOLDER: &str = "inode/directory";

/// The children of each folder, by the folder's URI without a slash at its end.
#[derive(Debug, Default)]
pub(crate) struct Folders(BTreeMap<String, BTreeMap<String, Child>>);

impl Folders {
    /// Adds a file, and the folders from the skill's root down to it.
    pub(crate) fn add(&mut self, root: &str, file: &Child) {
        let inside = file.uri.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')).unwrap_or_default();
        let mut folder = root.to_owned();
        for (end, _) in inside.match_indices('/') {
            let uri = format!("{root}/{}", &inside[..end]);
            let name = uri.rsplit('/').next().unwrap_or_default().to_owned();
            let child = Child { uri: uri.clone(), name, description: None, mime_type: FOLDER.to_owned(), size: None };
            self.0.entry(folder).or_default().insert(uri.clone(), child);
            folder = uri;
        }
        self.0.entry(folder).or_default().insert(file.uri.clone(), file.clone());
    }

    /// The children of a folder, in the order of their URIs; `None` if the URI is not one of a folder.
    pub(crate) fn children(&self, uri: &str) -> Option<Vec<Child>> {
        Some(self.0.get(uri)?.values().cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(uri: &str) -> Child {
        let name = uri.rsplit('/').next().unwrap_or_default().to_owned();
        Child { uri: uri.to_owned(), name, description: None, mime_type: "text/plain".to_owned(), size: Some(1) }
    }

    #[test]
    fn the_root_and_all_levels_below_are_folders() {
        let mut folders = Folders::default();
        folders.add("skill://acme/refunds", &file("skill://acme/refunds/SKILL.md"));
        folders.add("skill://acme/refunds", &file("skill://acme/refunds/a/b/deep.txt"));
        let names = |uri: &str| {
            let children = folders.children(uri)?;
            Some(children.iter().map(|child| format!("{} {}", child.name, child.mime_type)).collect::<Vec<_>>())
        };
        assert_eq!(names("skill://acme/refunds"), Some(vec!["SKILL.md text/plain".into(), "a inode/directory".into()]));
        assert_eq!(names("skill://acme/refunds/a"), Some(vec!["b inode/directory".into()]));
        assert_eq!(names("skill://acme/refunds/a/b"), Some(vec!["deep.txt text/plain".into()]));
        for none in
            ["skill://acme", "skill://acme/refunds/", "skill://acme/refunds/SKILL.md", "skill://acme/refunds/a/b/c"]
        {
            assert_eq!(names(none), None, "{none}");
        }
    }
}
