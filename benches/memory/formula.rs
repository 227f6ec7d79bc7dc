//! The formula: what each part of a server may hold, from its settings. `docs/guide/deploy.md` has it with the default settings.

use std::time::Duration;

use grange_core::Limits;

pub(crate) const KIB: usize = 1024;
pub(crate) const MIB: usize = 1024 * KIB;

/// Longer than the program runs: nothing is given up meanwhile.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// The most connections of the server.
pub(crate) const CONNECTIONS: usize = 512;
/// How many of them speak HTTP/2.
pub(crate) const HTTP2: usize = 4;
/// Those that this program keeps for requests of its own.
pub(crate) const SPARE: usize = 1;
/// Those of clients that do not read a large answer, or do not end a large body.
pub(crate) const LARGE: usize = 80;
/// The longest head.
pub(crate) const HEAD_BYTES: usize = 64 * KIB;
/// Streams of an HTTP/2 connection, which cannot be set.
pub(crate) const STREAMS: usize = 128;

/// A connection that is open: its task, its buffers, its socket.
const CONNECTION: usize = 20 * KIB;
/// A session, without what its client declared and without events.
const SESSION: usize = KIB;
/// The most bytes that a client's declarations may have in a session.
pub(crate) const DECLARED: usize = 16 * KIB;
/// The limits, all low enough to be reached in seconds.
pub(crate) fn limits() -> Limits {
    Limits {
        message_bytes: 2 * MIB,
        service_bytes: 64 * MIB,
        sessions: 500,
        session_bytes: 32 * KIB,
        session_idle: PATIENCE,
        request_time: PATIENCE,
        ..Limits::default()
    }
}

/// A part of the memory.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Sessions,
    Connections,
    Service,
}

impl Part {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sessions => "sessions, with what their clients declared and with kept events",
            Self::Connections => "connections, with heads that do not end",
            Self::Service => "heads over HTTP/2, answers that clients do not read, and bodies that do not end",
        }
    }
}

/// The bytes that this part may take.
pub(crate) fn allowed(part: Part) -> u64 {
    /// The most that all sessions keep of events, and of what clients declared.
    const ALL: usize = 64 * MIB;
    let limits = limits();
    let of_sessions = |each: usize| (limits.sessions * each).min(ALL);
    let bytes = match part {
        Part::Sessions => limits.sessions * SESSION + of_sessions(DECLARED) + of_sessions(limits.session_bytes),
        Part::Connections => CONNECTIONS * CONNECTION + (CONNECTIONS - HTTP2) * HEAD_BYTES,
        Part::Service => limits.service_bytes,
    };
    bytes as u64
}
