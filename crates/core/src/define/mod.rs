//! What authors write: resources, readers, providers, errors. Knows no revision and no message.

mod context;
mod failure;
mod provide;
mod resource;

pub use context::Context;
pub(crate) use context::Origin;
pub(crate) use failure::{Cause, panic_message};
pub use failure::{ReadError, ReadFailure};
pub use provide::Providers;
pub use resource::{Blob, Resource, ResourceBuilder};
pub(crate) use resource::{BoxRead, Definition, Source};
