//! Shelves: sets of resources that change while the server runs.
//!
//! A [`Shelf`] (`handle.rs`) holds one immutable snapshot (`snapshot.rs`), which a change replaces as a whole. A change is made on a
//! [`ShelfSet`] (`set.rs`), checked, compared with what was there (`news.rs`), and then announced to the hubs of the servers that have
//! the shelf. Not here: the list that shelves are sections of (`sections/`).

mod error;
mod handle;
mod news;
mod set;
mod shelves;
mod snapshot;

pub use error::ShelfError;
pub use handle::{Shelf, WeakShelf};
pub use set::ShelfSet;
pub(crate) use shelves::{Shelved, Shelves};
pub(crate) use snapshot::Snapshot;
