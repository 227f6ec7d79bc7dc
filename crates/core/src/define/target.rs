//! What author code runs for, by its name: the subject of every report.

use std::fmt;

use crate::model::Text;

/// What author code runs for. `Display` names it, as in ``resource `docs://guide` ``; see [`Context::target`].
///
/// ```
/// use grange_core::Target;
/// assert_eq!(Target::Tool("sum".into()).to_string(), "tool `sum`");
/// ```
///
/// [`Context::target`]: crate::Context::target
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Target {
    /// A method of an extension.
    Extension {
        /// The extension's identifier.
        id: Text,
        /// The method.
        method: Text,
    },
    /// Nothing by name: a context outside any request.
    #[default]
    Nothing,
    /// The resource that is read, by its URI.
    Resource(Text),
    /// The tool that is called, by its name.
    Tool(Text),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Extension { id, method } => write!(f, "extension `{id}` (`{method}`)"),
            Self::Nothing => f.write_str("code outside a request"),
            Self::Resource(uri) => write!(f, "resource `{uri}`"),
            Self::Tool(name) => write!(f, "tool `{name}`"),
        }
    }
}
