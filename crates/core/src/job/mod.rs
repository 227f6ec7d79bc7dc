//! Jobs: the work for requests that are not answered at once. Each kind of work has its file: author code of every primitive
//! (`run.rs`), a batch (`batch.rs`), a held stream (`listen.rs`). Not here: author code itself (`task.rs`).

mod batch;
mod event;
mod handle;
mod listen;
mod run;
mod work;

pub(crate) use batch::{Member, Members, without_room};
pub use event::JobEvent;
pub use handle::{Canceller, Job};
pub(crate) use run::Running;
