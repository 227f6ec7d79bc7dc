//! The small server around the service: an address, connections, and the end.

mod bind;
mod connection;
mod connection_options;
mod endpoint;
mod listen;
mod pace;
mod serve;
mod settings;
mod signal;
mod socket;
mod stalled_body;

pub use self::bind::Bound;
pub use self::settings::{Http, Listen, http};
pub use self::signal::shutdown_signal;
