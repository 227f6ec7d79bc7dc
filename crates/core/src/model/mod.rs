//! Values that authors and clients exchange, independent of any revision: text, metadata, icons, annotations, cache
//! hints, contents, and the schemas and results of tools.

mod annotations;
mod cache;
mod capability;
mod completion;
mod content;
mod contents;
#[cfg(feature = "schemars")]
mod derived_schema;
mod icon;
mod json;
mod listing;
mod meta;
pub(crate) mod mirrored;
mod progress;
mod schema;
mod target;
mod text;
mod tool;

pub use annotations::{Annotations, Role};
pub(crate) use cache::CacheHints;
pub use cache::CacheScope;
pub(crate) use capability::Capability;
pub use completion::{Completion, IntoCompletion};
pub(crate) use content::Block;
pub use content::{ContentBlock, Link};
pub(crate) use contents::Payload;
pub use contents::{Contents, IntoContents, Item};
pub use icon::{Icon, Theme};
pub use json::Json;
pub(crate) use listing::{Identity, Listing};
pub use meta::Metadata;
pub(crate) use mirrored::MirroredArgument;
pub use progress::Progress;
#[cfg(feature = "schemars")]
pub use schema::HasSchema;
pub use schema::Schema;
pub(crate) use target::Primitive;
pub use target::Target;
pub use text::{IntoText, Text};
#[cfg(feature = "schemars")]
pub use tool::Structured;
pub(crate) use tool::ToolListing;
pub use tool::{IntoToolResult, ToolAnnotations, ToolResult};
