//! Sessions of the revisions with a handshake, one file per topic.

mod asking;
mod client;
mod opening;
mod owners;
mod requests;
mod resume;
mod sockets;
mod verbs;
