//! Sessions of the revisions with a handshake, one file per topic.

pub(super) mod client;
mod client_requests;
mod opening;
mod owners;
mod requests;
mod resume;
mod sockets;
mod verbs;
