//! Resources: their definitions, their entries in the catalog, fixed contents and reads.

mod blob;
mod builder;
mod definition;
mod entry;
mod fixed;
mod read;
mod template;

pub use blob::{Blob, IntoBlob};
pub use builder::ResourceBuilder;
pub use definition::Resource;
pub(crate) use entry::ResourceEntry;
pub(crate) use template::TemplateEntry;
