//! A skill that is a directory, read whole: **the only file here that looks at a disk**.
//!
//! The macro reads it when a program is compiled and the runtime when it starts; both pass over the same files and refuse
//! the same links. Not here: whether what was read is a skill.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A directory as it was when it was read.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Directory {
    /// Its own name.
    pub name: String,
    /// The files in it, by their paths inside it with `/` between segments, in the order of the paths.
    pub files: Vec<(String, Vec<u8>)>,
    /// What could not be read, or must not be, each with its remedy.
    pub problems: Vec<String>,
}

impl Directory {
    /// Reads a directory with all that is in it. Passed over are names that begin with a dot, `__pycache__`, and what is
    /// neither a file nor a directory. A symbolic link is followed to a file inside the directory; one that leads elsewhere is
    /// a problem, so that nothing is served that was not put there.
    ///
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
                Reading { root: &real, directory: &mut directory }.folder(&real, "");
                directory.files.sort();
            }
            Err(error) => {
                directory.name = last_segment(root);
                directory.problems.push(unreadable("directory", &root.display().to_string(), &error));
            }
        }
        directory
    }
}

fn last_segment(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn unreadable(kind: &str, name: &str, error: &io::Error) -> String {
    format!("{kind} `{name}` cannot be read: {error}")
}

struct Reading<'a> {
    /// Without links.
    root: &'a Path,
    directory: &'a mut Directory,
}

impl Reading<'_> {
    fn folder(&mut self, folder: &Path, inside: &str) {
        let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        match entries {
            Ok(entries) => entries.iter().for_each(|entry| self.entry(entry, inside)),
            Err(error) if inside.is_empty() => {
                self.problem(unreadable("directory", &folder.display().to_string(), &error));
            }
            Err(error) => self.problem(unreadable("directory", inside, &error)),
        }
    }

    fn entry(&mut self, entry: &fs::DirEntry, inside: &str) {
        let name = entry.file_name();
        let Some(name) = name.to_str() else {
            return self
                .problem(format!("`{inside}{}` has a name that is not UTF-8: rename it", name.to_string_lossy()));
        };
        if name.starts_with('.') || name == "__pycache__" {
            return;
        }
        let path = format!("{inside}{name}");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => self.folder(&entry.path(), &format!("{path}/")),
            Ok(kind) if kind.is_file() => self.file(&entry.path(), path),
            Ok(kind) if kind.is_symlink() => self.link(&entry.path(), path),
            Ok(_) => {}
            Err(error) => self.problem(unreadable("file", &path, &error)),
        }
    }

    fn link(&mut self, link: &Path, path: String) {
        let target: io::Result<PathBuf> = fs::canonicalize(link);
        match target {
            Err(error) => self.problem(format!("link `{path}` leads nowhere ({error}): remove it")),
            Ok(target) if !target.starts_with(self.root) => {
                self.problem(format!("link `{path}` leads out of the skill: put a copy of the file in its place"));
            }
            Ok(target) if target.is_file() => self.file(&target, path),
            Ok(_) => self.problem(format!("link `{path}` leads to a directory: put the files themselves in its place")),
        }
    }

    fn file(&mut self, file: &Path, path: String) {
        match fs::read(file) {
            Ok(bytes) => self.directory.files.push((path, bytes)),
            Err(error) => self.problem(unreadable("file", &path, &error)),
        }
    }

    fn problem(&mut self, problem: String) {
        self.directory.problems.push(problem);
    }
}
