//! The context of one read or call: the request, its client, and the values that the server provides.
//!
//! The methods that send messages and wait are in `client_request.rs`.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use bytes::Bytes;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::error::ReadError;
use super::json_room::{JsonRoom, NoRoom, NotAdmitted};
use super::provide::{Provided, Providers, Requester};
use crate::changes::Changes;
use crate::limits::Limits;
use crate::model::{Target, Text};
use crate::outbox::Outbox;
use crate::permits::Permits;
use crate::rpc::{ByteGuard, Raw, RequestId, key, members, meta_member, request_meta};
use crate::session::{Cancel, Session};
use crate::timers::Timers;

/// The request that a reader or a tool serves, as author code sees it. Cheap to clone. Made only for requests that run
/// author code.
#[derive(Clone)]
pub struct Context {
    pub(super) read: Arc<RequestState>,
    /// The provided type whose provider has this context, if it is a provider's.
    within: Option<TypeId>,
}

pub(super) struct RequestState {
    pub(super) origin: Origin,
    provided: Provided,
    cancelled: AtomicBool,
    token: OnceLock<CancellationToken>,
    pub(super) outbox: Outbox,
    pub(super) timers: Timers,
    /// The progress token of the request, read on first use.
    pub(super) progress_token: OnceLock<Option<RequestId>>,
    json: JsonRoom,
}

/// The request of a context, and its origin.
#[derive(Clone, Default)]
pub(crate) struct Origin {
    pub(crate) target: Target,
    pub(crate) version: Option<&'static str>,
    /// The request as received, from which `_meta` is read on use. Empty outside a request.
    pub(crate) request: Bytes,
    /// Whether the revision has requests to the client.
    pub(crate) has_requests: bool,
    /// The session that the request belongs to, if any.
    pub(crate) session: Option<Session>,
    /// Whether the client accepts messages before the answer.
    pub(crate) stream: bool,
    /// Whether the client can resume the stream of this request after its connection was closed.
    pub(crate) resumable: bool,
    pub(crate) providers: Arc<Providers>,
    /// The limit of the server.
    pub(crate) json_values: usize,
    /// The driver's data about the exchange, once the driver has set it.
    pub(crate) peer: OnceLock<Arc<dyn Any + Send + Sync>>,
    /// The capacity of the driver, once it has set it.
    pub(crate) permits: OnceLock<Arc<dyn Permits>>,
}

impl Context {
    pub(crate) fn new(origin: Origin) -> Self {
        let (provided, cancelled, token, outbox, timers, progress_token, json) = Default::default();
        let read = RequestState { origin, provided, cancelled, token, outbox, timers, progress_token, json };
        Self { read: Arc::new(read), within: None }
    }

    /// A context outside any request, for tests and for a program that reads a resource of its own.
    ///
    /// ```
    /// use grange_core::{Context, Providers};
    /// let cx = Context::detached(Providers::new());
    /// assert_eq!(cx.protocol_version(), None);
    /// ```
    pub fn detached(providers: Providers) -> Self {
        let json_values = Limits::default().json_values;
        Self::new(Origin { providers: Arc::new(providers), json_values, ..Origin::default() })
    }

    /// The same origin for another URI, with new provided values.
    pub(crate) fn for_uri(&self, uri: &Text) -> Self {
        self.for_target(Target::Resource(uri.clone()))
    }

    /// The same origin for a tool, with new provided values.
    pub(crate) fn for_tool(&self, name: &Text) -> Self {
        self.for_target(Target::Tool(name.clone()))
    }

    /// The same origin for another target, with new provided values.
    pub(crate) fn for_target(&self, target: Target) -> Self {
        Self::new(Origin { target, ..self.read.origin.clone() })
    }

    /// What runs: a resource, a tool, the completion of an argument, or a method of an extension. A report of a failure should name it.
    ///
    /// ```
    /// use grange_core::Server;
    /// let server = Server::builder("tools", "1.0.0")
    ///     .on_error(|failure, cx| eprintln!("{} failed: {failure:#}", cx.target())) // tool `sum` failed: …
    ///     .build()?;
    /// # Ok::<(), grange_core::BuildError>(())
    /// ```
    pub fn target(&self) -> &Target {
        &self.read.origin.target
    }

    /// The URI that the client sent, byte for byte. Empty in a tool.
    pub fn uri(&self) -> &Text {
        static NONE: Text = Text::from_static("");
        self.target().uri().unwrap_or(&NONE)
    }

    /// The name of the tool that was called; `None` in a reader.
    pub fn tool(&self) -> Option<&str> {
        self.target().tool().map(Text::as_str)
    }

    /// The protocol revision in force, as in `2025-06-18`; `None` outside a request.
    pub fn protocol_version(&self) -> Option<&'static str> {
        self.read.origin.version
    }

    /// The value of type `T` that the server provides, as `T` or as `Arc<T>`. It is made on the first call, and then
    /// the same for the whole request.
    ///
    /// ```
    /// use grange_core::Resource;
    ///
    /// struct Db {
    ///     name: &'static str,
    /// }
    ///
    /// let status = Resource::builder()
    ///     .uri("db://status")
    ///     .name("status")
    ///     .read(|cx| async move {
    ///         let db = cx.get::<Db>().await?;
    ///         Ok(format!("connected to {}", db.name))
    ///     })
    ///     .build();
    /// ```
    ///
    /// # Errors
    /// If no provider gives `T`, if providers wait for each other, or if the provider fails. Return the error with `?`:
    /// the client then gets an internal error, unless the provider's error is meant for the client.
    pub async fn get<T: Send + Sync + 'static>(&self) -> Result<Arc<T>, ReadError> {
        let context = |wanted| Self { read: self.read.clone(), within: Some(wanted) };
        let Origin { providers, target, .. } = &self.read.origin;
        let requester = Requester { target, within: self.within };
        self.read.provided.get(providers, requester, context).await
    }

    /// Announces changes; see [`Changes`]. On a server without changes (`.changes(…)`) announcements are ignored.
    ///
    /// ```
    /// use grange_core::Tool;
    /// let close = Tool::builder().name("close").call_without_arguments(|cx| async move {
    ///     // … once it is closed:
    ///     cx.changes().updated("shop://status");
    ///     Ok("closed")
    /// });
    /// ```
    pub fn changes(&self) -> &Changes {
        self.read.origin.providers.changes()
    }

    /// The `_meta` of the request, unknown keys included. A member with a number beyond a double (`1e400`), which
    /// [`Value`] cannot hold, is left out. Empty if it has more values than [`Limits::json_values`](crate::Limits::json_values), or takes
    /// more memory than is left: it takes the memory of each call.
    pub fn meta(&self) -> Map<String, Value> {
        request_meta(&self.read.origin.request).map(|meta| self.members(meta)).unwrap_or_default()
    }

    /// The client's name and version, if it sent them: `{"name": …, "version": …}`.
    pub fn client_info(&self) -> Option<Map<String, Value>> {
        self.declared(key::CLIENT_INFO, Session::client_info).map(|info| self.members(info))
    }

    /// The capabilities that the client declared, with what [`meta`](Self::meta) leaves out left out too.
    pub fn client_capabilities(&self) -> Map<String, Value> {
        self.capabilities().map(|declared| self.members(declared)).unwrap_or_default()
    }

    /// A capability that is an object, at this path. Nothing else of the declaration is read.
    pub(crate) fn client_capability(&self, path: &[&str]) -> Option<Map<String, Value>> {
        let found = path.iter().try_fold(self.capabilities()?, |value, name| value.member(name))?;
        found.is_object().then(|| self.members(found))
    }

    fn members(&self, object: Raw<'_>) -> Map<String, Value> {
        let admitted = self.read.json.admit_part(object.text(), self.json_values(), |bytes| self.hold(bytes));
        if admitted.is_ok() { members(object) } else { Map::new() }
    }

    /// Counts the memory of values that are made of this JSON, until the request is over.
    pub(crate) fn admit(&self, json: &str) -> Result<(), NotAdmitted> {
        self.read.json.admit(json, self.json_values(), |bytes| self.hold(bytes))
    }

    /// The most JSON values that are made of one part of a message.
    fn json_values(&self) -> usize {
        self.read.origin.json_values
    }

    /// Counts bytes that are held for the client, if the driver counts them.
    pub(crate) fn hold(&self, bytes: usize) -> Result<ByteGuard, NoRoom> {
        match self.read.origin.permits.get() {
            Some(permits) => permits.hold(self.any_peer(), bytes).ok_or(NoRoom),
            None => Ok(ByteGuard::new(())),
        }
    }

    fn capabilities(&self) -> Option<Raw<'_>> {
        self.declared(key::CLIENT_CAPABILITIES, Session::client_capabilities)
    }

    /// An object that the client declared: in the request's `_meta`, else in the handshake.
    fn declared(&self, name: &str, settled: fn(&Session) -> &Bytes) -> Option<Raw<'_>> {
        let Origin { request, session, .. } = &self.read.origin;
        let of_request = meta_member(request, name).filter(|value| value.is_object());
        let of_session = || session.as_ref().map(|session| Raw::checked_before(settled(session)));
        of_request.or_else(of_session).filter(|value| value.is_object())
    }

    /// The driver's data about the request, if its type is `T`. Over HTTP that is `http::request::Parts`.
    pub fn peer<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.read.origin.peer.get()?.downcast_ref()
    }

    /// The driver's data about the request, of whatever type.
    fn any_peer(&self) -> Option<&(dyn Any + Send + Sync)> {
        self.read.origin.peer.get().map(|peer| &**peer)
    }

    pub(crate) fn set_peer(&self, peer: Arc<dyn Any + Send + Sync>) {
        // The first value stays.
        let _ = self.read.origin.peer.set(peer);
    }

    pub(crate) fn set_permits(&self, permits: Arc<dyn Permits>) {
        let _ = self.read.origin.permits.set(permits);
    }

    pub(crate) fn outbox(&self) -> &Outbox {
        &self.read.outbox
    }

    pub(crate) fn timers(&self) -> &Timers {
        &self.read.timers
    }

    pub(crate) fn session(&self) -> Option<&Session> {
        self.read.origin.session.as_ref()
    }

    /// The handle with which a client cancels the work, by the id of its request.
    pub(crate) fn canceller(&self) -> Weak<dyn Cancel> {
        let read: Weak<RequestState> = Arc::downgrade(&self.read);
        read
    }

    /// Whether the request was cancelled, or its client is gone.
    pub fn is_cancelled(&self) -> bool {
        self.read.cancelled.load(Ordering::Acquire)
    }

    /// Resolves when the request is cancelled or its client is gone. The reader's own future is dropped at the same
    /// time, so this is for work in other tasks.
    pub async fn cancelled(&self) {
        self.cancellation_token().cancelled_owned().await;
    }

    /// A token that is cancelled when the request is cancelled or its client is gone, for work in other tasks.
    pub fn cancellation_token(&self) -> CancellationToken {
        let token = self.read.token.get_or_init(CancellationToken::new).clone();
        if self.is_cancelled() {
            token.cancel();
        }
        token
    }

    pub(crate) fn cancel(&self) {
        self.read.cancel();
    }
}

impl Cancel for RequestState {
    fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
        if let Some(token) = self.token.get() {
            token.cancel();
        }
        self.outbox.wake();
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("target", self.target()).finish_non_exhaustive()
    }
}
