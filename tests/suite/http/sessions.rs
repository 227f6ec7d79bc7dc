//! Sessions of the revisions with a handshake: a topic a file.

mod asking;
mod client;
mod opening;
mod owners;
mod requests;
mod resume;
mod sockets;
mod verbs;
