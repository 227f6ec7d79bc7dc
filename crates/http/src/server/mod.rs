//! The small server around the service: where it listens, its connections, and the end.

mod announce;
mod bind;
mod byte_stream;
mod connection;
mod connection_options;
mod endpoint;
mod listener;
mod open;
mod pace;
mod serve;
mod settings;
mod socket;
mod stall_monitor;
mod stalled_body;
mod watched_stream;

pub use self::bind::Bound;
pub use self::listener::Listener;
pub use self::settings::{Http, Listen, http, serve};
