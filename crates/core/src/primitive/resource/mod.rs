//! Resources: their definitions, their entries in the catalog, fixed contents, reads, and their JSON names.

mod blob;
mod builder;
mod definition;
mod entry;
mod read;
mod setters;
mod wire;

pub use blob::{Blob, IntoBlob};
pub(crate) use builder::checked;
pub use builder::{Resource, ResourceBuilder};
pub(crate) use definition::{BoxRead, Definition};
pub(crate) use entry::ResourceEntry;
pub(crate) use read::Read;
pub(crate) use setters::listing_setters;
pub(crate) use wire::{encoded_payload, entry as write_entry, item, listing_members};
