//! What a client can name: the primitives of the protocol, and one resource, tool or extension method of a server.

use std::fmt;

use super::Text;

/// A kind of thing that a server has and a client lists and uses by name (2026-07-28 server/index).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Primitive {
    Resource,
    /// Declared and served with the resources.
    Template,
    Tool,
}

impl Primitive {
    /// What a request of it is for, as an error says it.
    pub(crate) fn purpose(self) -> &'static str {
        match self {
            Self::Resource | Self::Template => "resource to read",
            Self::Tool => "tool to call",
        }
    }

    /// One of this kind, by its name or URI.
    pub(crate) fn target(self, name: Text) -> Target {
        match self {
            Self::Resource | Self::Template => Target::Resource(name),
            Self::Tool => Target::Tool(name),
        }
    }
}

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

impl Target {
    /// The URI of a resource.
    pub(crate) fn uri(&self) -> Option<&Text> {
        if let Self::Resource(uri) = self { Some(uri) } else { None }
    }

    /// The name of a tool.
    pub(crate) fn tool(&self) -> Option<&Text> {
        if let Self::Tool(name) = self { Some(name) } else { None }
    }

    /// The identifier of an extension, and its method.
    pub(crate) fn extension(&self) -> Option<(&str, &str)> {
        if let Self::Extension { id, method } = self { Some((id, method)) } else { None }
    }

    /// What its author code does, as the log says it.
    pub(crate) fn work(&self) -> &'static str {
        match self {
            Self::Extension { .. } => "extension",
            Self::Nothing => "code",
            Self::Resource(_) => "read",
            Self::Tool(_) => "call",
        }
    }
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
