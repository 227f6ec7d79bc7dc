//! Why values do not make a URI.

use std::error::Error;
use std::fmt;

use super::variable::ValueError;

/// Why [`Template::expand`](crate::Template::expand) makes no URI. Its `Display` does not repeat the value.
///
/// ```
/// use grange_uri::{ExpandError, Template, ValueError, Values};
///
/// let template = Template::parse("orders://{id}")?;
/// let error = template.expand(&Values::new().with("id", "")).unwrap_err();
/// assert_eq!(error, ExpandError::Value { name: "id".to_owned(), error: ValueError::Empty });
/// # Ok::<(), grange_uri::TemplateError>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ExpandError {
    /// A variable outside the query has no value.
    Missing {
        /// The name of the variable.
        name: String,
    },
    /// The URI would match, but with another value: a literal of the template would end the value early.
    Ambiguous {
        /// The name of the first variable whose value would differ.
        name: String,
    },
    /// A list for a variable that takes a text, or the other way round.
    Type {
        /// The name of the variable.
        name: String,
        /// Whether the variable takes a list of segments.
        takes_list: bool,
    },
    /// A value for a name that the template does not have.
    UnknownName {
        /// The name.
        name: String,
    },
    /// A value that the variable cannot carry.
    Value {
        /// The name of the variable.
        name: String,
        /// Why.
        error: ValueError,
    },
}

impl fmt::Display for ExpandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { name } => write!(f, "has no value for `{name}`: give one"),
            Self::Ambiguous { name } => write!(
                f,
                "has a value for `{name}` that a read would not get back, since the literal after the variable occurs in it: \
                 give another value, or write a literal in the template that no value has"
            ),
            Self::Type { name, takes_list: true } => {
                write!(f, "has a text for `{name}`, which takes a list of segments: give a list")
            }
            Self::Type { name, takes_list: false } => {
                write!(f, "has a list for `{name}`, which takes a text: give a text")
            }
            Self::UnknownName { name } => {
                write!(f, "has no variable `{}`: leave out its value", name.escape_debug())
            }
            Self::Value { name, error } => write!(f, "has a value for `{name}` that {error}"),
        }
    }
}

impl Error for ExpandError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Value { error, .. } => Some(error),
            _ => None,
        }
    }
}
