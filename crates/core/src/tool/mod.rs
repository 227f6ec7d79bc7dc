//! Tools: their definitions, their entries in the catalog, and calls.

mod builder;
mod call;
mod definition;
mod entry;
mod promise;

pub use builder::ToolBuilder;
pub use definition::Tool;
