//! Tests a Grange server in memory: the whole pipeline and every protocol revision, without sockets, sleeps or a
//! runtime of its own.
//! ```
//! use grange_core::{Resource, Revision, Server};
//! use grange_testkit::TestContext;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let guide = Resource::builder().uri("docs://guide").name("guide").text("# Guide").build();
//!
//! // One resource alone: no protocol, no validation, the test's own providers.
//! let contents = guide.read(&TestContext::new()).await?;
//! assert_eq!(contents.items()[0].as_text(), Some("# Guide"));
//!
//! // The server, as a client of any revision sees it.
//! let server = Server::builder("documentation", "1.0.0").resource(guide).build()?;
//! let mut client = grange_testkit::connect(&server, Revision::V2025_06_18).await?;
//! assert_eq!(client.read("docs://guide").await?.text(), Some("# Guide"));
//! # Ok(())
//! # }
//! ```
//!
//! [`connect`] works as over a pipe, [`connect_http`] as over HTTP without sessions. Time is a [`ManualClock`] that
//! only the test advances. [`FakeHost`] is a host with files that the server reads: [`connect_host`] and
//! [`connect_host_http`] put it behind a client. [`transcript`] replays golden transcripts over any transport. The test
//! kit has no schema validation, sockets or processes.

mod client;
mod clock;
mod completed;
mod context;
mod error;
mod headers;
mod host;
mod line;
mod read;
mod tool;
pub mod transcript;

pub use crate::client::{
    Client, Direction, Page, Pending, connect, connect_host, connect_host_http, connect_http, connect_session,
};
pub use crate::clock::ManualClock;
pub use crate::completed::Completed;
pub use crate::context::TestContext;
pub use crate::error::RpcError;
pub use crate::headers::ClientHeaders;
pub use crate::host::{FakeHost, HostAct, HostBehavior, HostBlock, HostMessage};
pub use crate::line::Stream;
pub use crate::read::{Read, ReadItem};
pub use crate::tool::ToolCall;
