//! Resource templates: their definitions, and their entries in the catalog. What they read are resources.

mod ambiguous;
mod builder;
mod definition;
mod entry;

pub(crate) use ambiguous::ambiguous;
pub use builder::{Template, TemplateBuilder};
pub(crate) use entry::TemplateEntry;
