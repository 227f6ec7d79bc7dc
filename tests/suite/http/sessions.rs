//! Sessions of the revisions with a handshake, one file per topic.

mod client;
mod client_requests;
mod opening;
mod owners;
mod requests;
mod resume;
mod sockets;
mod verbs;
