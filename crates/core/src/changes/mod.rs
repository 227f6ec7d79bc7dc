//! Changes of resources and lists: the author announces them, and the server notifies the clients that listen.
//!
//! The author has a [`Changes`] (`announce.rs`). It passes each announcement to the hub (`hub.rs`), which knows who subscribed to what. An
//! entry (`entry.rs`) holds the set of what has changed for one client, and folds bursts (`pause.rs`). Not here: the messages
//! (`era/names/changes.rs`), and the jobs that send them (`job/listen.rs`, `job/notify.rs`).

mod announce;
mod counts;
mod entry;
mod hub;
mod list;
mod listener;
mod pause;
mod subscriptions;

pub use announce::{Announcement, Changes};
#[cfg(feature = "metrics")]
pub(crate) use counts::names;
pub(crate) use entry::{Notice, Recipient};
pub(crate) use hub::{Hub, Resolve, Served};
pub use list::List;
pub(crate) use list::Lists;
pub(crate) use listener::Listener;
pub(crate) use subscriptions::Full;
