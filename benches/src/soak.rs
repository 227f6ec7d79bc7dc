//! The definitions for both sides of the soak: names, texts and limits.

use std::fmt::Write as _;
use std::time::Duration;

use grange_core::Limits;

/// Members of a request's `_meta`, or arguments of a tool: the value to return, and the time to wait before.
pub const NONCE: &str = "soak/nonce";
/// See [`NONCE`].
pub const MILLISECONDS: &str = "soak/milliseconds";

/// Fixed text of 1 KiB.
pub const FIXED: &str = "soak://fixed";
/// Fixed text of 1 MiB.
pub const LARGE: &str = "soak://large";
/// Fixed text of 8 MiB, which exceeds the buffers of two sockets.
pub const HUGE: &str = "soak://huge";
/// Returns the nonce.
pub const ECHO: &str = "soak://echo";
/// Returns the nonce and a text of 256 KiB, computed for each read. It is short enough that a few of them in transit do
/// not look like growth.
pub const COMPUTED: &str = "soak://computed";
/// The length of that text.
pub const COMPUTED_BYTES: usize = 256 * KIB;
/// Returns the nonce after the given milliseconds.
pub const WAIT: &str = "soak://wait";
/// Returns the nonce after progress.
pub const PROGRESS: &str = "soak://progress";
/// Fails with a private error.
pub const FAILS: &str = "soak://fails";
/// Fails with a public error that has the nonce.
pub const REFUSES: &str = "soak://refuses";
/// Panics.
pub const PANICS: &str = "soak://panics";
/// Returns the server's counters.
pub const COUNTS: &str = "soak://counts";

/// Every resource, in the order of the list.
pub const RESOURCES: [&str; 11] = [FIXED, LARGE, HUGE, ECHO, COMPUTED, WAIT, PROGRESS, FAILS, REFUSES, PANICS, COUNTS];

/// Every tool, in the order of the list, named after its behavior.
pub const TOOLS: [&str; 8] = ["echo", "wait", "fail", "panic", "progress", "ask", "suspend", "touch"];

/// How often the tool `touch` announces a change.
pub const TOUCHES: u32 = 20;

/// The code of the public error.
pub const REJECTION: i64 = 4290;
/// The number of progress notifications.
pub const STEPS: u32 = 5;
/// The method of the request to the client that the tool `ask` sends.
pub const QUESTION: &str = "soak/question";

/// The unit of lengths.
pub const KIB: usize = 1024;
/// See [`KIB`].
pub const MIB: usize = 1024 * KIB;

/// How long the server waits for a head, a body, the next request on a connection, or a client that does not read; and
/// how long a request may run. They are equal, so that a client can tell whether the server was allowed to end the
/// connection.
pub const PATIENCE: Duration = Duration::from_secs(4);
/// The time between the comments on a stream.
pub const KEEP_ALIVE: Duration = Duration::from_millis(500);
/// The maximum size of a head.
pub const HEAD_BYTES: usize = 16 * KIB;

/// Limits so low that each is reached often.
pub fn limits() -> Limits {
    Limits {
        message_bytes: 64 * KIB,
        request_time: PATIENCE,
        requests_in_flight: 12,
        streams: 16,
        sessions: 12,
        session_idle: Duration::from_secs(2),
        session_bytes: 16 * KIB,
        // Seven answers of `COMPUTED`: what clients leave unread comes and goes, and must not look like growth.
        service_bytes: 2 * MIB,
        shutdown_grace: Duration::from_secs(15),
        ..Limits::default()
    }
}

/// A text of that length, with characters that JSON must escape. No two parts are equal for long, so that a lost or
/// repeated piece is detected.
pub fn text(length: usize) -> String {
    let mut text = String::with_capacity(length + 64);
    let mut line = 0_u64;
    while text.len() < length {
        line += 1;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line:06} \"a line\" with a tab\tand a backslash \\ in it");
    }
    text.truncate(length);
    text
}
