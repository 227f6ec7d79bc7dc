//! Makes blocking streams asynchronous: one thread reads ahead, another writes behind.
//!
//! The process's own streams block, and must stay so. A thread that waits in `read` does not keep the process from ending, unlike a
//! blocking task of the runtime. Input that can be watched needs no thread: `input.rs` decides. Each side passes whole buffers under a
//! lock that is held for a copy: this costs less than a channel, and bounds what is read ahead to one buffer and what is written behind
//! to two.

mod input;
mod output;

pub(crate) use self::input::Input;
pub(crate) use self::output::Output;
