//! The extension: its capability and its methods.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::time::Duration;

use grange_core::{
    CacheScope, Context, DefinitionError, Extension, ExtensionAnswer, ExtensionError, ExtensionParams, Resource,
    async_trait,
};
use serde_json::{Map, Value};

use crate::catalog::Catalog;
use crate::cursor::page;
use crate::entry::{Children, One, Page};
use crate::skill::Skill;

const LIST: &str = "skills/list";
const GET: &str = "skills/get";
const READ_DIRECTORY: &str = "resources/directory/read";

/// The skills of a server, for [`ServerBuilder::extension`](grange_core::ServerBuilder::extension).
///
/// It answers `skills/list` and `skills/get`, and registers every file as an ordinary resource.
///
/// ```
/// use grange_skills::{Skill, Skills};
/// let skills = Skills::new([Skill::from_dir("skills/tasks"), Skill::from_dir("skills/refunds").at("acme/refunds")]);
/// let skills = skills.directory_read().page_size(50);
/// ```
#[must_use = "it is for `.extension(…)` of a server"]
pub struct Skills {
    declared: Vec<Skill>,
    reads_directories: bool,
    page_size: Option<NonZeroUsize>,
    ttl: Option<Duration>,
    scope: Option<CacheScope>,
    catalog: OnceLock<Catalog>,
}

impl Skills {
    /// Serves these skills. They are listed in the order of their URIs.
    pub fn new(skills: impl IntoIterator<Item = Skill>) -> Self {
        let declared = skills.into_iter().collect();
        Self { declared, reads_directories: false, page_size: None, ttl: None, scope: None, catalog: OnceLock::new() }
    }

    /// Also answers `resources/directory/read`, which lists the children of a folder of a skill.
    pub fn directory_read(mut self) -> Self {
        self.reads_directories = true;
        self
    }

    /// Sets the number of skills per page; 0, the default, means all on one page.
    pub fn page_size(mut self, skills: usize) -> Self {
        self.page_size = NonZeroUsize::new(skills);
        self
    }

    /// Sets how long a client may cache the list and its entries. Default: the server's setting.
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = Some(ttl);
        self
    }

    /// Sets who may share a cached list or entry. Default: the server's setting.
    pub fn cache_scope(mut self, scope: CacheScope) -> Self {
        self.scope = Some(scope);
        self
    }

    fn catalog(&self) -> &Catalog {
        self.catalog.get_or_init(|| Catalog::new(&self.declared))
    }

    fn list(&self, cursor: Option<&str>) -> Result<ExtensionAnswer, ExtensionError> {
        let listed = &self.catalog().listed;
        let (range, next_cursor) = page(listed.len(), self.page_size, cursor)?;
        Ok(ExtensionAnswer::new(&Page { skills: &listed[range], next_cursor })?.cached(self.ttl, self.scope))
    }

    fn get(&self, uri: &str) -> Result<ExtensionAnswer, ExtensionError> {
        let unknown = || ExtensionError::invalid_params(format!("Unknown skill URI: {uri}"));
        let skill = self.catalog().by_uri.get(uri).ok_or_else(unknown)?;
        Ok(ExtensionAnswer::new(&One { skill })?.cached(self.ttl, self.scope))
    }

    fn read_directory(&self, uri: &str, cursor: Option<&str>) -> Result<ExtensionAnswer, ExtensionError> {
        let unknown = || ExtensionError::invalid_params(format!("Not a directory: {uri}"));
        let children = self.catalog().folders.children(uri).ok_or_else(unknown)?;
        let (range, next_cursor) = page(children.len(), self.page_size, cursor)?;
        ExtensionAnswer::new(&Children { resources: &children[range], next_cursor })
    }
}

#[async_trait]
impl Extension for Skills {
    fn id(&self) -> &'static str {
        "io.modelcontextprotocol/skills"
    }

    fn settings(&self) -> Map<String, Value> {
        let directory_read = self.reads_directories.then(|| ("directoryRead".to_owned(), true.into()));
        directory_read.into_iter().collect()
    }

    fn resources(&self) -> Vec<Resource> {
        self.catalog().resources.clone()
    }

    fn methods(&self) -> &[&'static str] {
        if self.reads_directories { &[LIST, GET, READ_DIRECTORY] } else { &[LIST, GET] }
    }

    async fn answer(
        &self,
        _cx: Context,
        method: &str,
        params: ExtensionParams,
    ) -> Result<ExtensionAnswer, ExtensionError> {
        match method {
            LIST => self.list(params.string("cursor")?.as_deref()),
            GET => self.get(&params.required("uri")?),
            _ => self.read_directory(&params.required("uri")?, params.string("cursor")?.as_deref()),
        }
    }

    fn errors(&self) -> Vec<DefinitionError> {
        self.catalog().errors.clone()
    }

    fn warnings(&self) -> Vec<String> {
        self.catalog().warnings.clone()
    }
}

impl fmt::Debug for Skills {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Skills").field("skills", &self.declared.len()).finish_non_exhaustive()
    }
}
