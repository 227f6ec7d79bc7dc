//! Tools: their definitions, their entries in the catalog, calls, and their JSON names.

mod builder;
mod call;
mod definition;
mod entry;
mod promise;
mod wire;

pub use builder::{Tool, ToolBuilder};
