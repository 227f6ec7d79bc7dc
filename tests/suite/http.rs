//! The HTTP driver. Nearly all tests call the service directly, without a socket; the others are in `sockets`.

// Helpers panic to fail a test, as the tests themselves do.
#![allow(clippy::unwrap_used, reason = "what cannot be unwrapped here fails the test")]

mod admission;
mod answers;
mod batches;
mod blocking;
mod bounds;
mod changes;
mod cors;
mod crowd;
pub(crate) mod drive;
mod frames;
mod handed;
mod held_bytes;
mod http1;
mod identity;
mod leaving;
mod lifetime;
mod listening;
mod mirror;
mod pace;
mod proxies;
mod rate;
mod sessions;
mod shares;
pub(crate) mod sockets;
mod unread;
