//! The HTTP driver. Nearly everything drives the service directly, without a socket; `sockets` has what needs one.

mod drive;
mod admission;
mod mirror;
mod answers;
mod bounds;
mod lifetime;
mod sockets;
