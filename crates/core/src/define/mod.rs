//! The types that authors use in readers and tools: the context, providers, errors, requests to the client. They know
//! no revision and no message.

mod bounds;
mod client_request;
mod complete_request;
mod context;
mod declared;
mod definition_error;
mod error;
mod expand_error;
mod extended;
mod handler_failure;
mod json_room;
mod missing;
mod probe;
mod provide;
mod thread_safe;
mod values;
mod variables;

pub use bounds::{
    AsyncCode, CallOutcome, FirstParameter, FromArguments, FromVariables, ReadOutcome, ValueList, context_first,
    context_only, value_list,
};
pub use client_request::{ClientRequestError, NoBackChannel, Sleep};
pub use complete_request::CompleteRequest;
pub use context::Context;
pub(crate) use context::Origin;
pub(crate) use declared::{Declared, definition_errors};
pub use definition_error::DefinitionError;
pub(crate) use error::{Cause, panic_message};
pub use error::{ReadError, ToolError};
pub use expand_error::ExpandError;
pub use extended::ExtensionData;
pub(crate) use extended::ExtensionParts;
pub use handler_failure::HandlerFailure;
pub(crate) use json_room::NotAdmitted;
pub use provide::Providers;
pub use thread_safe::ThreadSafeError;
pub(crate) use values::values;
