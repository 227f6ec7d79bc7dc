//! The files of all skills by URI. A file in a skill inside another belongs to both.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use grange_core::Resource;
use grange_skill_format::{check_file_set, left_out_warning, mime_type};

use super::check::Checked;
use super::notes::Notes;
use crate::entry::{Child, digest};
use crate::folders::Folders;

/// The number of files and bytes per skill that every host must accept (SEP-2640, "Limits").
const FILES: usize = 512;
const BYTES: usize = 16 * 1024 * 1024;

/// The resources under `skill://…`.
pub(super) struct Files {
    fixed: BTreeMap<String, File>,
    generated: BTreeMap<String, Resource>,
}

/// A file with known bytes.
pub(super) struct File {
    pub(super) digest: String,
    pub(super) size: usize,
    bytes: Bytes,
    name: String,
    description: Option<String>,
    mime_type: &'static str,
}

impl Files {
    pub(super) fn merge(skills: &BTreeMap<String, Checked<'_>>, notes: &mut Notes) -> Self {
        let mut files = Self { fixed: BTreeMap::new(), generated: BTreeMap::new() };
        for (root, checked) in skills {
            for (path, bytes) in &checked.skill.files {
                files.add(root, path, bytes, checked, notes);
            }
            for resource in checked.skill.generated.iter().flatten() {
                let uri = resource.uri();
                if files.generated.insert(uri.to_owned(), resource.clone()).is_some() {
                    notes.error(&checked.skill.path, format!("resource `{uri}` is there twice: leave one out"));
                }
            }
        }
        for (root, checked) in skills {
            files.check(root, checked, skills, notes);
            files.check_limits(root, checked, notes);
            files.check_left_out(root, checked, notes);
        }
        files
    }

    /// Adds a file. Roots are in order, so the innermost skill is the last one to name the file.
    fn add(&mut self, root: &str, path: &str, bytes: &Bytes, checked: &Checked<'_>, notes: &mut Notes) {
        let uri = format!("{root}/{path}");
        if self.fixed.get(&uri).is_some_and(|other| other.bytes != bytes) {
            let problem =
                format!("file `{path}` is served by a skill around this one with other bytes: keep one of them");
            notes.error(&checked.skill.path, problem);
        }
        let is_main = path == "SKILL.md";
        let file = File {
            digest: digest(bytes),
            size: bytes.len(),
            bytes: bytes.clone(),
            name: if is_main { checked.name.clone() } else { format!("{}/{path}", checked.name) },
            description: is_main.then(|| checked.description.clone()),
            mime_type: mime_type(path, bytes),
        };
        self.fixed.insert(uri, file);
    }

    fn check(&self, root: &str, checked: &Checked<'_>, skills: &BTreeMap<String, Checked<'_>>, notes: &mut Notes) {
        let path = &checked.skill.path;
        let is_complete = checked.skill.generated.is_none();
        if let Some(uri) = self.generated_under(root).next().filter(|_| is_complete) {
            notes
                .error(path, format!("`{uri}` inside it is generated, so it has no digest: make this one dynamic too"));
        }
        for (uri, _) in self.under(root) {
            let inner = uri.strip_suffix("/SKILL.md").filter(|inner| !skills.contains_key(*inner));
            if let Some(inner) = inner.and_then(|inner| inner.strip_prefix("skill://")) {
                notes.warning(
                    path,
                    format_args!("`{inner}` inside it has a SKILL.md and is no skill: add it as one, at that path"),
                );
            }
        }
        // The skill's own files were checked before: a new collision is with a file of a skill inside it.
        let all: BTreeSet<&str> = self.under(root).map(|(uri, _)| uri).chain(self.generated_under(root)).collect();
        for error in check_file_set(all.iter().map(|uri| &uri[root.len() + 1..])).err().into_iter().flatten() {
            notes.error(path, error.to_string());
        }
    }

    fn check_limits(&self, root: &str, checked: &Checked<'_>, notes: &mut Notes) {
        let path = &checked.skill.path;
        let (count, bytes) = self.under(root).fold((0, 0), |(count, bytes), (_, file)| (count + 1, bytes + file.size));
        if count > FILES {
            notes.warning(
                path,
                format_args!("has {count} files, and a host need not take more than {FILES}: serve fewer"),
            );
        }
        if bytes > BYTES {
            notes.warning(
                path,
                format_args!("has {bytes} bytes, and a host need not take more than {BYTES}: serve fewer"),
            );
        }
    }

    /// A file that one skill leaves out may still be served by a skill inside or around it.
    fn check_left_out(&self, root: &str, checked: &Checked<'_>, notes: &mut Notes) {
        let is_served = |path: &str| self.fixed.contains_key(&format!("{root}/{path}"));
        let left_out = checked.skill.left_out.iter().map(String::as_str).filter(|path| !is_served(path));
        if let Some(warning) = left_out_warning(left_out) {
            notes.warning(&checked.skill.path, warning);
        }
    }

    /// The files under a root, with their URIs.
    pub(super) fn under<'a>(&'a self, root: &str) -> impl Iterator<Item = (&'a str, &'a File)> + use<'a> {
        let prefix = format!("{root}/");
        let from = self.fixed.range(prefix.clone()..);
        from.take_while(move |(uri, _)| uri.starts_with(&prefix)).map(|(uri, file)| (uri.as_str(), file))
    }

    fn generated_under<'a>(&'a self, root: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let prefix = format!("{root}/");
        self.generated.keys().map(String::as_str).filter(move |uri| uri.starts_with(&prefix))
    }

    /// All files as resources, by URI. `build()` reports a generated file with the same URI as a fixed one.
    pub(super) fn into_resources(self) -> Vec<Resource> {
        let fixed = self.fixed.into_iter().map(|(uri, file)| file.into_resource(uri));
        let mut resources: Vec<_> = fixed.chain(self.generated.into_values()).collect();
        resources.sort_by(|one, other| one.uri().cmp(other.uri()));
        resources
    }
}

impl File {
    fn into_resource(self, uri: String) -> Resource {
        let mut builder = Resource::builder().uri(uri).name(self.name).mime_type(self.mime_type);
        if let Some(description) = self.description {
            builder = builder.description(description);
        }
        match String::from_utf8(self.bytes.into()) {
            Ok(text) => builder.text(text).build(),
            Err(error) => builder.bytes(error.into_bytes()).build(),
        }
    }
}

/// The folders of all skills.
pub(super) fn folders(skills: &BTreeMap<String, Checked<'_>>, files: &Files) -> Folders {
    let mut folders = Folders::default();
    for root in skills.keys() {
        for (uri, file) in files.under(root) {
            let (name, description) = (file.name.clone(), file.description.clone());
            let (mime_type, size) = (file.mime_type.to_owned(), Some(file.size));
            folders.add(root, &Child { uri: uri.to_owned(), name, description, mime_type, size });
        }
        for uri in files.generated_under(root) {
            let name = files.generated[uri].name().to_owned();
            let declared = files.generated[uri].mime_type();
            let mime_type = declared.unwrap_or_else(|| mime_type(uri, b"")).to_owned();
            folders.add(root, &Child { uri: uri.to_owned(), name, description: None, mime_type, size: None });
        }
    }
    folders
}
