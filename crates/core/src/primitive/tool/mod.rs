//! Tools: their definitions, their entries in the catalog, calls, and their JSON names.

mod builder;
mod call;
mod definition;
mod entry;
mod promise;
mod wire;

pub use builder::{Tool, ToolBuilder};
pub(crate) use call::{invalid_arguments, write_result};
pub(crate) use wire::result as write_result_members;
