//! A skill as its author declares it. Nothing is checked here: the catalog checks all skills together.

use std::mem;
use std::path::Path;

use bytes::Bytes;
use grange_core::Resource;
use grange_skill_format::{Directory, Pattern};

use crate::content::FileContent;

/// A skill: a `SKILL.md` and the files that it refers to, served at `skill://<path>/<file>`.
#[derive(Clone, Debug)]
#[must_use = "it is for `Skills::new`"]
pub struct Skill {
    pub(crate) path: String,
    /// Paths inside the skill, and bytes.
    pub(crate) files: Vec<(String, Bytes)>,
    /// Resources that are generated when they are read; `None` if all files are known.
    pub(crate) generated: Option<Vec<Resource>>,
    pub(crate) is_listed: bool,
    /// The problems with reading it from a disk.
    pub(crate) problems: Vec<String>,
    /// The paths of files that were left out, folders with a `/` at their end.
    pub(crate) left_out: Vec<String>,
    /// The directory in which `include` finds files.
    directory: Option<Directory>,
}

impl Skill {
    /// A skill with files in memory, by their paths inside the skill. The last segment of `path` is the skill's name;
    /// the segments before it group skills, as in `acme/billing/refunds`.
    /// ```
    /// use grange_skills::Skill;
    /// let refunds = Skill::new("acme/billing/refunds", [("SKILL.md", "---\nname: refunds\ndescription: Refund.\n---\n")]);
    /// ```
    pub fn new<P: Into<String>, C: Into<FileContent>>(
        path: impl Into<String>,
        files: impl IntoIterator<Item = (P, C)>,
    ) -> Self {
        let files = files.into_iter().map(|(path, content)| (path.into(), content.into().0)).collect();
        let (problems, left_out, directory) = Default::default();
        Self { path: path.into(), files, generated: None, is_listed: true, problems, left_out, directory }
    }

    /// A skill from a directory, served at the directory's name. All files are read now, except names that begin with a
    /// dot. `build()` warns about each of those; [`include`](Self::include) adds them. `.git`, `.DS_Store` and
    /// `__pycache__` are left out without a warning. A link to a place outside the directory is an error, and so is more
    /// than 16 MiB in a file or 64 MiB in all.
    /// ```
    /// use grange_skills::Skill;
    /// let tasks = Skill::from_dir("skills/tasks");
    /// let tasks = Skill::from_dir("skills/tasks").at("acme/tasks");
    /// ```
    pub fn from_dir(directory: impl AsRef<Path>) -> Self {
        let directory = Directory::read(directory.as_ref());
        let mut skill = Self::new(directory.name.clone(), <[(String, Bytes); 0]>::default());
        skill.read(directory);
        skill
    }

    /// Adds files that [`from_dir`](Self::from_dir) leaves out: the one at a path inside the skill, or those that match
    /// a pattern, in which `*` matches any characters and `**`, between slashes, any folders. They are read now. A
    /// pattern that matches no file is an error.
    /// ```
    /// use grange_skills::Skill;
    /// let sheets = Skill::from_dir("skills/sheets").include("assets/.env.example").include("**/_rels/.rels");
    /// ```
    pub fn include(mut self, pattern: impl AsRef<str>) -> Self {
        let pattern = pattern.as_ref();
        match (self.directory.take(), pattern.parse::<Pattern>()) {
            (Some(mut directory), Ok(pattern)) => {
                directory.include(&pattern);
                self.read(directory);
            }
            (directory, Err(error)) => {
                self.problems.push(format!("include `{pattern}` {error}"));
                self.directory = directory;
            }
            (None, Ok(_)) => {
                let remedy = "give `Skill::new` the file, or `skill!` the pattern, as in `include: [\"…\"]`";
                self.problems.push(format!("include `{pattern}` is for a skill that `from_dir` reads: {remedy}"));
            }
        }
        self
    }

    /// Sets the files that were left out when the files were collected, as `skill!` does: `build()` warns about them by
    /// name.
    /// ```
    /// use grange_core::Server;
    /// use grange_skills::{Skill, Skills};
    /// let refunds = [("SKILL.md", "---\nname: refunds\ndescription: Refund.\n---\n")];
    /// let refunds = Skill::new("refunds", refunds).left_out([".env.example"]);
    /// let server = Server::builder("billing", "1.0.0").extension(Skills::new([refunds])).build()?;
    /// assert!(server.warnings()[0].starts_with("skill `refunds`: leaves out `.env.example`"));
    /// # Ok::<(), grange_core::BuildError>(())
    /// ```
    pub fn left_out<P: Into<String>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.left_out.extend(paths.into_iter().map(Into::into));
        self
    }

    /// Takes the files and problems that the directory has collected since the last call.
    fn read(&mut self, mut directory: Directory) {
        let files = mem::take(&mut directory.files).into_iter();
        self.files.extend(files.map(|(path, bytes)| (path, bytes.into())));
        self.files.sort();
        self.problems.append(&mut directory.problems);
        self.left_out.clone_from(&directory.left_out);
        self.directory = Some(directory);
    }

    /// A skill with files that are generated when they are read: it is listed as `"dynamic"`, without digests, and a
    /// host may reject it. `skill_md` is its `SKILL.md`; the other files are resources under `skill://<path>/`.
    /// ```
    /// use grange_core::Resource;
    /// use grange_skills::Skill;
    /// let today = Resource::builder().uri("skill://duty/today.md").name("duty/today.md").mime_type("text/markdown");
    /// let today = today.read(|_cx| async { Ok("On duty: Ada.") }).build();
    /// let duty = Skill::dynamic("duty", "---\nname: duty\ndescription: Who is on duty.\n---\nRead today.md.\n", [today]);
    /// ```
    pub fn dynamic(
        path: impl Into<String>,
        skill_md: impl Into<FileContent>,
        resources: impl IntoIterator<Item = Resource>,
    ) -> Self {
        let generated = Some(resources.into_iter().collect());
        Self { generated, ..Self::new(path, [("SKILL.md", skill_md)]) }
    }

    /// Serves it at another path. The last segment must still be its name.
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// Omits it from `skills/list`. A host that knows its URI can still get and read it.
    pub fn unlisted(mut self) -> Self {
        self.is_listed = false;
        self
    }
}
