//! Fuzz targets as functions of bytes: untrusted input, and the invariants for it.
//!
//! A target panics if an invariant is broken, and returns otherwise. The functions run in two ways: `tests/` passes
//! them the committed seeds and many mutations of these, on any toolchain; `fuzz_targets/` wraps them for cargo-fuzz.
//! Only public APIs are used.

mod answer;
mod batch;
mod fixture;
mod header;
mod message;
mod oracle;
mod pattern;
mod proxy;
mod session;
mod skill;
mod template;
mod token;
mod uri;

pub mod mutate;

pub use answer::answer;
pub use batch::batch;
pub use header::header;
pub use message::message;
pub use pattern::pattern;
pub use proxy::proxy;
pub use session::session;
pub use skill::skill;
pub use template::template;
pub use token::token;
pub use uri::uri;
