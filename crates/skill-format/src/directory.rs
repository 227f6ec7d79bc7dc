//! Reads a skill's directory. **Only this file of the crate reads a disk.**
//!
//! The macro uses it at compile time and the runtime at start; both leave out the same files, warn about them, and
//! reject the same links. It does not check whether the files are a valid skill.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::excerpt::{Escaped, Excerpt};
use crate::pattern::Pattern;

/// The content of a directory at the time of the read.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Directory {
    /// The directory's own name.
    pub name: String,
    /// The files with their paths inside the directory, `/` between segments, in the order of the paths.
    pub files: Vec<(String, Vec<u8>)>,
    /// The paths that were left out: names that begin with a dot (a folder with a `/` at its end, without its files),
    /// and what is neither a file nor a directory. `.git`, `.DS_Store` and `__pycache__` are not in the list.
    pub left_out: Vec<String>,
    /// Files that could not be read or must not be, each with its remedy.
    pub problems: Vec<String>,
    /// The directory's path with links resolved.
    root: PathBuf,
    /// The paths of all files read so far.
    read: Vec<String>,
}

/// Names that are never served and cause no warning.
const IGNORED: [&str; 3] = [".DS_Store", ".git", "__pycache__"];

impl Directory {
    /// Reads a directory and all below it, except names that begin with a dot, `__pycache__`, and what is neither a
    /// file nor a directory. A symbolic link to a file inside the directory is followed; any other link is a problem,
    /// so that no file from elsewhere is served by accident.
    /// ```
    /// use grange_skill_format::Directory;
    /// let missing = Directory::read("no/such/skill".as_ref());
    /// assert_eq!(missing.name, "skill");
    /// assert!(missing.problems[0].starts_with("directory `no/such/skill` cannot be read: "));
    /// ```
    pub fn read(root: &Path) -> Self {
        let mut directory = Self::default();
        match fs::canonicalize(root) {
            Ok(real) => {
                directory.name = last_segment(&real);
                directory.root = real;
                directory.folder("");
                directory.sort();
            }
            Err(error) => {
                directory.name = last_segment(root);
                directory.problems.push(unreadable("directory", &root.display().to_string(), &error));
            }
        }
        directory
    }

    /// Reads the files that were left out and match the pattern. A pattern that matches no file is a problem.
    /// ```
    /// use grange_skill_format::{Directory, Pattern};
    /// let mut release_notes = Directory::read("../../examples/skills/release-notes".as_ref());
    /// release_notes.include(&"**/.nothing".parse()?);
    /// assert!(release_notes.problems[0].starts_with("include `**/.nothing` names no file"));
    /// # Ok::<(), grange_skill_format::PatternError>(())
    /// ```
    pub fn include(&mut self, pattern: &Pattern) {
        // The directory could not be read, which is already a problem.
        if self.root.as_os_str().is_empty() {
            return;
        }
        let names_one = self.read.iter().any(|path| pattern.matches(path));
        let mut taken = false;
        for left_out in std::mem::take(&mut self.left_out) {
            let kept = self.take(left_out, pattern, &mut taken);
            self.left_out.extend(kept);
        }
        self.sort();
        if !names_one && !taken {
            self.problems.push(self.names_nothing(pattern.as_str()));
        }
    }

    /// Reads the matching files of one entry that was left out; returns the paths that remain left out.
    fn take(&mut self, left_out: String, pattern: &Pattern, taken: &mut bool) -> Vec<String> {
        let Some(folder) = left_out.strip_suffix('/') else {
            let is_read = pattern.matches(&left_out) && self.any(&left_out);
            *taken |= is_read;
            return if is_read { Vec::new() } else { vec![left_out] };
        };
        if !pattern.reaches(folder) {
            return vec![left_out];
        }
        let mut inside = Vec::new();
        self.walk(&left_out, &mut inside);
        let (named, others): (Vec<_>, Vec<_>) = inside.into_iter().partition(|path| pattern.matches(path));
        let (read, refused): (Vec<_>, Vec<_>) = named.into_iter().partition(|path| self.any(path));
        *taken |= !read.is_empty();
        if read.is_empty() { vec![left_out] } else { [others, refused].concat() }
    }

    /// The paths of all files at any depth in a folder that was left out.
    fn walk(&mut self, folder: &str, found: &mut Vec<String>) {
        for (name, kind) in self.entries(folder) {
            let path = format!("{folder}{}", name.to_string_lossy());
            if kind.is_dir() {
                self.walk(&format!("{path}/"), found);
            } else {
                found.push(path);
            }
        }
    }

    fn folder(&mut self, folder: &str) {
        for (name, kind) in self.entries(folder) {
            let (path, hidden) =
                (format!("{folder}{}", name.to_string_lossy()), name.to_string_lossy().starts_with('.'));
            if hidden {
                self.left_out.push(if kind.is_dir() { format!("{path}/") } else { path });
            } else if name.to_str().is_none() {
                self.problems.push(format!("`{}` has a name that is not UTF-8: rename it", Escaped(&path)));
            } else if kind.is_dir() {
                self.folder(&format!("{path}/"));
            } else if !self.any(&path) {
                self.left_out.push(path);
            }
        }
    }

    /// The entries of a folder, without those that cause no warning. `folder` is empty or ends with `/`.
    fn entries(&mut self, folder: &str) -> Vec<(std::ffi::OsString, fs::FileType)> {
        let place = self.root.join(folder);
        let entry =
            |entry: io::Result<fs::DirEntry>| entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?)));
        match fs::read_dir(&place).and_then(|entries| entries.map(entry).collect::<io::Result<Vec<_>>>()) {
            Ok(entries) => {
                entries.into_iter().filter(|(name, _)| !IGNORED.iter().any(|ignored| name == ignored)).collect()
            }
            Err(error) => {
                let name = if folder.is_empty() { place.display().to_string() } else { folder.to_owned() };
                self.problems.push(unreadable("directory", &name, &error));
                Vec::new()
            }
        }
    }

    /// Reads a file, or the file that a link leads to. Returns whether the path was a file or a link, valid or not.
    /// Nothing else is opened, because a read of a pipe could block.
    fn any(&mut self, path: &str) -> bool {
        let place = self.root.join(path);
        match fs::symlink_metadata(&place) {
            Ok(found) if found.is_file() => self.file(&place, path),
            Ok(found) if found.is_symlink() => self.link(&place, path),
            Ok(_) => return false,
            Err(error) => self.problems.push(unreadable("file", path, &error)),
        }
        true
    }

    fn link(&mut self, link: &Path, path: &str) {
        let quoted = Escaped(path);
        match fs::canonicalize(link) {
            Err(error) => self.problems.push(format!("link `{quoted}` leads nowhere ({error}): remove it")),
            Ok(target) if !target.starts_with(&self.root) => {
                self.problems
                    .push(format!("link `{quoted}` leads out of the skill: put a copy of the file in its place"));
            }
            Ok(target) if target.is_file() => self.file(&target, path),
            Ok(_) => self
                .problems
                .push(format!("link `{quoted}` leads to a directory: put the files themselves in its place")),
        }
    }

    fn file(&mut self, file: &Path, path: &str) {
        match fs::read(file) {
            Ok(bytes) => {
                self.read.push(path.to_owned());
                self.files.push((path.to_owned(), bytes));
            }
            Err(error) => self.problems.push(unreadable("file", path, &error)),
        }
    }

    fn names_nothing(&self, pattern: &str) -> String {
        let inside = format!("{pattern}/");
        let paths = || self.read.iter().chain(&self.left_out);
        let quoted = Excerpt(pattern);
        if paths().any(|path| path.starts_with(&inside)) {
            return format!("include `{quoted}` names a directory: write `{quoted}/**` for all in it");
        }
        let names: Vec<&str> = paths().map(|path| path.trim_end_matches('/')).collect();
        let remedy = match grange_uri::nearest(pattern, &names) {
            Some(meant) => format!("did you mean `{}`?", Excerpt(meant)),
            None => "write the path of one, or a pattern with `*` for characters and `**` for segments".to_owned(),
        };
        format!("include `{quoted}` names no file of the directory: {remedy}")
    }

    fn sort(&mut self) {
        self.files.sort();
        self.left_out.sort();
    }
}

/// The warning about files that were left out; `None` if there are none.
/// ```
/// use grange_skill_format::left_out_warning;
/// assert_eq!(
///     left_out_warning(["_rels/.rels", ".github/"]).as_deref(),
///     Some("leaves out `_rels/.rels`, `.github/` (what begins with a dot, or is no file): name with `include` what belongs to the skill"),
/// );
/// ```
pub fn left_out_warning<'a>(paths: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let names: Vec<String> = paths.into_iter().map(|path| format!("`{}`", Escaped(path))).collect();
    let remedy = "(what begins with a dot, or is no file): name with `include` what belongs to the skill";
    (!names.is_empty()).then(|| format!("leaves out {} {remedy}", names.join(", ")))
}

fn last_segment(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn unreadable(kind: &str, name: &str, error: &io::Error) -> String {
    format!("{kind} `{}` cannot be read: {error}", Escaped(name))
}
