//! Blocking streams made asynchronous: one thread reads ahead, another writes behind.
//!
//! The process's own streams block, and must. A thread that waits in `read` for ever does not keep the process from
//! ending, unlike the runtime's own blocking tasks. Input that can be watched needs none: `input.rs` has the choice. Each side passes whole buffers under a lock that is held for a copy:
//! cheaper than a channel, and it bounds what is read ahead to one buffer and what is written behind to two.

mod input;
mod output;

pub(crate) use self::input::Input;
pub(crate) use self::output::Output;
