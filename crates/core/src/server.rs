//! A server: what was built, and the one pure call that takes a request to its answer.
//!
//! `accept` is for requests that stand alone, as over HTTP; a pipe has a [`crate::Session`] in front of the same
//! dispatch. Neither does I/O, reads a clock or waits.

mod absent;
mod builder;
mod error;
mod extensions;
mod report;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

pub use self::builder::ServerBuilder;
pub use self::error::{BuildError, Error};
use self::report::Reporter;
use crate::call::{Call, Reply};
use crate::conversation::{Conversation, Opening};
use crate::define::{Context, ExtensionAnswer, ExtensionParams, Origin, Providers, ReadFailure, Target, panic_message};
use crate::era::{self, Capabilities, Clock, Era, Exchange, Fields, Need, Refusal, Served};
use crate::fault::Fault;
use crate::job::Job;
use crate::limits::Limits;
use crate::model::{CacheHints, Identity, MirroredArgument, Text};
use crate::registry::{Extensions, Found, Registry, Tools};
use crate::rpc::{Code, IdToken, Request, Wire, write_error};
use crate::watch::Watch;

/// A built server. Cheap to clone; one server may listen on several transports at once.
///
/// ```
/// use grange_core::{Resource, Server};
/// let guide = Resource::builder().uri("docs://guide").name("guide").text("# Guide").build();
/// let server = Server::builder("documentation", "1.0.0").resource(guide).build()?;
/// # Ok::<(), grange_core::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Server(Arc<Inner>);

struct Inner {
    identity: Identity,
    instructions: Option<Text>,
    /// `None`: resources were not declared, their methods do not exist.
    registry: Option<Registry>,
    /// `None`: tools were not declared.
    tools: Option<Tools>,
    extensions: Extensions,
    /// What works and will surprise somebody.
    warnings: Vec<String>,
    hints: CacheHints,
    served: Served,
    providers: Arc<Providers>,
    reporter: Reporter,
    limits: Limits,
    client_requests: bool,
    server_info: [OnceLock<Bytes>; Fields::SHAPES],
}

/// What comes of a message: the driver sends it, runs it, or is silent.
#[derive(Debug)]
pub enum Accepted {
    /// The answer to a handshake, with a conversation to be kept under an id.
    Open(Opening),
    /// The answer, and how a transport with statuses should rate it.
    Send(Wire, Refusal),
    /// Work to poll until it is done.
    Run(Job),
    /// Nothing is to be answered.
    Silent,
}

/// What stands around a request: its bytes, and what is known of the other end.
pub(crate) struct Around<'a> {
    pub(crate) frame: &'a Bytes,
    pub(crate) pipe: bool,
    /// What a handshake settled, unless the request speaks for itself.
    pub(crate) conversation: Option<&'a Conversation>,
    /// Whether the client takes messages before the answer.
    pub(crate) stream: bool,
    /// The HTTP exchange, if it came in one.
    pub(crate) exchange: Option<&'a dyn Exchange>,
    /// The driver's.
    pub(crate) clock: Option<Clock>,
}

impl Server {
    /// Starts a server with a name and version for `serverInfo`.
    pub fn builder(name: impl Into<Text>, version: impl Into<Text>) -> ServerBuilder {
        ServerBuilder::new(name.into(), version.into())
    }

    /// The bounds the drivers are to keep.
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Whether the server sends requests to clients, so that over HTTP it has to keep sessions.
    pub fn sends_requests(&self) -> bool {
        self.0.client_requests
    }

    /// The URIs of the registered resources, in order.
    pub fn uris(&self) -> impl Iterator<Item = &str> {
        self.0.registry.iter().flat_map(Registry::uris)
    }

    /// What works and will surprise somebody, each with its remedy. `build()` has said it in the log or, where nobody keeps one, on
    /// standard error.
    pub fn warnings(&self) -> &[String] {
        &self.0.warnings
    }

    /// Serves on a transport until that ends.
    ///
    /// # Errors
    /// What the transport failed with, such as an address in use.
    // Not an `async fn`: its type would have `transport`'s in it, and one that is no transport would be three errors of the compiler.
    pub fn listen<'a>(
        self,
        transport: impl Transport + 'a,
    ) -> Pin<Box<dyn Future<Output = Result<(), Error>> + Send + 'a>> {
        Box::pin(transport.serve(self))
    }

    /// An error response without an id, for a driver that refuses something before it is a message. The message should
    /// say which setting would allow it.
    pub fn refuse(message: &str) -> Wire {
        Wire::one(write_error(None, Code::INVALID_REQUEST, message, None))
    }

    pub(crate) fn served(&self) -> &Served {
        &self.0.served
    }

    /// The arguments of a tool that HTTP clients mirror into headers.
    pub(crate) fn mirrored(&self, tool: &str) -> &[MirroredArgument] {
        self.0.tools.as_ref().map_or(&[], |tools| tools.mirrored(tool))
    }

    pub(crate) fn registry(&self) -> Option<&Registry> {
        self.0.registry.as_ref()
    }

    /// Encodes a result of this server for a row.
    pub(crate) fn write_reply(&self, era: &Era, id: IdToken<'_>, reply: Reply<'_>) -> Wire {
        era.write_reply(id, reply, self.server_info(era.fields))
    }

    pub(crate) fn server_info(&self, fields: &'static Fields) -> &Bytes {
        self.0.server_info[fields.slot].get_or_init(|| {
            let mut out = Vec::new();
            era::server_info(&mut out, &self.0.identity, fields);
            out.into()
        })
    }

    /// Takes a request whose row is known to its answer, or to the work that will answer.
    pub(crate) fn dispatch(&self, era: &'static Era, request: &Request<'_>, around: &Around<'_>) -> Accepted {
        let method = era.method(&request.method).filter(|method| self.has(method.needs));
        let served = method.map(|method| method.name).or_else(|| self.0.extensions.name(&request.method));
        let mut watch = Watch::new(era, request, served, around);
        let answered = watch.span.in_scope(|| match method {
            None => self.extended(era, request, around),
            Some(method) => (method.read)(&request.params).and_then(|call| self.call(era, request, &call, around)),
        });
        match answered {
            Ok(Accepted::Run(mut job)) => {
                job.watch(watch);
                Accepted::Run(job)
            }
            Ok(accepted) => {
                if let Accepted::Send(wire, _) = &accepted {
                    watch.answered(None, wire);
                }
                accepted
            }
            Err(fault) => {
                let (wire, refusal) = era.write_fault(Some(request.id), &fault);
                watch.answered(Some(era.code(&fault).0), &wire);
                Accepted::Send(wire, refusal)
            }
        }
    }

    /// What an extension answers, if one has this method. A panic of its code goes no further.
    fn extended(&self, era: &'static Era, request: &Request<'_>, around: &Around<'_>) -> Result<Accepted, Fault> {
        let unknown = || Fault::UnknownMethod(request.method.clone().into_owned());
        let extension = self.0.extensions.answering(&request.method).ok_or_else(unknown)?;
        let params = ExtensionParams(&request.params);
        let answered = catch_unwind(AssertUnwindSafe(|| extension.answer(&request.method, &params)));
        let answered = answered.map_err(|panic| ReadFailure::Panicked(panic_message(&*panic)));
        let failed = match answered {
            Ok(Ok(answer)) => return Ok(self.extension_reply(era, request, answer)),
            Ok(Err(error)) => error.0.fault(Code::INVALID_PARAMS.0),
            Err(panicked) => Err(panicked),
        };
        Err(failed.unwrap_or_else(|failure| {
            let method = request.method.to_string().into();
            let target = Target::Extension { id: extension.id().to_owned().into(), method };
            self.report(&failure, &self.context(era, target, around));
            Fault::Internal
        }))
    }

    fn extension_reply(&self, era: &'static Era, request: &Request<'_>, answer: ExtensionAnswer) -> Accepted {
        let hints = self.0.hints;
        let cache = answer
            .cache
            .map(|(ttl, scope)| CacheHints { ttl: ttl.unwrap_or(hints.ttl), scope: scope.unwrap_or(hints.scope) });
        let reply = Reply { cache, ..Reply::members(answer.members) };
        Accepted::Send(self.write_reply(era, request.id, reply), Refusal::None)
    }

    fn has(&self, need: Need) -> bool {
        match need {
            Need::Nothing => true,
            Need::Resources => self.0.registry.is_some(),
            Need::Tools => self.0.tools.is_some(),
        }
    }

    fn call(
        &self,
        era: &'static Era,
        request: &Request<'_>,
        call: &Call<'_>,
        around: &Around<'_>,
    ) -> Result<Accepted, Fault> {
        let tools = || self.0.tools.as_ref().ok_or_else(|| Fault::UnknownMethod(request.method.to_string()));
        let registry = || self.0.registry.as_ref().ok_or_else(|| Fault::UnknownMethod(request.method.to_string()));
        let reply = match call {
            Call::Tool { name, arguments } => {
                let tool = tools()?.find(name).ok_or_else(|| Fault::UnknownTool((*name).to_owned()))?;
                let context = self.context(era, Target::Tool(tool.definition().listing.name.clone()), around);
                let arguments =
                    arguments.map_or(Bytes::from_static(b"{}"), |raw| around.frame.slice_ref(raw.text().as_bytes()));
                let id = request.id.to_owned();
                let job = Job::call(self.clone(), era, id, tool.clone(), arguments, context, around.pipe);
                return Ok(Accepted::Run(job));
            }
            Call::Discover => self.discover(),
            Call::Initialize { requested } => self.initialize(requested)?,
            Call::ListResources { cursor } => registry()?.list(*cursor, era.fields)?,
            Call::ListTemplates { cursor } => registry()?.templates(*cursor)?,
            Call::ListTools { cursor } => tools()?.list(*cursor, era.tools)?,
            Call::Listen => return Ok(Accepted::Run(Job::listen(self.clone(), era, request.id.to_owned()))),
            Call::Ping => Reply::default(),
            Call::ReadResource { uri } => return self.read(era, request, registry()?, uri, around),
        };
        Ok(Accepted::Send(self.write_reply(era, request.id, reply), Refusal::None))
    }

    fn read(
        &self,
        era: &'static Era,
        request: &Request<'_>,
        registry: &Registry,
        uri: &str,
        around: &Around<'_>,
    ) -> Result<Accepted, Fault> {
        if uri.len() > self.0.limits.uri_bytes {
            return Err(Fault::LongUri);
        }
        match registry.find(uri, era.fields) {
            None => Err(Fault::UnknownResource { uri: uri.to_owned() }),
            Some(Found::Fixed(reply)) => {
                let wire = self.write_reply(era, request.id, reply);
                if around.pipe && wire.len() > PIPE_REPLY {
                    let context = self.context(era, Target::Resource(uri.to_owned().into()), around);
                    self.report(&ReadFailure::LargeReply(wire.len()), &context);
                }
                Ok(Accepted::Send(wire, Refusal::None))
            }
            Some(Found::Read(index)) => {
                let uri = &registry.resource(index).definition().listing.uri;
                let context = self.context(era, Target::Resource(uri.clone()), around);
                let id = request.id.to_owned();
                Ok(Accepted::Run(Job::read(self.clone(), era, id, index, context, around.pipe)))
            }
        }
    }

    fn context(&self, era: &Era, target: Target, around: &Around<'_>) -> Context {
        Context::new(Origin {
            target,
            version: Some(era.name),
            request: around.frame.clone(),
            has_requests: era.requests,
            conversation: around.conversation.cloned(),
            stream: around.stream,
            resumable: era.primed_streams && !around.pipe && around.conversation.is_some(),
            providers: self.0.providers.clone(),
            peer: OnceLock::new(),
        })
    }

    fn capabilities(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let has = Capabilities {
            resources: self.0.registry.is_some(),
            tools: self.0.tools.is_some(),
            extensions: self.0.extensions.declared(),
        };
        era::capabilities(&mut out, &has);
        out
    }

    fn discover(&self) -> Reply<'static> {
        let instructions = self.0.instructions.as_deref();
        let members = era::discovered(&self.0.served.modern_names(), &self.capabilities(), instructions);
        Reply { cache: Some(self.0.hints), ..Reply::members(members) }
    }

    fn initialize(&self, requested: &str) -> Result<Reply<'static>, Fault> {
        let settled = self.0.served.negotiate(requested).ok_or(Fault::Internal)?;
        let info = self.server_info(settled.fields);
        let instructions = self.0.instructions.as_deref();
        Ok(Reply::members(era::initialized(settled.name, &self.capabilities(), info, instructions)))
    }

    /// Tells the author.
    pub(crate) fn report(&self, failure: &ReadFailure, context: &Context) {
        self.0.reporter.failure(failure, context);
    }
}

/// Longest answer that every known client takes from a pipe, in bytes.
pub(crate) const PIPE_REPLY: usize = 10 * 1024 * 1024;

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("name", &self.0.identity.name).finish_non_exhaustive()
    }
}

/// A way to serve: HTTP, stdio, or one of your own over [`Server::accept`] and [`crate::Session`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a transport",
    note = "pass `grange::stdio()` or `grange::http(\"127.0.0.1:8787\")`"
)]
pub trait Transport {
    /// Serves until the transport ends: its input is over, or it was told to shut down.
    fn serve(self, server: Server) -> impl Future<Output = Result<(), Error>> + Send;
}
