//! What authors write: resources, readers, tools, providers, errors. Knows no revision and no message.

mod bounds;
mod context;
mod extended;
mod extension;
mod failure;
mod missing;
mod mistake;
mod promise;
mod provide;
mod request;
mod resource;
mod target;
mod thread_safe;
mod told;
mod tool;

pub use bounds::{AsyncCode, CallOutcome, FirstParameter, FromArguments, ReadOutcome, context_first, context_only};
pub use context::Context;
pub(crate) use context::Origin;
pub use extended::Extended;
pub(crate) use extended::ExtensionParts;
pub use extension::{Extension, ExtensionAnswer, ExtensionError, ExtensionParams};
pub(crate) use failure::{Cause, panic_message};
pub use failure::{ReadError, ToolError};
pub use mistake::DefinitionError;
pub use provide::Providers;
pub use request::{NoBackChannel, RequestError, Sleep};
pub use resource::{Blob, IntoBlob, Resource, ResourceBuilder};
pub(crate) use resource::{ContentSource, Definition};
pub use target::Target;
pub use thread_safe::ThreadSafeError;
pub use told::ReadFailure;
pub use tool::{Tool, ToolBuilder};
