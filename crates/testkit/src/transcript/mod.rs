//! Golden transcripts: what a client says and what the server must answer, in a file that reads well in review.
//!
//! ```text
//! # wires: pipe
//!
//! # A comment says why.
//! >>> {"jsonrpc":"2.0","id":1,"method":"ping"}
//! <<< {"jsonrpc":"2.0","id":1,"result":{}}
//! ```
//!
//! `>>>` is a message to the server; the lines `<<<` below it are everything the server says to it, byte for byte.
//! `=== 404` in between is the HTTP status, left out where it is 200, or 202 for no answer; wires without statuses pass
//! over it. Comments of the form `# name: value` before the first message are settings for whoever replays the file.
//!
//! One file is replayed over every wire it is meant for: a [`Wire`] carries the messages, [`MemoryWire`] without I/O.
//! With `UPDATE=1` in the environment, [`check_file`] rewrites what the server says instead of comparing it.

mod file;
mod replay;

pub use self::file::{Exchange, Transcript};
pub use self::replay::{Answer, MemoryWire, Mismatch, Wire, check_file};
