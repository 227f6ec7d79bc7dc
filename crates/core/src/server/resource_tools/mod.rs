//! The tools `list_resources` and `read_resource`, for hosts that only know tools. Not here: how resources are looked up
//! (`server/primitives.rs`) and read (`primitive/resource/read.rs`).

mod definitions;
mod find;
mod list;
mod read;

pub(super) use definitions::{errors, instructions, tools};
pub(super) use find::ResourceTools;
