//! The requirement of `?` in author code, as a trait of this crate, so that the compiler's error states what was
//! expected. The other such traits are in `bounds.rs`, which imports the errors that use this one.

use std::error::Error;

/// An error that threads may share: any `Error + Send + Sync`, such an error in a `Box`, an `anyhow` error, or a
/// string. `?` converts it into a [`ReadError`](crate::ReadError) or a [`ToolError`](crate::ToolError).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no error that threads may share",
    label = "`?` takes an `Error` that is `Send + Sync`: return `Box<dyn Error + Send + Sync>` or `anyhow::Error`, or write `.map_err(|error| error.to_string())?`",
    note = "return `Box<dyn Error + Send + Sync>` or `anyhow::Error`, or write `.map_err(|error| error.to_string())?`"
)]
pub trait ThreadSafeError {
    /// Converts the error into a box.
    fn into_boxed(self) -> Box<dyn Error + Send + Sync>;
}

#[diagnostic::do_not_recommend]
impl<E: Into<Box<dyn Error + Send + Sync>>> ThreadSafeError for E {
    fn into_boxed(self) -> Box<dyn Error + Send + Sync> {
        self.into()
    }
}
