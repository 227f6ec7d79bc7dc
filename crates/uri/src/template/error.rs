//! Why a text is not a template, with the remedy.

use std::error::Error;
use std::fmt;

/// Why a URI template is invalid.
///
/// Its `Display` follows the quoted template: "uri `demo://{.x}` has `{.x}`: write `.{x}`".
///
/// ```
/// use grange_uri::{Template, TemplateError};
///
/// let error = Template::parse("demo://{name}{.x}").unwrap_err();
/// assert!(matches!(error, TemplateError::Expression { .. }));
/// assert_eq!(error.to_string(), "has `{.x}`, a form that Grange does not support: write `.{x}`");
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum TemplateError {
    /// Two variables have no literal between them.
    Adjacent {
        /// The first expression, braces included.
        first: String,
        /// The second.
        second: String,
    },
    /// A literal has a `#`.
    Fragment,
    /// A name is used twice.
    DuplicateName {
        /// The name.
        name: String,
    },
    /// There is no text.
    Empty,
    /// An expression has a form that is not supported.
    Expression {
        /// The expression, braces included.
        expression: String,
        /// What to write or do.
        remedy: String,
    },
    /// A literal before `{?…}` has a `?`.
    LiteralQuery {
        /// The query expression, braces included.
        expression: String,
    },
    /// A name is empty or has a character other than letters, digits, `_` and inner `.`.
    Name {
        /// The expression, braces included.
        expression: String,
        /// The name.
        name: String,
    },
    /// The text has no variable, so it is a fixed URI.
    NoVariable,
    /// What follows `{+v}` or `{/v*}` is not a `/`, `{?…}` or the end.
    PathEnd {
        /// The expression, braces included.
        expression: String,
    },
    /// A `{+v}` does not follow a `/`.
    PathStart {
        /// The expression, braces included.
        expression: String,
    },
    /// Something follows `{?…}`.
    QueryNotLast {
        /// The query expression, braces included.
        expression: String,
    },
    /// The scheme has a variable.
    Scheme {
        /// The expression, braces included.
        expression: String,
    },
    /// Two expressions take several segments.
    TwoPaths {
        /// The first, braces included.
        first: String,
        /// The second.
        second: String,
    },
    /// A `{` has no `}`.
    Unclosed {
        /// The text from the `{` on.
        text: String,
    },
    /// With its variables filled in, the template is not a valid resource URI.
    Uri {
        /// The text of the [`UriError`](crate::UriError), with the expressions in place of what was filled in.
        problem: String,
    },
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Adjacent { first, second } => {
                write!(f, "has nothing between `{first}` and `{second}`: write a literal, as in `{first}/{second}`")
            }
            Self::Fragment => f.write_str("has a `#`, which no request has: leave it out, or write `%23`"),
            Self::DuplicateName { name } => write!(f, "has two variables `{name}`: give each its own name"),
            Self::Empty => f.write_str("is empty: write one, as in `docs://{name}`"),
            Self::Expression { expression, remedy } => {
                write!(f, "has `{}`, a form that Grange does not support: {remedy}", expression.escape_debug())
            }
            Self::LiteralQuery { expression } => {
                write!(f, "has a `?` before `{expression}`: write every query name in `{{?…}}`, as in `{{?q,limit}}`")
            }
            Self::Name { expression, name } => {
                let (expression, name) = (expression.escape_debug(), name.escape_debug());
                write!(
                    f,
                    "has the name `{name}` in `{expression}`: write letters, digits and `_`, as in `{{order_id}}`"
                )
            }
            Self::NoVariable => f.write_str("has no variable: write one, as in `{id}`, or declare a `resource!`"),
            Self::PathEnd { expression } => {
                write!(f, "has a piece of a segment after `{expression}`: write `{expression}/` before it")
            }
            Self::PathStart { expression } => {
                write!(f, "has `{expression}` within a segment: write a `/` before it, as in `/{expression}`")
            }
            Self::QueryNotLast { expression } => {
                write!(f, "has more after `{expression}`: move that before it, and write every query name in it")
            }
            Self::Scheme { expression } => {
                write!(f, "has `{expression}` in its scheme: write the scheme out, as in `docs://{expression}`")
            }
            Self::TwoPaths { first, second } => {
                write!(f, "has `{first}` and `{second}`, which both take several segments: keep one of them")
            }
            Self::Unclosed { text } => write!(f, "has `{}` without its `}}`: add it", text.escape_debug()),
            Self::Uri { problem } => f.write_str(problem),
        }
    }
}

impl Error for TemplateError {}
