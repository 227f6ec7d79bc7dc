//! The definitions of a server, then the catalogs that they are frozen into. **The one list of primitives in the engine.**
//!
//! Not here: the checks of the definitions (`check.rs`), and the catalog itself (`catalog.rs`).

use std::num::NonZeroUsize;
use std::sync::Arc;

use bytes::Bytes;
use grange_uri::Candidate;

use super::check;
use crate::call::{Complete, Reference, Reply};
use crate::catalog::{Catalog, Found};
use crate::changes::{Hub, List, Lists, Served};
use crate::define::{DefinitionError, ExtensionParts, definition_errors};
use crate::era::{Changing, Era};
use crate::model::{CacheHints, Capability, Listing, MirroredArgument, Primitive};
use crate::primitive::{NO_COMPLETION, Read, Resource, ResourceEntry, Template, TemplateEntry, Tool, ambiguous};
use crate::rejection::Rejection;
use crate::rpc::truncate;
use crate::sections::Sections;
use crate::shelf::{Shelved, Shelves, Snapshot};

/// The definitions of the author. `None`: the methods of that primitive do not exist.
#[derive(Default)]
pub(super) struct Declarations {
    pub(super) resources: Option<Vec<Resource>>,
    /// Templates are resources: one of them declares both.
    pub(super) templates: Vec<Template>,
    /// A shelf declares resources too.
    pub(super) shelves: Shelves,
    pub(super) tools: Option<Vec<Tool>>,
}

impl Declarations {
    /// The problems of the definitions, primitive by primitive.
    pub(super) fn errors(&self) -> Vec<DefinitionError> {
        [
            definition_errors(self.resources.iter().flatten()),
            definition_errors(self.templates.iter()),
            ambiguous(&self.templates),
            definition_errors(self.tools.iter().flatten()),
        ]
        .concat()
    }

    /// The extension data of all definitions, each with its subject: a kind and a name. Of a shelf, those that are there now.
    pub(super) fn parts<'a>(&'a self, shelved: &'a Shelved) -> impl Iterator<Item = check::Part<'a>> {
        let resources = check::parts(self.resources_with(shelved)).chain(check::parts(self.templates.iter()));
        resources.chain(check::parts(self.tools.iter().flatten()))
    }

    /// The resources that a definition can link, by URI, with their extension data.
    pub(super) fn linkable<'a>(&'a self, shelved: &'a Shelved) -> impl Iterator<Item = (&'a str, &'a ExtensionParts)> {
        self.resources_with(shelved).map(|resource| (resource.uri(), &resource.definition().parts))
    }

    fn resources_with<'a>(&'a self, shelved: &'a Shelved) -> impl Iterator<Item = &'a Resource> {
        self.resources.iter().flatten().chain(shelved.iter().flat_map(Snapshot::iter))
    }

    /// Makes catalogs of definitions without problems.
    pub(super) fn freeze(self, settings: &CatalogSettings) -> Catalogs {
        let CatalogSettings { page_size, hints, uri_bytes, changing } = *settings;
        let has_resources = self.resources.is_some() || !self.templates.is_empty() || !self.shelves.is_empty();
        let has_tools = self.tools.is_some();
        let resources = self.resources.into_iter().flatten().map(|resource| ResourceEntry::new(resource, hints));
        let templates: Vec<_> =
            self.templates.into_iter().filter_map(|template| TemplateEntry::new(template, hints)).collect();
        let listers: Vec<_> = templates.iter().filter_map(TemplateEntry::lister).collect();
        let is_frozen = self.shelves.is_empty() && listers.is_empty();
        let section_size = (!is_frozen).then(|| Sections::page_size(page_size));
        let resources = Catalog::new(resources.collect(), section_size.or(page_size), hints);
        let sections = section_size.map(|size| Sections::new(&resources, size, &self.shelves, listers));
        let templates = Catalog::new(templates, page_size, resources.hints());
        // The list of tools is one page.
        let tools = Catalog::new(self.tools.unwrap_or_default(), None, hints);
        let has_completers = templates.entries().any(TemplateEntry::has_completers);
        let shelves = self.shelves;
        Catalogs {
            resources,
            shelves,
            templates,
            tools,
            sections,
            hints,
            has_resources,
            has_tools,
            has_completers,
            changing,
            uri_bytes,
        }
    }
}

/// The settings for the catalogs of a server.
pub(super) struct CatalogSettings {
    pub(super) page_size: Option<NonZeroUsize>,
    /// The cache hints of definitions and lists without their own.
    pub(super) hints: CacheHints,
    /// The longest URI that is looked up, in bytes.
    pub(super) uri_bytes: usize,
    /// The lists that may change; `None`: nothing in the server changes.
    pub(super) changing: Option<Lists>,
}

type OfTemplate = fn(&TemplateEntry, &Candidate<'_>) -> Option<Result<Read, Rejection>>;

/// The catalogs of a server. They are one value, so that it can be replaced as a whole.
pub(crate) struct Catalogs {
    resources: Catalog<ResourceEntry>,
    shelves: Shelves,
    templates: Catalog<TemplateEntry>,
    tools: Catalog<Tool>,
    /// The list of resources; `None`: all of them are fixed, and their catalog has it.
    sections: Option<Sections>,
    /// The cache hints of contents without their own.
    hints: CacheHints,
    has_resources: bool,
    has_tools: bool,
    has_completers: bool,
    changing: Option<Lists>,
    uri_bytes: usize,
}

impl Catalogs {
    /// Whether the server has this capability.
    pub(crate) fn has(&self, capability: Capability) -> bool {
        match capability {
            Capability::Completions => self.has_completers,
            Capability::Resources => self.has_resources,
            Capability::Subscriptions => self.has_resources && self.changing.is_some(),
            Capability::Tools => self.has_tools,
        }
    }

    /// The names of the capabilities that the server declares in a revision, each with what of it changes.
    pub(crate) fn capabilities(&self, era: &Era) -> impl Iterator<Item = (&'static str, Changing)> {
        let declared = |capability: &Capability| self.has(*capability) && era.declares(*capability);
        let all = Capability::ALL.into_iter().filter(declared);
        all.map(|capability| (capability.name(), self.changing_of(capability)))
    }

    fn changing_of(&self, capability: Capability) -> Changing {
        let changes = |list| self.changing.is_some_and(|lists| lists.contains(list));
        match capability {
            Capability::Resources | Capability::Subscriptions => {
                Changing { subscribe: self.changing.is_some(), list: changes(List::Resources) }
            }
            Capability::Tools => Changing { list: changes(List::Tools), ..Changing::default() },
            Capability::Completions => Changing::default(),
        }
    }

    /// What is served at a URI, for those who subscribe to it.
    pub(crate) fn resolve(&self, uri: &str) -> Served {
        if self.resources.find(uri).is_some() || self.shelves.now().find(uri).is_some() {
            return Served::Resource;
        }
        let of_template =
            Candidate::new(uri).and_then(|uri| self.templates.entries().find_map(|template| template.resolve(&uri)));
        of_template.unwrap_or(Served::Nothing)
    }

    /// The URIs of the fixed resources.
    pub(crate) fn uris(&self) -> impl Iterator<Item = &str> {
        self.resources.keys()
    }

    /// The resources that are on shelves at this moment. **A request takes them once, when it starts.**
    pub(crate) fn shelved(&self) -> Shelved {
        self.shelves.now()
    }

    /// Announces the changes of the shelves to this hub.
    pub(super) fn join(&self, hub: &Arc<Hub>) {
        self.shelves.join(hub);
    }

    /// The arguments of a tool that HTTP clients mirror into headers.
    pub(crate) fn mirrored(&self, tool: &str) -> &[MirroredArgument] {
        self.tools.find(tool).map_or(&[], Tool::mirrored)
    }

    /// A page of a list, or the task that makes it.
    pub(crate) fn list(&self, primitive: Primitive, cursor: Option<&str>, era: &Era) -> Result<Found, Rejection> {
        match (primitive, &self.sections) {
            (Primitive::Resource, Some(sections)) => sections.page(&self.resources, self.shelved(), cursor, era),
            (Primitive::Resource, None) => self.resources.list(cursor, era).map(Found::Reply),
            (Primitive::Template, _) => self.templates.list(cursor, era).map(Found::Reply),
            (Primitive::Tool, _) => self.tools.list(cursor, era).map(Found::Reply),
        }
    }

    /// The entries of the list of resources that are at hand, in its order, with the number of their section: 0 for the fixed ones, then the
    /// shelves. Those that are hidden are left out.
    pub(super) fn listings<'a>(&'a self, shelved: &'a Shelved) -> impl Iterator<Item = (usize, &'a Listing)> {
        let fixed = self.resources.entries().map(|entry| (0, entry.listing()));
        let hidden = |uri: &str, shelf| self.resources.find(uri).is_some() || shelved.is_before(uri, shelf);
        let on_shelves = shelved.iter().enumerate().flat_map(move |(index, shelf)| {
            let visible = shelf.iter().filter(move |resource| !hidden(resource.uri(), index));
            visible.map(move |resource| (index + 1, &resource.definition().listing))
        });
        fixed.chain(on_shelves)
    }

    /// The entries of the list of templates.
    pub(super) fn templates(&self) -> impl Iterator<Item = &Listing> {
        self.templates.entries().map(TemplateEntry::listing)
    }

    /// Looks up a resource by its URI: a registered one or one on a shelf byte for byte, else one that a template matches.
    pub(super) fn open(&self, uri: &str) -> Result<Opened<'_>, Rejection> {
        if uri.len() > self.uri_bytes {
            return Err(Rejection::LongUri);
        }
        if let Some(entry) = self.resources.find(uri) {
            return Ok(Opened::Registered(entry));
        }
        match self.on_shelf(uri, &self.shelved()) {
            Some(entry) => Ok(Opened::OnShelf(Box::new(entry))),
            None => self.instance(uri, TemplateEntry::read).map(Opened::OfTemplate),
        }
    }

    /// What decides whether a client may subscribe to a resource.
    pub(crate) fn probe(&self, uri: &str, shelved: &Shelved, era: &Era) -> Result<Found, Rejection> {
        if uri.len() > self.uri_bytes {
            return Err(Rejection::LongUri);
        }
        if let Some(resource) = self.resources.find(uri) {
            return Ok(resource.probe(era));
        }
        match self.on_shelf(uri, shelved) {
            Some(resource) => Ok(resource.probe(era)),
            None => self.instance(uri, TemplateEntry::probe).map(Read::found),
        }
    }

    fn on_shelf(&self, uri: &str, shelved: &Shelved) -> Option<ResourceEntry> {
        shelved.find(uri).map(|resource| ResourceEntry::new(resource.clone(), self.hints))
    }

    /// What the first template whose text matches a URI does with it.
    fn instance(&self, uri: &str, does: OfTemplate) -> Result<Read, Rejection> {
        let found =
            Candidate::new(uri).and_then(|uri| self.templates.entries().find_map(|template| does(template, &uri)));
        found.unwrap_or_else(|| Err(Rejection::UnknownResource { uri: uri.to_owned() }))
    }

    /// The completion of an argument: of a template by its own text, byte for byte. A resource has no arguments.
    pub(crate) fn complete(&self, call: &Complete<'_>, era: &Era) -> Result<Found, Rejection> {
        match &call.reference {
            Reference::Resource(uri) => match self.templates.find(uri) {
                Some(template) => template.complete(call, era),
                None if self.resources.find(uri).is_some() || self.shelved().find(uri).is_some() => {
                    era.other_arguments(call, &[])?;
                    Ok(Found::Reply(Reply::members(NO_COMPLETION)))
                }
                None => {
                    let problem = "must be the uriTemplate of a template, or the uri of a resource";
                    Err(Rejection::UnknownArgument(format!("\"ref.uri\" {problem}, not {:?}", truncate(uri))))
                }
            },
            Reference::Prompt(name) => {
                let name = truncate(name);
                Err(Rejection::UnknownArgument(format!("\"ref.name\" must be the name of a prompt, not {name:?}")))
            }
        }
    }

    /// Looks up a resource by its URI or a tool by its name, byte for byte, and starts its use.
    pub(crate) fn find(
        &self,
        primitive: Primitive,
        name: &str,
        arguments: Option<Bytes>,
        era: &Era,
    ) -> Result<Found, Rejection> {
        match primitive {
            Primitive::Resource | Primitive::Template => Ok(self.open(name)?.found(era)),
            Primitive::Tool => {
                let tool = self.tools.find(name).ok_or_else(|| Rejection::UnknownTool(name.to_owned()))?;
                Ok(tool.found(arguments.unwrap_or(Bytes::from_static(b"{}"))))
            }
        }
    }
}

/// A resource that was found by its URI.
pub(super) enum Opened<'a> {
    Registered(&'a ResourceEntry),
    OnShelf(Box<ResourceEntry>),
    OfTemplate(Read),
}

impl Opened<'_> {
    /// The answer to `resources/read`.
    fn found(self, era: &Era) -> Found {
        match self {
            Self::Registered(entry) => entry.read(era),
            Self::OnShelf(entry) => entry.read(era),
            Self::OfTemplate(read) => read.found(),
        }
    }

    /// A read for another answer than that of `resources/read`.
    pub(super) fn into_reading(self) -> Read {
        match self {
            Self::Registered(entry) => entry.reading(),
            Self::OnShelf(entry) => entry.reading(),
            Self::OfTemplate(read) => read,
        }
    }
}
