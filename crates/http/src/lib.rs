//! The HTTP driver of Grange: a tower [`HttpService`] to mount anywhere, and a small server
//! around it (`http()`, feature `serve`).
//!
//! The service checks what is HTTP's own (host, origin, method, media types, size), hands the body to
//! [`grange_core::Server::accept`], and turns what comes of it into a response: JSON, or an event stream where the
//! answer is one. Where something needs sessions, or the author asks, it keeps them for the clients that open with a
//! handshake. **No protocol revision is known here**; the engine rates its answers and `refusal.rs` has the statuses.

mod body;
mod collect;
mod config;
mod cors;
mod exchange;
mod future;
mod guard;
mod identity;
mod media;
mod metadata;
mod places;
mod proxies;
mod refusal;
mod service;
mod sessions;
mod sse;
mod watch;
mod work;

#[cfg(feature = "serve")]
mod connection;
#[cfg(feature = "serve")]
mod leases;
#[cfg(feature = "serve")]
mod listen;
#[cfg(feature = "serve")]
mod pace;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod signal;
#[cfg(feature = "serve")]
mod socket;

pub use crate::body::ResponseBody;
pub use crate::future::ResponseFuture;
pub use crate::identity::{Authenticating, Authenticator, Denied, Identity, ResourceMetadata};
pub use crate::metadata::MetadataService;
pub use crate::proxies::{Addressed, PeerAddr};
#[cfg(feature = "serve")]
pub use crate::serve::{Bound, Http, http};
pub use crate::service::{HttpService, ServeHttp};
pub use crate::sessions::Principal;
#[cfg(feature = "serve")]
pub use crate::signal::end_signal;
#[cfg(feature = "metrics")]
pub use crate::watch::describe_metrics;
