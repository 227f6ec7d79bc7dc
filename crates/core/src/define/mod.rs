//! What authors write: resources, readers, providers, errors. Knows no revision and no message.

mod context;
mod failure;
mod provide;
mod resource;

pub(crate) use context::Origin;
pub use context::Context;
pub(crate) use failure::{Cause, panic_message};
pub use failure::{ReadError, ReadFailure};
pub use provide::Providers;
pub(crate) use resource::{BoxRead, Definition, Source};
pub use resource::{Blob, Resource, ResourceBuilder};
