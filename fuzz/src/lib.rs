//! Fuzz targets as plain functions from bytes: what an attacker can send, and what must hold whatever it is.
//!
//! A target panics when an invariant is broken, and returns otherwise. The same functions run in two ways: `tests/` feeds
//! them the committed seeds and many mutations of those, on any toolchain; `fuzz_targets/` wraps them for cargo-fuzz.
//! Only public APIs are used.

mod fixture;
mod header;
mod message;
mod oracle;
mod pattern;
mod proxy;
mod session;
mod skill;
mod token;
mod uri;

pub mod mutate;

pub use header::header;
pub use message::message;
pub use pattern::pattern;
pub use proxy::proxy;
pub use session::session;
pub use skill::skill;
pub use token::token;
pub use uri::uri;
