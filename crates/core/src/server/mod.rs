//! A server, from its declarations to what is frozen of them.

mod absent;
mod builder;
mod check;
mod error;
mod extensions;
mod frozen;
mod primitives;
mod report;
mod transport;

pub use builder::ServerBuilder;
pub use error::{BuildError, Error};
pub(crate) use frozen::PIPE_REPLY;
pub use frozen::Server;
pub use transport::Transport;
