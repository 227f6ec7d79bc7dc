//! Why a shelf was not changed.

use std::fmt;

use crate::define::DefinitionError;

/// All problems of the resources that were put on a [`Shelf`](crate::Shelf), which is as it was before.
///
/// ```
/// use grange_core::{Resource, Shelf};
/// let shelf = Shelf::new();
/// let error = shelf.insert(Resource::builder().uri("notes://1").text("hello").build()).unwrap_err();
/// assert!(error.to_string().contains("resource `notes://1`: name is missing"));
/// assert!(shelf.is_empty());
/// ```
#[derive(Clone, PartialEq)]
pub struct ShelfError {
    errors: Vec<DefinitionError>,
}

impl ShelfError {
    /// An error with these problems; `Ok` without any.
    pub(super) fn check(errors: Vec<DefinitionError>) -> Result<(), Self> {
        if errors.is_empty() { Ok(()) } else { Err(Self { errors }) }
    }

    /// The problems, each with its subject.
    pub fn errors(&self) -> &[DefinitionError] {
        &self.errors
    }
}

impl fmt::Display for ShelfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.errors.len();
        write!(f, "the change of the shelf has {count} {}:", if count == 1 { "error" } else { "errors" })?;
        self.errors.iter().try_for_each(|error| write!(f, "\n  {error}"))
    }
}

/// The same as `Display`: it is what `main` and `unwrap` print.
impl fmt::Debug for ShelfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for ShelfError {}
