//! The definitions of a server, then the catalogs that they are frozen into. **The one list of primitives in the engine.**
//!
//! Not here: the checks of the definitions (`check.rs`), and the catalog itself (`catalog.rs`).

use std::num::NonZeroUsize;

use bytes::Bytes;
use grange_uri::Candidate;

use super::check;
use crate::call::{Complete, Reference, Reply};
use crate::catalog::{Catalog, Found};
use crate::changes::{List, Lists, Served};
use crate::define::{DefinitionError, ExtensionParts};
use crate::era::{Changing, Era};
use crate::model::{CacheHints, Capability, Listing, MirroredArgument, Primitive};
use crate::primitive::{NO_COMPLETION, Read, Resource, ResourceEntry, Template, TemplateEntry, Tool, ambiguous};
use crate::rejection::Rejection;
use crate::rpc::truncate;

/// The definitions of the author. `None`: the methods of that primitive do not exist.
#[derive(Default)]
pub(super) struct Declarations {
    pub(super) resources: Option<Vec<Resource>>,
    /// Templates are resources: one of them declares both.
    pub(super) templates: Vec<Template>,
    pub(super) tools: Option<Vec<Tool>>,
}

impl Declarations {
    /// The problems of the definitions, primitive by primitive.
    pub(super) fn errors(&self) -> Vec<DefinitionError> {
        [
            check::definitions(self.resources.iter().flatten()),
            check::definitions(self.templates.iter()),
            ambiguous(&self.templates),
            check::definitions(self.tools.iter().flatten()),
        ]
        .concat()
    }

    /// The extension data of all definitions, each with its subject: a kind and a name.
    pub(super) fn parts(&self) -> impl Iterator<Item = check::Part<'_>> {
        let resources = check::parts(self.resources.iter().flatten()).chain(check::parts(self.templates.iter()));
        resources.chain(check::parts(self.tools.iter().flatten()))
    }

    /// The resources that a definition can link, by URI, with their extension data.
    pub(super) fn linkable(&self) -> impl Iterator<Item = (&str, &ExtensionParts)> {
        self.resources.iter().flatten().map(|resource| (resource.uri(), &resource.definition().parts))
    }

    /// Makes catalogs of definitions without problems.
    pub(super) fn freeze(self, settings: &CatalogSettings) -> Catalogs {
        let CatalogSettings { page_size, hints, uri_bytes, changing } = *settings;
        let has_resources = self.resources.is_some() || !self.templates.is_empty();
        let has_tools = self.tools.is_some();
        let resources = self.resources.into_iter().flatten().map(|resource| ResourceEntry::new(resource, hints));
        let resources = Catalog::new(resources.collect(), page_size, hints);
        let templates = self.templates.into_iter().filter_map(|template| TemplateEntry::new(template, hints));
        let templates = Catalog::new(templates.collect(), page_size, resources.hints());
        // The list of tools is one page.
        let tools = Catalog::new(self.tools.unwrap_or_default(), None, hints);
        let has_completers = templates.entries().any(TemplateEntry::has_completers);
        Catalogs { resources, templates, tools, has_resources, has_tools, has_completers, changing, uri_bytes }
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
    templates: Catalog<TemplateEntry>,
    tools: Catalog<Tool>,
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
        if self.resources.find(uri).is_some() {
            return Served::Resource;
        }
        let of_template =
            Candidate::new(uri).and_then(|uri| self.templates.entries().find_map(|template| template.resolve(&uri)));
        of_template.unwrap_or(Served::Nothing)
    }

    pub(crate) fn uris(&self) -> impl Iterator<Item = &str> {
        self.resources.keys()
    }

    /// The arguments of a tool that HTTP clients mirror into headers.
    pub(crate) fn mirrored(&self, tool: &str) -> &[MirroredArgument] {
        self.tools.find(tool).map_or(&[], Tool::mirrored)
    }

    /// A page of a list.
    pub(crate) fn list(
        &self,
        primitive: Primitive,
        cursor: Option<&str>,
        era: &Era,
    ) -> Result<Reply<'static>, Rejection> {
        match primitive {
            Primitive::Resource => self.resources.list(cursor, era),
            Primitive::Template => self.templates.list(cursor, era),
            Primitive::Tool => self.tools.list(cursor, era),
        }
    }

    /// The entries of the lists of resources and templates, in their order.
    pub(super) fn listings(&self) -> impl Iterator<Item = (Primitive, &Listing)> {
        let resources = self.resources.entries().map(|entry| (Primitive::Resource, entry.listing()));
        resources.chain(self.templates.entries().map(|entry| (Primitive::Template, entry.listing())))
    }

    /// Looks up a resource by its URI: a registered one byte for byte, else one that a template matches.
    pub(super) fn open(&self, uri: &str) -> Result<Opened<'_>, Rejection> {
        if uri.len() > self.uri_bytes {
            return Err(Rejection::LongUri);
        }
        match self.resources.find(uri) {
            Some(entry) => Ok(Opened::Registered(entry)),
            None => self.instance(uri, TemplateEntry::read).map(Opened::OfTemplate),
        }
    }

    /// What decides whether a client may subscribe to a resource.
    pub(crate) fn probe(&self, uri: &str, era: &Era) -> Result<Found, Rejection> {
        match self.resources.find(uri) {
            _ if uri.len() > self.uri_bytes => Err(Rejection::LongUri),
            Some(resource) => Ok(resource.probe(era)),
            None => self.instance(uri, TemplateEntry::probe).map(Read::found),
        }
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
                None if self.resources.find(uri).is_some() => {
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
            Primitive::Resource | Primitive::Template => match self.open(name)? {
                Opened::Registered(entry) => Ok(entry.read(era)),
                Opened::OfTemplate(read) => Ok(read.found()),
            },
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
    OfTemplate(Read),
}

impl Opened<'_> {
    /// A read for another answer than that of `resources/read`.
    pub(super) fn into_reading(self) -> Read {
        match self {
            Self::Registered(entry) => entry.reading(),
            Self::OfTemplate(read) => read,
        }
    }
}
