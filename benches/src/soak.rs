//! What the two sides of the soak agree on: names, texts and bounds. No code of either side.

use std::fmt::Write as _;
use std::time::Duration;

use grange_core::Limits;

/// Members of a request's `_meta`, or arguments of a tool: what comes back, and how long that takes.
pub const NONCE: &str = "soak/nonce";
/// See [`NONCE`].
pub const MILLISECONDS: &str = "soak/milliseconds";

/// Fixed text of 1 KiB.
pub const FIXED: &str = "soak://fixed";
/// Fixed text of 1 MiB.
pub const LARGE: &str = "soak://large";
/// Fixed text of 8 MiB: more than the buffers between two sockets take.
pub const HUGE: &str = "soak://huge";
/// The nonce.
pub const ECHO: &str = "soak://echo";
/// The nonce and a text of 256 KiB, made anew. Not longer, so that few of them on their way do not look like growth.
pub const COMPUTED: &str = "soak://computed";
/// The nonce, once the milliseconds are over.
pub const WAIT: &str = "soak://wait";
/// The nonce, after progress.
pub const PROGRESS: &str = "soak://progress";
/// An error of the author's that nobody is told.
pub const FAILS: &str = "soak://fails";
/// An error for the client, with the nonce.
pub const REFUSES: &str = "soak://refuses";
/// A panic.
pub const PANICS: &str = "soak://panics";
/// What the server has counted.
pub const COUNTS: &str = "soak://counts";

/// Every resource, in the order of the list.
pub const RESOURCES: [&str; 11] = [FIXED, LARGE, HUGE, ECHO, COMPUTED, WAIT, PROGRESS, FAILS, REFUSES, PANICS, COUNTS];

/// Every tool, in the order of the list: named for what it does with the nonce.
pub const TOOLS: [&str; 7] = ["echo", "wait", "fail", "panic", "progress", "ask", "suspend"];

/// The code of the error for the client.
pub const REFUSAL: i64 = 4290;
/// How much progress is said.
pub const STEPS: u32 = 5;
/// What the tool `ask` asks the client.
pub const QUESTION: &str = "soak/question";

/// What lengths are counted in.
pub const KIB: usize = 1024;
/// See [`KIB`].
pub const MIB: usize = 1024 * KIB;

/// How long the server waits for a head, a body, the next request on a connection, or a client that takes nothing; and
/// how long a request may run. One number, so that a client can tell when the server was in its right to give up.
pub const PATIENCE: Duration = Duration::from_secs(4);
/// Between the comments on a stream.
pub const KEEP_ALIVE: Duration = Duration::from_millis(500);
/// The longest head.
pub const HEAD_BYTES: usize = 16 * KIB;

/// So little that each bound is met again and again.
pub fn limits() -> Limits {
    Limits {
        message_bytes: 64 * KIB,
        request_time: PATIENCE,
        requests_in_flight: 12,
        streams: 16,
        sessions: 12,
        session_idle: Duration::from_secs(2),
        session_bytes: 16 * KIB,
        shutdown_grace: Duration::from_secs(15),
        ..Limits::default()
    }
}

/// A text of that length, with what JSON has to escape in it. No two places of it look alike for long, so that a piece
/// that is lost or comes twice shows.
pub fn text(length: usize) -> String {
    let mut text = String::with_capacity(length + 64);
    let mut line = 0_u64;
    while text.len() < length {
        line += 1;
        // Writing to a string does not fail.
        let _ = writeln!(text, "{line:06} \"a line\" with a tab\tand a backslash \\ in it");
    }
    text.truncate(length);
    text
}
