//! The small server around the service: an address, connections, and the end.

mod connection;
mod endpoint;
mod listen;
mod pace;
mod serve;
mod signal;
mod socket;
mod stalled_body;

pub use self::serve::{Bound, Http, http};
pub use self::signal::shutdown_signal;
