//! The primitives of the protocol: **a folder for each**, with its definitions, its entries in the catalog, its JSON names, and the
//! task that reads or calls one.
//!
//! `completion/` is no primitive: it completes the arguments of those that have some.
//! A new primitive needs a folder here, a variant of `Primitive` (`model/target.rs`), a catalog in `server/primitives.rs`, methods of
//! `ServerBuilder` that declare it, and its protocol methods in the tables of `era/`.

mod completion;
pub(crate) mod resource;
mod template;
mod tool;

pub(crate) use completion::EMPTY as NO_COMPLETION;
pub use resource::{Blob, IntoBlob, Resource, ResourceBuilder};
pub(crate) use resource::{Read, ResourceEntry, write_entry};
pub use template::{Entries, Entry, ListPage, Template, TemplateBuilder};
pub(crate) use template::{Lister, TemplateEntry, ambiguous};
pub use tool::{Tool, ToolBuilder};
pub(crate) use tool::{invalid_arguments, write_result, write_result_members};
