//! One skill as its author declares it. Nothing is checked here: the catalog does, with all skills before it.

use std::path::Path;

use bytes::Bytes;
use grange_core::Resource;
use grange_skill_format::Directory;

use crate::content::FileContent;

/// A skill: a `SKILL.md` and the files that it refers to, served at `skill://<path>/<file>`.
#[derive(Clone, Debug)]
#[must_use = "it is for `Skills::new`"]
pub struct Skill {
    pub(crate) path: String,
    /// Paths inside the skill, and bytes.
    pub(crate) files: Vec<(String, Bytes)>,
    /// What is generated when it is read; `None` where all is known.
    pub(crate) generated: Option<Vec<Resource>>,
    pub(crate) is_listed: bool,
    /// What reading it from a disk came to.
    pub(crate) problems: Vec<String>,
}

impl Skill {
    /// A skill of files that the program has, by their paths inside the skill. The last segment of `path` is the skill's name;
    /// segments before it group skills, as in `acme/billing/refunds`.
    ///
    /// ```
    /// use grange_skills::Skill;
    /// let refunds = Skill::new("acme/billing/refunds", [("SKILL.md", "---\nname: refunds\ndescription: Refund.\n---\n")]);
    /// ```
    pub fn new<P: Into<String>, C: Into<FileContent>>(
        path: impl Into<String>,
        files: impl IntoIterator<Item = (P, C)>,
    ) -> Self {
        let files = files.into_iter().map(|(path, content)| (path.into(), content.into().0)).collect();
        Self { path: path.into(), files, generated: None, is_listed: true, problems: Vec::new() }
    }

    /// A skill that is a directory, served at the directory's name. All of it is read now. Hidden files and `__pycache__` are
    /// passed over; a link that leads out of the directory is a mistake.
    ///
    /// ```
    /// use grange_skills::Skill;
    /// let tasks = Skill::from_dir("skills/tasks");
    /// let tasks = Skill::from_dir("skills/tasks").at("acme/tasks");
    /// ```
    pub fn from_dir(directory: impl AsRef<Path>) -> Self {
        let directory = directory.as_ref();
        let Directory { name, files, problems } = Directory::read(directory);
        let files = files.into_iter().map(|(path, bytes)| (path, bytes.into())).collect();
        Self { path: name, files, generated: None, is_listed: true, problems }
    }

    /// A skill whose files are generated when they are read: it is listed as `"dynamic"`, without digests, and a host may
    /// refuse it. `skill_md` is its `SKILL.md`; the other files are resources under `skill://<path>/`.
    ///
    /// ```
    /// use grange_core::Resource;
    /// use grange_skills::Skill;
    /// let today = Resource::builder().uri("skill://duty/today.md").name("duty/today.md").mime_type("text/markdown");
    /// let today = today.read(|_cx| async { Ok("On duty: nobody.") }).build();
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

    /// Serves it at another path, whose last segment is still its name.
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// Leaves it out of `skills/list`. A host that knows its URI gets it all the same.
    pub fn unlisted(mut self) -> Self {
        self.is_listed = false;
        self
    }
}
