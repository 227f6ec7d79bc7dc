//! Jobs: the work for requests that are not answered at once. Each kind of work has its file: author code of every primitive
//! (`run.rs`), a batch (`batch.rs`), a held stream (`listen.rs`), the changes on a pipe (`notify.rs`). Not here: author code itself (`task.rs`).

mod batch;
mod decisions;
mod event;
mod handle;
mod listen;
mod notify;
mod run;
mod work;

pub(crate) use batch::{Member, Members, without_room};
pub(crate) use decisions::{Decision, Granted, Probe};
pub use event::JobEvent;
pub use handle::{Canceller, Job};
pub(crate) use listen::Listening;
pub(crate) use notify::Activation;
pub(crate) use run::Running;
