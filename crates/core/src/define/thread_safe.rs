//! What `?` takes in author code, as a trait of our own, so that the compiler says in our words what was expected. The other such
//! traits are in `bounds.rs`; this one stands below the errors that are made with it.

use std::error::Error;

/// An error that threads may share: any `Error + Send + Sync`, such a one in a `Box`, one of `anyhow`, or a string. `?` turns it
/// into a [`ReadError`](crate::ReadError) or a [`ToolError`](crate::ToolError).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no error that threads may share",
    label = "`?` takes an `Error` that is `Send + Sync`: return `Box<dyn Error + Send + Sync>` or `anyhow::Error`, or write `.map_err(|error| error.to_string())?`",
    note = "return `Box<dyn Error + Send + Sync>` or `anyhow::Error`, or write `.map_err(|error| error.to_string())?`"
)]
pub trait ThreadSafeError {
    /// The error in a box.
    fn into_boxed(self) -> Box<dyn Error + Send + Sync>;
}

#[diagnostic::do_not_recommend]
impl<E: Into<Box<dyn Error + Send + Sync>>> ThreadSafeError for E {
    fn into_boxed(self) -> Box<dyn Error + Send + Sync> {
        self.into()
    }
}
