//! The context of one read: what was asked, by whom, and what the server provides.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::failure::ReadError;
use super::provide::{Provided, Providers};
use crate::model::Text;
use crate::rpc::{key, request_meta};

/// What a reader may know of the read it serves. Cheap to clone; made only for reads that run code.
#[derive(Clone)]
pub struct Context {
    read: Arc<Read>,
    /// The provider that is being resolved with this context, if one is.
    within: Option<TypeId>,
}

struct Read {
    origin: Origin,
    provided: Provided,
    cancelled: AtomicBool,
    token: OnceLock<CancellationToken>,
}

/// Where a read came from.
#[derive(Clone, Default)]
pub(crate) struct Origin {
    pub(crate) uri: Text,
    pub(crate) version: Option<&'static str>,
    /// The request as it came, for a reader that asks for its `_meta`; empty outside a request.
    pub(crate) request: Bytes,
    /// What a handshake said of the client, as JSON; empty if there was none.
    pub(crate) client_info: Bytes,
    pub(crate) client_capabilities: Bytes,
    pub(crate) providers: Arc<Providers>,
    pub(crate) peer: Option<Arc<dyn Any + Send + Sync>>,
}

impl Context {
    pub(crate) fn new(origin: Origin) -> Self {
        let read =
            Read { origin, provided: Provided::default(), cancelled: AtomicBool::new(false), token: OnceLock::new() };
        Self { read: Arc::new(read), within: None }
    }

    /// A context outside any request, for tests and for reading a resource from the program itself.
    pub fn detached(providers: Providers) -> Self {
        Self::new(Origin { providers: Arc::new(providers), ..Origin::default() })
    }

    /// The same origin for another URI, with nothing provided yet.
    pub(crate) fn for_uri(&self, uri: &Text) -> Self {
        Self::new(Origin { uri: uri.clone(), ..self.read.origin.clone() })
    }

    /// The URI that was asked for, byte for byte.
    pub fn uri(&self) -> &Text {
        &self.read.origin.uri
    }

    /// The protocol revision in force, as in `2025-06-18`; `None` outside a request.
    pub fn protocol_version(&self) -> Option<&'static str> {
        self.read.origin.version
    }

    /// The value of type `T` that the server provides: made when a read first asks, then the same for the whole read.
    ///
    /// # Errors
    /// When no provider gives `T`, when providers wait for each other, or what the provider failed with. `?` hands it
    /// on; the client sees an internal error.
    pub async fn get<T: Send + Sync + 'static>(&self) -> Result<Arc<T>, ReadError> {
        let context = |wanted| Self { read: self.read.clone(), within: Some(wanted) };
        self.read.provided.get(&self.read.origin.providers, self.within, context).await
    }

    /// The `_meta` that the client sent with the request, unknown keys included.
    pub fn meta(&self) -> Map<String, Value> {
        request_meta(&self.read.origin.request)
    }

    /// The client's own name and version, if it said them: `{"name": …, "version": …}`.
    pub fn client_info(&self) -> Option<Map<String, Value>> {
        self.of_request(key::CLIENT_INFO).or_else(|| object(&self.read.origin.client_info))
    }

    /// What the client declared to be capable of.
    pub fn client_capabilities(&self) -> Map<String, Value> {
        let said = self.of_request(key::CLIENT_CAPABILITIES);
        said.or_else(|| object(&self.read.origin.client_capabilities)).unwrap_or_default()
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
        self.read.origin.peer.as_ref()?.downcast_ref()
    }

    /// Whether nobody waits for the answer any more.
    pub fn is_cancelled(&self) -> bool {
        self.read.cancelled.load(Ordering::Acquire)
    }

    /// Resolves when nobody waits for the answer any more. The read's future is dropped then anyway: this is for work
    /// that runs elsewhere.
    pub async fn cancelled(&self) {
        self.cancellation_token().cancelled_owned().await;
    }

    /// A token that fires when nobody waits for the answer any more, to hand to work that runs elsewhere.
    pub fn cancellation_token(&self) -> CancellationToken {
        let token = self.read.token.get_or_init(CancellationToken::new).clone();
        if self.is_cancelled() {
            token.cancel();
        }
        token
    }

    pub(crate) fn cancel(&self) {
        self.read.cancelled.store(true, Ordering::Release);
        if let Some(token) = self.read.token.get() {
            token.cancel();
        }
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("uri", &self.read.origin.uri).finish_non_exhaustive()
    }
}

/// JSON that was visited when it came in; anything but an object counts as absent.
fn object(json: &Bytes) -> Option<Map<String, Value>> {
    serde_json::from_slice(json).ok()
}
