//! Makes the URI of a template's resource from the author's values.

use serde::Serialize;

use crate::define::{ExpandError, values};

/// The URI with these values.
pub(super) fn expand<A: Serialize + ?Sized>(
    pattern: &grange_uri::Template,
    arguments: &A,
) -> Result<String, ExpandError> {
    let template = pattern.as_str();
    let values = values(arguments, pattern.variables()).map_err(|error| ExpandError::new(template, &error))?;
    pattern.expand(&values).map_err(|error| ExpandError::new(template, &error))
}
