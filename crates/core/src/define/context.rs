//! The context of one read or call: what was asked, by whom, and what the server provides.
//!
//! What author code says and asks through it while it runs is in `client_request.rs`.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use bytes::Bytes;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::failure::ReadError;
use super::provide::{Asking, Provided, Providers};
use crate::model::{Target, Text};
use crate::outbox::Outbox;
use crate::rpc::{RequestId, key, members, request_meta};
use crate::session::{Cancel, Session};
use crate::timers::Timers;

/// What a reader or a tool may know of the request it serves. Cheap to clone; made only for requests that run code.
#[derive(Clone)]
pub struct Context {
    pub(super) read: Arc<RequestState>,
    /// The provider that is being resolved with this context, if one is.
    within: Option<TypeId>,
}

pub(super) struct RequestState {
    pub(super) origin: Origin,
    provided: Provided,
    cancelled: AtomicBool,
    token: OnceLock<CancellationToken>,
    pub(super) outbox: Outbox,
    pub(super) timers: Timers,
    /// What the client wants progress to be called, once somebody asked.
    pub(super) progress_token: OnceLock<Option<RequestId>>,
}

/// Where a request came from.
#[derive(Clone, Default)]
pub(crate) struct Origin {
    pub(crate) target: Target,
    pub(crate) version: Option<&'static str>,
    /// The request as it came, for a reader that asks for its `_meta`; empty outside a request.
    pub(crate) request: Bytes,
    /// Whether the revision has requests from the server to the client.
    pub(crate) has_requests: bool,
    /// The session that the request belongs to; `None` if it stands alone.
    pub(crate) session: Option<Session>,
    /// Whether the client takes messages before the answer.
    pub(crate) stream: bool,
    /// Whether the client can come back for an answer whose connection was closed.
    pub(crate) resumable: bool,
    pub(crate) providers: Arc<Providers>,
    /// What the driver knows of the exchange, once it said so.
    pub(crate) peer: OnceLock<Arc<dyn Any + Send + Sync>>,
}

impl Context {
    pub(crate) fn new(origin: Origin) -> Self {
        let (provided, cancelled, token, outbox, timers, progress_token) = Default::default();
        let read = RequestState { origin, provided, cancelled, token, outbox, timers, progress_token };
        Self { read: Arc::new(read), within: None }
    }

    /// A context outside any request, for tests and for reading a resource from the program itself.
    pub fn detached(providers: Providers) -> Self {
        Self::new(Origin { providers: Arc::new(providers), ..Origin::default() })
    }

    /// The same origin for another URI, with nothing provided yet.
    pub(crate) fn for_uri(&self, uri: &Text) -> Self {
        Self::new(Origin { target: Target::Resource(uri.clone()), ..self.read.origin.clone() })
    }

    /// The same origin for a tool, with nothing provided yet.
    pub(crate) fn for_tool(&self, name: &Text) -> Self {
        Self::new(Origin { target: Target::Tool(name.clone()), ..self.read.origin.clone() })
    }

    /// What runs, by its name: what a report of a failure should say.
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

    /// The URI that was asked for, byte for byte. Empty in a tool.
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

    /// The value of type `T` that the server provides, as `T` or as `Arc<T>`: made when a read first asks, then the same for the
    /// whole request.
    ///
    /// # Errors
    /// When no provider gives `T`, when providers wait for each other, or what the provider failed with. `?` hands it
    /// on; the client sees an internal error.
    pub async fn get<T: Send + Sync + 'static>(&self) -> Result<Arc<T>, ReadError> {
        let context = |wanted| Self { read: self.read.clone(), within: Some(wanted) };
        let Origin { providers, target, .. } = &self.read.origin;
        let asking = Asking { target, within: self.within };
        self.read.provided.get(providers, asking, context).await
    }

    /// The `_meta` that the client sent with the request, unknown keys included.
    pub fn meta(&self) -> Map<String, Value> {
        request_meta(&self.read.origin.request)
    }

    /// The client's own name and version, if it said them: `{"name": …, "version": …}`.
    pub fn client_info(&self) -> Option<Map<String, Value>> {
        let settled = || object(self.read.origin.session.as_ref()?.client_info());
        self.of_request(key::CLIENT_INFO).or_else(settled)
    }

    /// What the client declared to be capable of.
    pub fn client_capabilities(&self) -> Map<String, Value> {
        let settled = || object(self.read.origin.session.as_ref()?.client_capabilities());
        self.of_request(key::CLIENT_CAPABILITIES).or_else(settled).unwrap_or_default()
    }

    /// A member of the request's `_meta` that is an object.
    fn of_request(&self, name: &str) -> Option<Map<String, Value>> {
        match self.meta().remove(name) {
            Some(Value::Object(member)) => Some(member),
            _ => None,
        }
    }

    /// What the transport says of the request, if it is a `T`. Over HTTP that is `http::request::Parts`.
    pub fn peer<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.read.origin.peer.get()?.downcast_ref()
    }

    pub(crate) fn set_peer(&self, peer: Arc<dyn Any + Send + Sync>) {
        // The first word holds.
        let _ = self.read.origin.peer.set(peer);
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

    /// How a client cancels the work by its request's id.
    pub(crate) fn canceller(&self) -> Weak<dyn Cancel> {
        let read: Weak<RequestState> = Arc::downgrade(&self.read);
        read
    }

    /// Whether the request was cancelled, or its client is gone.
    pub fn is_cancelled(&self) -> bool {
        self.read.cancelled.load(Ordering::Acquire)
    }

    /// Resolves when the request is cancelled or its client is gone. The reader's own future is dropped then anyway: use this
    /// for work in other tasks.
    pub async fn cancelled(&self) {
        self.cancellation_token().cancelled_owned().await;
    }

    /// A token that fires when the request is cancelled or its client is gone, for work in other tasks.
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

/// JSON that was looked at when it came in; anything but an object counts as absent.
fn object(json: &Bytes) -> Option<Map<String, Value>> {
    let json = std::str::from_utf8(json).ok().filter(|json| json.starts_with('{'))?;
    Some(members(json))
}
