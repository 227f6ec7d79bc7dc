//! The primitives of the protocol: **a room for each**, with its definitions, its entries in the catalog, its JSON names, and what
//! reading or calling one does.
//!
//! A new primitive is a new folder here, a row in the table of `model/target.rs`, a catalog in `server/primitives.rs`, the methods of the
//! builder that declare it, and its methods in the tables of `era/`.

pub(crate) mod resource;
mod tool;

pub use resource::{Blob, IntoBlob, Resource, ResourceBuilder};
pub(crate) use resource::{ResourceEntry, TemplateEntry};
pub use tool::{Tool, ToolBuilder};
