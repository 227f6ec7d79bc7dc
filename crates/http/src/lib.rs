//! The HTTP driver of Grange: a tower [`HttpService`] to mount anywhere, and a small server
//! around it (`http()`, feature `serve`).
//!
//! The service checks what is HTTP's own (host, origin, method, media types, size), gives the body to
//! [`grange_core::Server::accept`], and turns the result into a response: JSON, or an event stream. It keeps sessions for clients that
//! open with a handshake, where the server needs them or the author wants them. **No protocol revision is known here**: the engine
//! rates its answers, and `response.rs` has the statuses.
//!
//! The files import each other in one direction only. From the bottom:
//!
//! ```text
//! excerpt, sse, principal, lock, deadline, rate            import no file of this crate
//! telemetry, auth, keep_alive                              log and metrics; who sends a request; comments on streams
//! byte_budget, shares, capacity, sessions/                 permits and budgets; the sessions and their events
//! rejection, timed_job                                     why a request is rejected; a job with a clock
//! head, check/, options                                    the head of a request; its pure checks; values of settings
//! stream, session_stream, session_job                      event streams
//! shared, response                                         what requests share; the only writer of responses, with their bodies
//! job_answer, session_answer, session_verbs                the parts of the pipeline
//! pipeline                                                 the ordered list of checks
//! config, future, service, metadata                        how settings are made; the body of a request; the tower services
//! server/                                                  the small server
//! ```

mod auth;
mod byte_budget;
mod capacity;
mod check;
mod client_watch;
mod config;
mod deadline;
mod excerpt;
mod future;
mod head;
mod job_answer;
mod keep_alive;
mod lock;
mod metadata;
mod options;
mod pipeline;
mod principal;
mod rate;
mod rejection;
mod response;
mod service;
mod session_answer;
mod session_job;
mod session_stream;
mod session_verbs;
mod sessions;
mod shared;
mod shares;
mod sse;
mod standalone;
mod stream;
mod telemetry;
mod timed_job;

#[cfg(feature = "serve")]
mod server;

pub use crate::auth::{AuthRejection, Authenticator, Identity, ResourceMetadata};
pub use crate::check::proxies::{ForwardedOrigin, PeerAddr};
pub use crate::config::HttpConfig;
pub use crate::future::ResponseFuture;
pub use crate::metadata::MetadataService;
pub use crate::principal::Principal;
pub use crate::response::ResponseBody;
#[cfg(feature = "serve")]
pub use crate::server::{Bound, Http, Listen, Listener, http, serve};
pub use crate::service::{HttpService, HttpServiceBuilder, Mount};
#[cfg(feature = "metrics")]
pub use crate::telemetry::describe_metrics;
pub use async_trait::async_trait;
#[cfg(feature = "serve")]
pub use grange_process::shutdown_signal;
