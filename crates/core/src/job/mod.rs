//! Jobs: requests that are worked on for longer than the call that accepted them. Each kind of work has its file. Author code,
//! of whatever primitive, is one kind (`run.rs`).

mod batch;
mod event;
mod handle;
mod listen;
mod run;
mod work;

pub(crate) use batch::Member;
pub use event::JobEvent;
pub use handle::{Canceller, Job};
pub(crate) use run::Running;
