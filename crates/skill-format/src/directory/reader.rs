//! Collects the files of a directory: which are read, which are left out, and what is a problem.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::bounds::{Content, Total, too_deep};
use super::kind::Kind;
use super::root::Root;
use crate::excerpt::Escaped;
use crate::pattern::Pattern;

/// Names that are never served and cause no warning.
const IGNORED: [&str; 3] = [".DS_Store", ".git", "__pycache__"];

/// What was read.
#[derive(Default)]
pub(super) struct Found {
    pub(super) files: Vec<(String, Vec<u8>)>,
    pub(super) left_out: Vec<String>,
    pub(super) problems: Vec<String>,
    pub(super) total: Total,
}

/// Reads from an open directory.
pub(super) struct Reader<'a> {
    root: Root,
    /// The path of the root, without links.
    path: &'a Path,
    /// The pattern of files that are read although they are left out.
    include: Option<&'a Pattern>,
    found: Found,
}

impl<'a> Reader<'a> {
    /// `total` is what was read before.
    pub(super) fn new(root: Root, path: &'a Path, include: Option<&'a Pattern>, total: Total) -> Self {
        Self { root, path, include, found: Found { total, ..Found::default() } }
    }

    pub(super) fn into_found(self) -> Found {
        self.found
    }

    /// Reads the matching files of one entry that was left out, and leaves the others out again. Returns whether one
    /// matches.
    pub(super) fn take(&mut self, left_out: String, pattern: &Pattern) -> bool {
        let Some(folder) = left_out.strip_suffix('/') else {
            let is_read = pattern.matches(&left_out) && self.any(&left_out);
            self.found.left_out.extend((!is_read).then_some(left_out));
            return is_read;
        };
        if !pattern.reaches(folder) {
            self.found.left_out.push(left_out);
            return false;
        }
        let mut inside = Vec::new();
        self.walk(&left_out, &mut inside);
        let (named, others): (Vec<_>, Vec<_>) = inside.into_iter().partition(|path| pattern.matches(path));
        let (read, refused): (Vec<_>, Vec<_>) = named.into_iter().partition(|path| self.any(path));
        self.found.left_out.extend(if read.is_empty() { vec![left_out] } else { [others, refused].concat() });
        !read.is_empty()
    }

    /// The paths of all files at any depth in a folder that was left out.
    fn walk(&mut self, folder: &str, found: &mut Vec<String>) {
        for (name, kind) in self.entries(folder) {
            let path = format!("{folder}{}", name.to_string_lossy());
            if kind == Kind::Folder {
                self.walk(&format!("{path}/"), found);
            } else {
                found.push(path);
            }
        }
    }

    /// Reads a folder and all below it. `folder` is empty or ends with `/`.
    pub(super) fn folder(&mut self, folder: &str) {
        for (name, kind) in self.entries(folder) {
            let shown = name.to_string_lossy();
            let path = format!("{folder}{shown}");
            if shown.starts_with('.') {
                self.found.left_out.push(if kind == Kind::Folder { format!("{path}/") } else { path });
            } else if name.to_str().is_none() {
                self.problem(format!("`{}` has a name that is not UTF-8: rename it", Escaped(&path)));
            } else if kind == Kind::Folder {
                self.folder(&format!("{path}/"));
            } else if !self.any(&path) {
                self.found.left_out.push(path);
            }
        }
    }

    /// The entries of a folder, without those that cause no warning.
    fn entries(&mut self, folder: &str) -> Vec<(OsString, Kind)> {
        if let Some(problem) = too_deep(folder) {
            self.problem(problem);
            return Vec::new();
        }
        match self.root.entries(Path::new(folder)) {
            Ok(entries) => {
                entries.into_iter().filter(|(name, _)| !IGNORED.iter().any(|ignored| name == ignored)).collect()
            }
            Err(error) => {
                let name = if folder.is_empty() { self.path.display().to_string() } else { folder.to_owned() };
                self.problem(unreadable("directory", &name, &error));
                Vec::new()
            }
        }
    }

    /// Reads a file, or the file that a link leads to. Returns whether the path was a file or a link, valid or not.
    /// Nothing else is opened, because an open of a device can change it.
    fn any(&mut self, path: &str) -> bool {
        let place = Path::new(path);
        match self.root.kind(place) {
            Ok(Kind::File) => self.file(place, path),
            Ok(Kind::Link) => match self.target(path) {
                Ok(target) => self.file(&target, path),
                Err(problem) => self.problem(format!("link `{}` leads {problem}", Escaped(path))),
            },
            Ok(Kind::Folder | Kind::Other) => return false,
            Err(error) => self.problem(unreadable("file", path, &error)),
        }
        true
    }

    /// The path inside the directory to which a link leads. Links are resolved by path here; that is safe, because
    /// the result is opened without following another one.
    fn target(&self, link: &str) -> Result<PathBuf, String> {
        let nowhere = |error: io::Error| format!("nowhere ({error}): remove it");
        let target = fs::canonicalize(self.path.join(link)).map_err(nowhere)?;
        let Ok(inside) = target.strip_prefix(self.path) else {
            return Err("out of the skill: put a copy of the file in its place".to_owned());
        };
        match self.root.kind(inside).map_err(nowhere)? {
            Kind::Folder => Err("to a directory: put the files themselves in its place".to_owned()),
            Kind::Other => Err("to a pipe, a socket or a device: put a file in its place".to_owned()),
            _ if self.is_left_out(inside) => {
                let shown = inside.to_string_lossy();
                Err(format!("to `{}`, which is left out: put a copy of the file in its place", Escaped(&shown)))
            }
            _ => Ok(inside.to_owned()),
        }
    }

    /// Whether a name in the path is one that is left out, and no pattern includes the path.
    fn is_left_out(&self, path: &Path) -> bool {
        let names: Vec<_> = path.iter().map(|name| name.to_string_lossy()).collect();
        let is_ignored = names.iter().any(|name| IGNORED.iter().any(|ignored| name == ignored));
        let is_hidden = names.iter().any(|name| name.starts_with('.'));
        is_ignored || is_hidden && !self.include.is_some_and(|pattern| pattern.matches(&names.join("/")))
    }

    fn file(&mut self, place: &Path, path: &str) {
        if self.found.total.is_exceeded() {
            return;
        }
        let opened = self.root.file(place);
        let total = &mut self.found.total;
        match opened.and_then(|file| file.metadata().and_then(|found| total.read(file, found.len(), path))) {
            Ok(Content::Bytes(bytes)) => self.found.files.push((path.to_owned(), bytes)),
            Ok(Content::TooLarge(problem)) => self.problem(problem),
            Err(error) => self.problem(unreadable("file", path, &error)),
        }
    }

    fn problem(&mut self, problem: String) {
        self.found.problems.push(problem);
    }
}

pub(super) fn unreadable(kind: &str, name: &str, error: &io::Error) -> String {
    format!("{kind} `{}` cannot be read: {error}", Escaped(name))
}
