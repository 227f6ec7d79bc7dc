//! Builds a server: collects definitions, then checks them as a whole and reports all problems at once.

use std::any::type_name;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use super::check;
use super::error::BuildError;
use super::extensions;
use super::frozen::{Inner, Server};
use super::primitives::{CatalogSettings, Declarations};
use super::report::{OnError, Reporter};
use super::resource_tools::{self, ResourceTools};
use crate::changes::{Changes, Lists};
use crate::define::{Context, DefinitionError, HandlerFailure, Providers, ReadError};
use crate::era::{Revision, Served};
use crate::ext::{Extension, Extensions};
use crate::limits::Limits;
use crate::model::{CacheHints, CacheScope, Icon, Identity, Text};
use crate::primitive::{Resource, Template, Tool};
use crate::shelf::Shelf;

/// Builds a [`Server`]; see [`Server::builder`].
#[must_use]
pub struct ServerBuilder {
    identity: Identity,
    instructions: Option<Text>,
    declarations: Declarations,
    resources_as_tools: bool,
    extensions: Vec<Arc<dyn Extension>>,
    page_size: Option<usize>,
    hints: CacheHints,
    revisions: Option<Vec<Revision>>,
    providers: Providers,
    /// The problems of the providers.
    provider_errors: Vec<DefinitionError>,
    on_error: Option<OnError>,
    limits: Limits,
    requests_to_client: bool,
    changes: Option<Changes>,
}

impl Server {
    /// Starts a server with a name and version for `serverInfo`.
    pub fn builder(name: impl Into<Text>, version: impl Into<Text>) -> ServerBuilder {
        ServerBuilder::new(name.into(), version.into())
    }
}

impl ServerBuilder {
    fn new(name: Text, version: Text) -> Self {
        Self {
            identity: Identity { name, version, ..Identity::default() },
            instructions: None,
            declarations: Declarations::default(),
            resources_as_tools: false,
            extensions: Vec::new(),
            page_size: None,
            hints: CacheHints::default(),
            revisions: None,
            providers: Providers::new(),
            provider_errors: Vec::new(),
            on_error: None,
            limits: Limits::default(),
            requests_to_client: false,
            changes: None,
        }
    }

    /// The server's name for people. Sent from 2025-06-18 on.
    pub fn title(mut self, title: impl Into<Text>) -> Self {
        self.identity.title = Some(title.into());
        self
    }

    /// A description of the server. Sent from 2025-11-25 on.
    pub fn description(mut self, description: impl Into<Text>) -> Self {
        self.identity.description = Some(description.into());
        self
    }

    /// The address of a page about the server. Sent from 2025-11-25 on.
    pub fn website_url(mut self, url: impl Into<Text>) -> Self {
        self.identity.website_url = Some(url.into());
        self
    }

    /// Images to show beside the server's name. Sent from 2025-11-25 on.
    pub fn icons(mut self, icons: impl IntoIterator<Item = Icon>) -> Self {
        self.identity.icons = icons.into_iter().collect();
        self
    }

    /// How to use the server, for the model.
    pub fn instructions(mut self, instructions: impl Into<Text>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Adds a resource.
    pub fn resource(self, resource: Resource) -> Self {
        self.resources([resource])
    }

    /// Adds resources, in this order. An empty set still declares that the server has resources. Without a call of this
    /// or [`resource`](Self::resource), the methods of resources do not exist.
    pub fn resources(mut self, resources: impl IntoIterator<Item = Resource>) -> Self {
        self.declarations.resources.get_or_insert_default().extend(resources);
        self
    }

    /// Adds a template.
    pub fn template(self, template: Template) -> Self {
        self.templates([template])
    }

    /// Adds templates, in this order: the first one that matches a URI reads it, if no resource has that URI.
    pub fn templates(mut self, templates: impl IntoIterator<Item = Template>) -> Self {
        self.declarations.templates.extend(templates);
        self
    }

    /// Adds a tool.
    pub fn tool(self, tool: Tool) -> Self {
        self.tools([tool])
    }

    /// Adds tools, in this order. An empty set still declares that the server has tools.
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.declarations.tools.get_or_insert_default().extend(tools);
        self
    }

    /// Tells clients of changes, which are announced with this value or with [`Context::changes`]. Over HTTP the server then keeps sessions
    /// for clients of revisions with a handshake.
    pub fn changes(mut self, changes: &Changes) -> Self {
        self.changes = Some(changes.clone());
        self
    }

    /// Adds two tools for hosts that only know tools: `list_resources` and `read_resource`. Default: no such tools.
    ///
    /// They list and read the same resources as the methods of MCP, by the same readers, with the same limits. `list_resources` returns
    /// pages of resources and templates, and takes a prefix of the URI. `read_resource` returns text as text and bytes as embedded
    /// resources. What a read would answer with an error becomes a failed result with the text of that error. The server's instructions
    /// name the two tools.
    ///
    /// ```
    /// use grange_core::{Resource, Server};
    /// let guide = Resource::builder().uri("docs://guide").name("guide").text("# Guide").build();
    /// let server = Server::builder("documentation", "1.0.0").resource(guide).resources_as_tools().build()?;
    /// # Ok::<(), grange_core::BuildError>(())
    /// ```
    pub fn resources_as_tools(mut self) -> Self {
        self.resources_as_tools = true;
        self
    }

    /// Adds a shelf: resources that come, go and change while the server runs. Shelves come behind the fixed resources, in this order; of two
    /// resources with one URI, the first is served.
    ///
    /// A shelf tells clients of its changes by itself. So the server declares `subscribe` and `listChanged`, as with
    /// [`changes`](Self::changes), and over HTTP it keeps sessions for clients of revisions with a handshake. The list of resources then has
    /// pages of 1,000, unless [`page_size`](Self::page_size) says otherwise. A client that does not listen finds changes only when the
    /// [`ttl`](Self::ttl) of the list is over, which is 0 by default.
    pub fn shelf(mut self, living: &impl AsRef<Shelf>) -> Self {
        self.declarations.shelves.add(living.as_ref());
        self.changes.get_or_insert_default();
        self
    }

    /// Adds an extension of MCP, with the resources that come with it.
    pub fn extension(mut self, extension: impl Extension) -> Self {
        self.extensions.push(Arc::new(extension));
        self
    }

    /// The number of entries on one page of the lists of resources and of templates. Default: all on one page; and 1,000 resources, if
    /// some are on a [shelf](Self::shelf) or [listed by a template](crate::TemplateBuilder::list).
    pub fn page_size(mut self, entries: usize) -> Self {
        self.page_size = Some(entries);
        self
    }

    /// How long a client may keep lists, the answer to `server/discover`, and contents without a `ttl` of their own. Default 0.
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.hints.ttl = ttl;
        self
    }

    /// Who may share cached answers without a scope of their own. Default [`CacheScope::Private`].
    pub fn cache_scope(mut self, scope: CacheScope) -> Self {
        self.hints.scope = scope;
        self
    }

    /// Serves only these protocol revisions. Default: all.
    pub fn revisions(mut self, revisions: impl IntoIterator<Item = Revision>) -> Self {
        self.revisions = Some(revisions.into_iter().collect());
        self
    }

    /// Provides a value to readers and tools, by its type: `cx.get::<T>()` returns it in an `Arc`. An `Arc<T>` is provided as `T` too. To
    /// provide two values of one type, give each a type of its own.
    pub fn provide_value<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.note_provided_twice::<T>();
        self.providers.value(value);
        self
    }

    /// Provides a computed value to readers and tools, by its type. It is computed when a request first needs it, and once for each
    /// request. An `Arc<T>` is provided as `T` too.
    pub fn provide<T, E, F, Fut>(mut self, make: F) -> Self
    where
        T: Send + Sync + 'static,
        E: Into<ReadError>,
        F: Fn(Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T, E>> + Send + 'static,
    {
        self.note_provided_twice::<T>();
        self.providers.computed(make);
        self
    }

    fn note_provided_twice<T: 'static>(&mut self) {
        let (name, first) = (type_name::<T>(), self.providers.giving::<T>());
        let problem = first.map(|first| {
            if first == name {
                "it is provided twice: provide it once, or give one of the two a type of its own".to_owned()
            } else {
                format!("`{first}` is provided too, and both are one type to `cx.get`: provide one of them")
            }
        });
        let error = problem.map(|problem| DefinitionError::new(format!("provider of `{name}`"), problem));
        self.provider_errors.extend(error);
    }

    /// Called for every failure of author code, with the original error: of readers, tools, completers, providers and extensions.
    /// `cx.target()` names the resource, the tool, the list, the argument or the method.
    ///
    /// Default: a `tracing` event at level ERROR with the fields `uri`; `tool`; `template`; `reference` and `argument` of a completion; or `extension`
    /// and `method`; and with `failure` and `causes`. Without a subscriber, the failure is written to standard error, and a repeated
    /// failure is written ever more rarely. The answer never contains these details.
    ///
    /// ```
    /// # use grange_core::Server;
    /// let server = Server::builder("reports", "1.0.0")
    ///     .on_error(|failure, cx| eprintln!("{} failed: {failure:#}", cx.target()))
    ///     .build()?;
    /// # Ok::<(), grange_core::BuildError>(())
    /// ```
    pub fn on_error(mut self, on_error: impl Fn(&HandlerFailure, &Context) + Send + Sync + 'static) -> Self {
        self.on_error = Some(Box::new(on_error));
        self
    }

    /// Sets the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Declares that tools or readers send requests to the client, as [`host`](crate::host()) does. Over HTTP the answers to
    /// these requests need a session, so the HTTP transport then keeps one for each handshake. Other transports do not need this
    /// setting.
    ///
    /// The newest revisions have no such requests, and a host that speaks them chooses them: serve [`Revision::HANDSHAKE`] only.
    /// `build()` warns about other revisions, unless [`revisions`](Self::revisions) got [`Revision::ALL`].
    pub fn requests_to_client(mut self) -> Self {
        self.requests_to_client = true;
        self
    }

    /// Checks all definitions and settings, and freezes them.
    ///
    /// # Errors
    /// All problems of all definitions and settings, such as duplicate or malformed URIs.
    pub fn build(mut self) -> Result<Server, BuildError> {
        self.add_resources_of_extensions();
        let shelved = self.declarations.shelves.now();
        let errors = [
            self.server_errors(),
            self.declarations.errors(),
            check::links(self.declarations.parts(&shelved), self.declarations.linkable(&shelved)),
            std::mem::take(&mut self.provider_errors),
            extensions::errors(&self.extensions),
            self.resource_tools_errors(),
        ];
        let errors = errors.concat();
        if !errors.is_empty() {
            return Err(BuildError { errors });
        }
        let reporter = Reporter::new(self.on_error.take());
        let of_extensions = self.extensions.iter().flat_map(|extension| extension.warnings());
        let warnings: Vec<String> = self.clients_out_of_reach().into_iter().chain(of_extensions).collect();
        for warning in &warnings {
            reporter.warning(warning);
        }
        let page_size = self.page_size.and_then(NonZeroUsize::new);
        let resource_tools = self.resources_as_tools.then(|| ResourceTools::new(page_size));
        if resource_tools.is_some() {
            self.instructions = Some(resource_tools::instructions(self.instructions.as_deref()));
            self.declarations.tools.get_or_insert_default().extend(resource_tools::tools());
        }
        let served = self.served();
        let extensions = Extensions::new(&self.extensions, self.declarations.parts(&shelved).map(|(_, parts)| parts));
        let changing = self.changes.as_ref().map(|changes| Lists::of(|list| changes.hub().declares(list)));
        let settings = CatalogSettings { page_size, hints: self.hints, uri_bytes: self.limits.uri_bytes, changing };
        if let Some(changes) = &self.changes {
            self.providers.set_changes(changes.clone());
        }
        let built = Server(Arc::new(Inner {
            identity: self.identity,
            instructions: self.instructions,
            catalogs: self.declarations.freeze(&settings),
            resource_tools,
            extensions,
            warnings,
            hints: self.hints,
            served,
            providers: Arc::new(self.providers),
            reporter,
            limits: self.limits,
            requests_to_client: self.requests_to_client,
            changes: self.changes,
            server_info: Default::default(),
        }));
        built.join_changes();
        Ok(built)
    }

    /// The author's tools that have the name of an added tool.
    fn resource_tools_errors(&self) -> Vec<DefinitionError> {
        let tools = self.declarations.tools.iter().flatten().filter(|_| self.resources_as_tools);
        resource_tools::errors(tools)
    }

    fn add_resources_of_extensions(&mut self) {
        for extension in &self.extensions {
            let resources = extension.resources();
            if !resources.is_empty() {
                self.declarations.resources.get_or_insert_default().extend(resources);
            }
        }
    }

    fn served(&self) -> Served {
        self.revisions.as_ref().map_or_else(Served::default, |revisions| Served::only(revisions))
    }

    /// A warning, if clients of both eras would choose a revision without requests to the client.
    fn clients_out_of_reach(&self) -> Option<String> {
        let deaf = self.served().modern_names();
        // An author who names every revision has decided this.
        let is_meant =
            self.revisions.as_ref().is_some_and(|named| Revision::ALL.iter().all(|each| named.contains(each)));
        let is_out_of_reach = self.requests_to_client && !is_meant && !deaf.is_empty();
        is_out_of_reach.then(|| {
            let deaf = deaf.join(", ");
            format!(
                "the server asks its clients (`.requests_to_client()`), which {deaf} has no way for, and a client that speaks it \
                 chooses it: add `.revisions(Revision::HANDSHAKE)`, or `.revisions(Revision::ALL)` if the server does without \
                 the answers as well"
            )
        })
    }

    fn server_errors(&self) -> Vec<DefinitionError> {
        let mut problems: Vec<String> = self.identity.icons.iter().flat_map(Icon::problems).collect();
        if self.identity.name.is_empty() {
            problems
                .push("the name is empty: give the server one, as in `Server::builder(\"docs\", \"1.0.0\")`".into());
        }
        if let Some(url) = &self.identity.website_url
            && let Err(error) = grange_uri::check_web_url(url)
        {
            problems.push(format!("website_url `{url}` {error}"));
        }
        if self.page_size == Some(0) {
            problems.push("page_size is 0: leave it out for one page, or give the entries of a page".into());
        }
        if self.revisions.as_ref().is_some_and(|revisions| Served::only(revisions).is_empty()) {
            problems.push("revisions is empty: leave it out to serve all".into());
        }
        if self.declarations.shelves.has_twice() {
            problems.push("a shelf is added twice: add it once".into());
        }
        problems.extend(self.limits.errors());
        problems.into_iter().map(|problem| DefinitionError::new("server", problem)).collect()
    }
}
