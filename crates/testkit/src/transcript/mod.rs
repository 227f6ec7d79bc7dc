//! Golden transcripts: messages of a client and the expected messages of the server, in a file that is easy to review.
//!
//! ```text
//! # wires: pipe
//!
//! # A comment says why.
//! >>> {"jsonrpc":"2.0","id":1,"method":"ping"}
//! <<< {"jsonrpc":"2.0","id":1,"result":{}}
//! ```
//!
//! `>>>` is a message to the server. The `<<<` lines below it are all messages that the server sends in return, byte
//! for byte. `=== 404` between them is the HTTP status; it is omitted for 200, and for 202 without an answer. Wires
//! without statuses ignore it. Comments of the form `# name: value` before the first message are settings for the test
//! that replays the file.
//!
//! One file is replayed over each wire that it applies to: a [`Wire`] carries the messages; [`MemoryWire`] does so
//! without I/O. With `UPDATE=1` in the environment, [`check_file`] rewrites the server's messages instead of comparing
//! them.

mod file;
mod replay;

pub use self::file::{Exchange, Transcript};
pub use self::replay::{Answer, MemoryWire, Mismatch, Wire, check_file};
