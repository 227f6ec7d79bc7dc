//! The types that authors use in readers and tools: the context, providers, errors, requests to the client. They know
//! no revision and no message.

mod bounds;
mod client_request;
mod context;
mod declared;
mod extended;
mod failure;
mod missing;
mod mistake;
mod provide;
mod thread_safe;
mod told;

pub use bounds::{AsyncCode, CallOutcome, FirstParameter, FromArguments, ReadOutcome, context_first, context_only};
pub use client_request::{NoBackChannel, RequestError, Sleep};
pub use context::Context;
pub(crate) use context::Origin;
pub(crate) use declared::Declared;
pub use extended::Extended;
pub(crate) use extended::ExtensionParts;
pub(crate) use failure::{Cause, panic_message};
pub use failure::{ReadError, ToolError};
pub use mistake::DefinitionError;
pub use provide::Providers;
pub use thread_safe::ThreadSafeError;
pub use told::ReadFailure;
