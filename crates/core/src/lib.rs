//! The engine of Grange: it takes the bytes of MCP messages, of every protocol revision, and returns the bytes of the answers.
//!
//! **No I/O, no clock, no runtime, no thread.** There is one exception: without `on_error` and without a log, a failure of author code
//! is written to standard error. A driver moves the bytes, owns the clock and polls the jobs. It calls [`Server::accept`] with the body
//! of an HTTP request, or passes the lines of a pipe to a [`Connection`]. Both return a [`Job`] for work that takes longer than the
//! call. HTTP, stdio and the in-memory test client are such drivers; you can write another. To write a server, use the `grange`
//! package, which re-exports what authors need.
//!
//! ```
//! use bytes::Bytes;
//! use grange_core::{Action, Resource, Server, Connection};
//!
//! let guide = Resource::builder().uri("docs://guide").name("guide").text("# Guide").build();
//! let server = Server::builder("documentation", "1.0.0").resource(guide).build()?;
//! let mut connection = Connection::new(server);
//! connection.handle_frame(&Bytes::from_static(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#));
//! let Some(Action::Send(answer)) = connection.poll_action() else { panic!("a ping is answered at once") };
//! assert_eq!(&answer.into_bytes()[..], br#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
//! # Ok::<(), grange_core::BuildError>(())
//! ```
//!
//! A module imports only modules to its left: `rpc`, `model`, `limits`, `lock` ← `rejection`, `outbox`, `timers`, `session` ← `call` ←
//! `era` | `define` ← `task` ← `catalog` ← `primitive` ← `shelf` ← `sections` ← `ext` ← `server`, `inbound` ← `telemetry` ← `job` ← `dispatch` ← `receive` ←
//! `batch` ← `accept` ← `connection`.

mod accept;
mod batch;
mod budget;
mod call;
mod catalog;
mod changes;
mod connection;
mod define;
mod dispatch;
mod era;
mod ext;
mod inbound;
mod job;
mod limits;
mod lock;
mod model;
mod notifications;
mod outbox;
mod permits;
mod primitive;
mod receive;
mod rejection;
mod rpc;
mod sections;
mod server;
mod session;
mod shelf;
mod start;
mod subscribe;
mod task;
mod telemetry;
mod timers;

pub use crate::accept::Located;
pub use crate::changes::{Announcement, Changes, List};
pub use crate::connection::{Action, Connection, Ticket};
pub use crate::define::{AsyncCode, CallOutcome, FromArguments, FromVariables, ReadOutcome, ThreadSafeError};
pub use crate::define::{
    ClientRequestError, CompleteRequest, Context, DefinitionError, ExpandError, ExtensionData, HandlerFailure,
    NoBackChannel, Providers, ReadError, Sleep, ToolError,
};
#[doc(hidden)]
pub use crate::define::{FirstParameter, ValueList, context_first, context_only, value_list};
pub use crate::era::{Clock, Exchange, Header, Lookup, Revision, Status};
pub use crate::ext::{
    Extension, ExtensionAnswer, ExtensionError, ExtensionParams, Host, HostError, HostFile, HostFilter, HostList,
    HostStatus, Ui, UiLink, UiPermission, UiVisibility, host, nimblebrain,
};
pub use crate::job::{Canceller, Job, JobEvent};
pub use crate::limits::Limits;
pub use crate::model::IntoText;
pub use crate::model::{
    Annotations, CacheScope, Completion, ContentBlock, Contents, Icon, IntoCompletion, IntoContents, IntoToolResult,
    Item, Json, Link, Metadata, Progress, Role, Schema, Target, Text, Theme, ToolAnnotations, ToolResult,
};
#[cfg(feature = "schemars")]
pub use crate::model::{HasSchema, Structured};
pub use crate::permits::{Peer, Permits};
pub use crate::primitive::*;
pub use crate::receive::Accepted;
pub use crate::rpc::{ByteGuard, Wire};
pub use crate::server::{BuildError, Error, Server, ServerBuilder, Transport};
pub use crate::session::{NewSession, Session};
pub use crate::shelf::{Shelf, ShelfError, ShelfSet, WeakShelf};
#[cfg(feature = "metrics")]
pub use crate::telemetry::describe_metrics;
pub use async_trait::async_trait;
pub use grange_uri::{SegmentError, UnknownQuery, encode_segment};
#[cfg(feature = "schemars")]
pub use schemars;
