//! Resource templates: their definitions, and their entries in the catalog. What they read are resources.

mod ambiguous;
mod builder;
mod definition;
mod entry;
mod expand;
mod list_page;
mod listed_entry;
mod lister;

pub(crate) use ambiguous::ambiguous;
pub use builder::{Template, TemplateBuilder};
pub(crate) use entry::TemplateEntry;
pub use list_page::{Entries, ListPage};
pub use listed_entry::Entry;
pub(crate) use lister::Lister;
