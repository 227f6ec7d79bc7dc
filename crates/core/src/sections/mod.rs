//! `resources/list` of a server whose resources change: sections in order, which are the fixed resources, each shelf, and what each template
//! lists. A page may run over sections.
//!
//! A cursor (`cursor.rs`) says behind which entry a page starts, not how many entries are before it. So a walk neither skips nor repeats an
//! entry that stays, whatever comes and goes meanwhile. Not here: the list of a server whose resources are all fixed (`catalog.rs`).

mod cursor;
mod list;
mod listing;
mod page;
mod walk;

pub(crate) use cursor::Position;
pub(crate) use list::Sections;
