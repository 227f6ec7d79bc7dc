//! Resources: their definitions, their entries in the catalog, fixed contents, reads, and their JSON names.

mod blob;
mod builder;
mod definition;
mod entry;
mod read;
mod template;
mod wire;

pub use blob::{Blob, IntoBlob};
pub use builder::{Resource, ResourceBuilder};
pub(crate) use entry::ResourceEntry;
pub(crate) use template::TemplateEntry;
pub(crate) use wire::{encoded_payload, item, listing_members};
