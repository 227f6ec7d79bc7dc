//! Changes of what a server serves: the author announces them, and clients that listen are told.
//!
//! The author has a [`Changes`] (`announce.rs`). It passes each announcement to the hub (`hub.rs`), which knows who subscribed to what. A
//! listener (`listener.rs`) holds the set of what has changed for one client, and folds bursts (`pause.rs`). Not here: the messages
//! (`era/names/changes.rs`), and the jobs that send them (`job/listen.rs`, `job/notify.rs`).

mod announce;
mod counts;
mod hub;
mod listener;
mod pause;
mod subscriptions;

pub use announce::{Announcement, Changes};
#[cfg(feature = "metrics")]
pub(crate) use counts::names;
pub use hub::List;
pub(crate) use hub::{Hub, Resolve, Served};
pub(crate) use listener::{Listener, Lists, Notice, Recipient};
pub(crate) use subscriptions::Full;
