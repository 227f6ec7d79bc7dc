//! A built server: its declarations, checked and frozen, and its answers to `initialize` and `server/discover`.
//!
//! Not here: how requests are dispatched (`dispatch.rs`), and how messages are received (`receive.rs`).

use std::fmt;
use std::sync::{Arc, OnceLock, Weak};

use bytes::Bytes;

use super::primitives::Catalogs;
use super::report::Reporter;
use super::resource_tools::ResourceTools;
use crate::call::Reply;
use crate::catalog::Found;
use crate::changes::{Changes, Hub, Resolve, Served as ServedAt};
use crate::define::{Context, HandlerFailure, Providers};
use crate::era::{self, Era, Fields, ReplyWriter, Served};
use crate::ext::Extensions;
use crate::limits::Limits;
use crate::model::{CacheHints, Identity, Primitive, Text};
use crate::rejection::Rejection;
use crate::rpc::{Code, IdToken, Wire, write_error};

/// A built server. Cheap to clone; one server may listen on several transports at once.
///
/// ```
/// use grange_core::{Resource, Server};
/// let guide = Resource::builder().uri("docs://guide").name("guide").text("# Guide").build();
/// let server = Server::builder("documentation", "1.0.0").resource(guide).build()?;
/// # Ok::<(), grange_core::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Server(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub(super) identity: Identity,
    pub(super) instructions: Option<Text>,
    pub(super) catalogs: Catalogs,
    /// The tools that list and read resources, if the author wants them.
    pub(super) resource_tools: Option<ResourceTools>,
    pub(super) extensions: Extensions,
    /// Non-fatal problems that `build()` found.
    pub(super) warnings: Vec<String>,
    pub(super) hints: CacheHints,
    pub(super) served: Served,
    pub(super) providers: Arc<Providers>,
    pub(super) reporter: Reporter,
    pub(super) limits: Limits,
    pub(super) changes: Option<Changes>,
    pub(super) requests_to_client: bool,
    pub(super) server_info: [OnceLock<Bytes>; Fields::SHAPES],
}

impl Server {
    /// The limits that a driver must keep.
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Whether the server sends requests to the client. An HTTP driver must then keep sessions.
    pub fn sends_requests(&self) -> bool {
        self.0.requests_to_client
    }

    /// Whether the server notifies clients of changes. An HTTP driver must then keep sessions.
    pub fn announces_changes(&self) -> bool {
        self.0.changes.is_some()
    }

    pub(crate) fn hub(&self) -> Option<&Arc<Hub>> {
        self.0.changes.as_ref().map(Changes::hub)
    }

    /// Lets the hub of changes find what this server serves.
    pub(super) fn join_changes(&self) {
        if let Some(hub) = self.hub() {
            let server: Weak<dyn Resolve> = Arc::<Inner>::downgrade(&self.0);
            hub.join(server, &self.0.limits);
            self.0.catalogs.join(hub);
        }
    }

    /// The URIs of the registered resources, in order. Those on a [shelf](crate::Shelf) come and go, and are not among them.
    pub fn uris(&self) -> impl Iterator<Item = &str> {
        self.0.catalogs.uris()
    }

    /// Warnings: settings that work but may not do what the author expects, each with its remedy. `build()` has logged them, or
    /// has written them to standard error if the process has no log.
    pub fn warnings(&self) -> &[String] {
        &self.0.warnings
    }

    /// An error response without an id, for a driver that rejects bytes before they are a message. The text should name the
    /// setting that would allow them.
    pub fn refuse(message: &str) -> Wire {
        Wire::one(write_error(None, Code::INVALID_REQUEST, message, None))
    }

    pub(crate) fn served(&self) -> &Served {
        &self.0.served
    }

    /// The catalogs of all primitives.
    pub(crate) fn catalogs(&self) -> &Catalogs {
        &self.0.catalogs
    }

    /// Looks up a resource by its URI or a tool by its name, and starts its use.
    pub(crate) fn find(
        &self,
        primitive: Primitive,
        name: &str,
        arguments: Option<Bytes>,
        era: &Era,
    ) -> Result<Found, Rejection> {
        let Inner { catalogs, resource_tools, .. } = &*self.0;
        let added = resource_tools.as_ref().filter(|_| primitive == Primitive::Tool);
        match added.and_then(|tools| tools.find(name, arguments.as_deref(), catalogs, era)) {
            Some(found) => found,
            None => catalogs.find(primitive, name, arguments, era),
        }
    }

    pub(crate) fn extensions(&self) -> &Extensions {
        &self.0.extensions
    }

    pub(crate) fn providers(&self) -> &Arc<Providers> {
        &self.0.providers
    }

    /// The default cache hints.
    pub(crate) fn hints(&self) -> CacheHints {
        self.0.hints
    }

    /// The encoder for the result of one request.
    pub(crate) fn writer<'a>(&'a self, era: &'static Era, id: IdToken<'a>) -> ReplyWriter<'a> {
        ReplyWriter { era, id, server_info: self.server_info(era.fields) }
    }

    pub(crate) fn server_info(&self, fields: &'static Fields) -> &Bytes {
        self.0.server_info[fields.slot].get_or_init(|| {
            let mut out = Vec::new();
            era::server_info(&mut out, &self.0.identity, fields);
            out.into()
        })
    }

    fn capabilities(&self, era: &Era) -> Vec<u8> {
        let mut out = Vec::new();
        era::capabilities(&mut out, self.0.catalogs.capabilities(era), self.0.extensions.declared());
        out
    }

    pub(crate) fn discover(&self, era: &Era) -> Reply<'static> {
        let instructions = self.0.instructions.as_deref();
        let members = era::discovered(&self.0.served.modern_names(), &self.capabilities(era), instructions);
        Reply { cache: Some(self.0.hints), ..Reply::members(members) }
    }

    pub(crate) fn initialize(&self, requested: &str) -> Result<Reply<'static>, Rejection> {
        let settled = self.0.served.negotiate(requested).ok_or(Rejection::Internal)?;
        let info = self.server_info(settled.fields);
        let instructions = self.0.instructions.as_deref();
        Ok(Reply::members(era::initialized(settled.name, &self.capabilities(settled), info, instructions)))
    }

    /// Reports a failure to the author.
    pub(crate) fn report(&self, failure: &HandlerFailure, context: &Context) {
        self.0.reporter.failure(failure, context);
    }
}

/// The longest answer that every known client accepts from a pipe, in bytes.
pub(crate) const PIPE_REPLY: usize = 10 * 1024 * 1024;

impl Resolve for Inner {
    fn resolve(&self, uri: &str) -> ServedAt {
        self.catalogs.resolve(uri)
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("name", &self.0.identity.name).finish_non_exhaustive()
    }
}
