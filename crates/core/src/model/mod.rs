//! Values that authors and clients exchange, free of any revision: text, metadata, icons, annotations, cache hints,
//! contents.

mod annotations;
mod cache;
mod contents;
mod icon;
mod listing;
mod meta;
mod text;

pub use annotations::{Annotations, Role};
pub(crate) use cache::CacheHints;
pub use cache::CacheScope;
pub(crate) use contents::Payload;
pub use contents::{Contents, IntoContents, Item};
pub use icon::{Icon, Theme};
pub(crate) use listing::{Identity, Listing};
pub use meta::Metadata;
pub use text::Text;
