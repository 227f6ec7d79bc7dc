//! Resource templates: their definitions, and their entries in the catalog. What they read are resources.

mod builder;
mod definition;
mod entry;

pub use builder::{Template, TemplateBuilder};
pub(crate) use definition::ambiguous;
pub(crate) use entry::TemplateEntry;
