//! Methods that the builder does not have. They exist so that the compiler explains what to do instead: **no call of them compiles**.

use std::future::{Ready, ready};

use super::builder::ServerBuilder;
use super::error::Error;

/// No type implements it.
#[diagnostic::on_unimplemented(
    message = "`listen` is a method of a server, and this is the builder of one",
    label = "the server is not built yet",
    note = "build it first: `.build()?.listen(…)`"
)]
pub trait BuiltServer {}

/// No type implements it.
#[diagnostic::on_unimplemented(
    message = "prompts are not there yet",
    label = "not there yet",
    note = "offer the text as a resource, or as the result of a tool"
)]
pub trait PromptToCome {}

impl ServerBuilder {
    /// Not on the builder: [`build`](Self::build) returns the server, which has this method.
    #[doc(hidden)]
    pub fn listen<T: BuiltServer>(self, _transport: T) -> Ready<Result<(), Error>> {
        ready(Ok(()))
    }

    /// Not available yet: offer the text as a resource, or as the result of a tool.
    #[doc(hidden)]
    pub fn prompt<T: PromptToCome>(self, _prompt: T) -> Self {
        self
    }

    /// Not available yet: offer the text as a resource, or as the result of a tool.
    #[doc(hidden)]
    pub fn prompts<T: PromptToCome>(self, _prompts: T) -> Self {
        self
    }
}
