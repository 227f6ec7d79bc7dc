//! A server: its builder, the checks of `build()`, and the frozen result. Not here: how it answers (`dispatch.rs`).

mod absent;
mod builder;
mod check;
mod error;
mod extensions;
mod frozen;
mod primitives;
mod report;
mod resource_tools;
mod transport;

pub use builder::ServerBuilder;
pub use error::{BuildError, Error};
pub(crate) use frozen::PIPE_REPLY;
pub use frozen::Server;
pub use transport::Transport;
