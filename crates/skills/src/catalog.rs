//! All skills of a server: checked, with their files merged. Each file's digest is of the bytes that are served.

mod check;
mod files;
mod notes;

use std::collections::{BTreeMap, HashMap};

use grange_core::{DefinitionError, Resource};
use serde_json::value::RawValue;

use self::check::{Checked, check};
use self::files::{Files, folders};
use self::notes::Notes;
use crate::entry::{Entry, FileEntry, Manifest};
use crate::folders::Folders;
use crate::skill::Skill;

/// The resources and lists of the skills, or the problems in them.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    /// The entries of the listed skills, by URI.
    pub(crate) listed: Vec<Box<RawValue>>,
    /// The entries of all skills, by the URI of their `SKILL.md`.
    pub(crate) by_uri: HashMap<String, Box<RawValue>>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) folders: Folders,
    pub(crate) errors: Vec<DefinitionError>,
    pub(crate) warnings: Vec<String>,
}

impl Catalog {
    pub(crate) fn new(skills: &[Skill]) -> Self {
        let mut notes = Notes::default();
        if skills.is_empty() {
            notes.errors.push(DefinitionError::new("skills", "there are none: add one, or leave the extension out"));
        }
        let checked: BTreeMap<String, Checked<'_>> = check(skills, &mut notes);
        let files = Files::merge(&checked, &mut notes);
        let Notes { errors, warnings } = notes;
        if !errors.is_empty() {
            return Self { errors, warnings, ..Self::default() };
        }
        Self { errors, warnings, ..Self::served(&checked, files) }
    }

    fn served(checked: &BTreeMap<String, Checked<'_>>, files: Files) -> Self {
        let (mut listed, mut by_uri) = (BTreeMap::new(), HashMap::new());
        for (root, skill) in checked {
            let uri = format!("{root}/SKILL.md");
            let entry = entry(&uri, root, skill, &files);
            if skill.skill.is_listed {
                listed.insert(uri.clone(), entry.clone());
            }
            by_uri.insert(uri, entry);
        }
        // Sorted by URI, which differs from the order of the roots: `close-all/SKILL.md` is before `close/SKILL.md`.
        let listed = listed.into_values().collect();
        let folders = folders(checked, &files);
        Self { listed, by_uri, folders, resources: files.into_resources(), ..Self::default() }
    }
}

fn entry(uri: &str, root: &str, skill: &Checked<'_>, files: &Files) -> Box<RawValue> {
    let resources = match skill.skill.generated {
        Some(_) => Manifest::Dynamic("dynamic"),
        None => Manifest::Complete(
            files.under(root).map(|(uri, file)| FileEntry { uri, digest: &file.digest, size: file.size }).collect(),
        ),
    };
    serde_json::value::to_raw_value(&Entry { uri, frontmatter: &skill.frontmatter, resources })
        .expect("strings and numbers are representable")
}
