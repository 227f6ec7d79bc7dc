//! The HTTP driver of Grange: a tower [`HttpService`] to mount anywhere, and a small server
//! around it (`http()`, feature `serve`).
//!
//! The service checks what is HTTP's own (host, origin, method, media types, size), hands the body to
//! [`grange_core::Server::accept`], and turns what comes of it into a response: JSON, or an event stream where the
//! answer is one. Where something needs sessions, or the author asks, it keeps them for the clients that open with a
//! handshake. **No protocol revision is known here**; the engine rates its answers and `refusal.rs` has the statuses.

mod auth;
mod body;
mod capacity;
mod check;
mod config;
mod exchange;
mod future;
mod metadata;
mod principal;
mod read_body;
mod rejection;
mod service;
mod session_answer;
mod session_job;
mod session_stream;
mod session_verbs;
mod sessions;
mod sse;
mod telemetry;
mod timed_job;

#[cfg(feature = "serve")]
mod server;

pub use crate::auth::{Authenticating, Authenticator, Denied, Identity, ResourceMetadata};
pub use crate::body::ResponseBody;
pub use crate::check::proxies::{Addressed, PeerAddr};
pub use crate::future::ResponseFuture;
pub use crate::metadata::MetadataService;
pub use crate::principal::Principal;
#[cfg(feature = "serve")]
pub use crate::server::{Bound, Http, end_signal, http};
pub use crate::service::{HttpService, ServeHttp};
#[cfg(feature = "metrics")]
pub use crate::telemetry::describe_metrics;
