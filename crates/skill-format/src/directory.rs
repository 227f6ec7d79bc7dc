//! Reads a skill's directory. **Only this module of the crate reads a disk.**
//!
//! The macro uses it at compile time and the runtime at start; both leave out the same files, warn about them, and
//! reject the same links. It does not check whether the files are a valid skill.

mod bounds;
mod kind;
mod reader;
#[cfg_attr(not(unix), path = "directory/root_by_path.rs")]
mod root;

#[cfg(test)]
#[cfg(unix)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use self::bounds::Total;
use self::kind::changed;
use self::reader::{Found, Reader, unreadable};
use self::root::Root;
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
    /// What tells the directory from another one at its path.
    identity: Option<(u64, u64)>,
    /// The paths of all files read so far.
    read: Vec<String>,
    total: Total,
}

impl Directory {
    /// Reads a directory and all below it, except names that begin with a dot, `__pycache__`, and what is neither a
    /// file nor a directory. A symbolic link to a file inside the directory is followed, unless the file is one that is
    /// left out; any other link is a problem, so that no file is served by accident.
    ///
    /// A file of more than 16 MiB is a problem and is not read, and so is what exceeds 64 MiB in all.
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
                if let Some(root) = directory.open() {
                    let mut reader = Reader::new(root, &directory.root, None, directory.total);
                    reader.folder("");
                    let found = reader.into_found();
                    directory.add(found);
                }
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
        // The directory could not be opened, which is already a problem.
        if self.identity.is_none() {
            return;
        }
        let Some(root) = self.open() else { return };
        let mut names_one = self.read.iter().any(|path| pattern.matches(path));
        let mut reader = Reader::new(root, &self.root, Some(pattern), self.total);
        for left_out in std::mem::take(&mut self.left_out) {
            names_one |= reader.take(left_out, pattern);
        }
        let found = reader.into_found();
        self.add(found);
        if !names_one {
            self.problems.push(self.names_nothing(pattern.as_str()));
        }
    }

    /// Opens the directory, which must be the same one as before.
    fn open(&mut self) -> Option<Root> {
        let opened = Root::open(&self.root).and_then(|root| {
            let identity = root.identity()?;
            if *self.identity.get_or_insert(identity) == identity { Ok(root) } else { Err(changed()) }
        });
        let problem = |error| unreadable("directory", &self.root.display().to_string(), &error);
        opened.map_err(|error| self.problems.push(problem(error))).ok()
    }

    fn add(&mut self, found: Found) {
        let Found { files, left_out, problems, total } = found;
        self.read.extend(files.iter().map(|(path, _)| path.clone()));
        self.files.extend(files);
        self.files.sort();
        self.left_out.extend(left_out);
        self.left_out.sort();
        self.problems.extend(problems);
        self.total = total;
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
