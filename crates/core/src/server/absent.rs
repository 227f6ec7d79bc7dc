//! What the builder does not have, so that the compiler says so and what to do: **no call of these compiles**.

use std::future::{Ready, ready};

use super::builder::ServerBuilder;
use super::error::Error;

/// Nothing has it.
#[diagnostic::on_unimplemented(
    message = "`listen` is a method of a server, and this is the builder of one",
    label = "the server is not built yet",
    note = "build it first: `.build()?.listen(…)`"
)]
pub trait BuiltServer {}

/// Nothing has it.
#[diagnostic::on_unimplemented(
    message = "templates are not there yet",
    label = "not there yet",
    note = "declare one resource for each URI, in a loop: `.resources(ids.map(|id| resource! {{ … }}))`"
)]
pub trait TemplateToCome {}

/// Nothing has it.
#[diagnostic::on_unimplemented(
    message = "prompts are not there yet",
    label = "not there yet",
    note = "offer the text as a resource, or as the result of a tool"
)]
pub trait PromptToCome {}

impl ServerBuilder {
    /// Not here: [`build`](Self::build) gives the server, which listens.
    #[doc(hidden)]
    pub fn listen<T: BuiltServer>(self, _transport: T) -> Ready<Result<(), Error>> {
        ready(Ok(()))
    }

    /// Not there yet: declare one resource for each URI, in a loop.
    #[doc(hidden)]
    pub fn template<T: TemplateToCome>(self, _template: T) -> Self {
        self
    }

    /// Not there yet: declare one resource for each URI, in a loop.
    #[doc(hidden)]
    pub fn templates<T: TemplateToCome>(self, _templates: T) -> Self {
        self
    }

    /// Not there yet: offer the text as a resource, or as the result of a tool.
    #[doc(hidden)]
    pub fn prompt<T: PromptToCome>(self, _prompt: T) -> Self {
        self
    }

    /// Not there yet: offer the text as a resource, or as the result of a tool.
    #[doc(hidden)]
    pub fn prompts<T: PromptToCome>(self, _prompts: T) -> Self {
        self
    }
}
