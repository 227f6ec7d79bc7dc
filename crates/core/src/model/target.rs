//! The primitives of the protocol, and the targets of requests: one resource, tool or extension method of a server.

use std::fmt;

use super::Text;

/// A kind of declaration that clients list and use by name (2026-07-28 server/index).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Primitive {
    Resource,
    /// Templates are declared and served together with resources.
    Template,
    Tool,
}

impl Primitive {
    /// The purpose of a request for one, for the text of an error.
    pub(crate) fn purpose(self) -> &'static str {
        match self {
            Self::Resource | Self::Template => "resource to read",
            Self::Tool => "tool to call",
        }
    }

    /// The target with this name or URI.
    pub(crate) fn target(self, name: Text) -> Target {
        match self {
            Self::Resource | Self::Template => Target::Resource(name),
            Self::Tool => Target::Tool(name),
        }
    }
}

/// What author code runs for: a resource, a tool, or a method of an extension; see [`Context::target`].
///
/// `Display` names it, as in ``resource `docs://guide` ``.
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
    /// The completion of an argument.
    Completion {
        /// What has the argument: the URI of a template.
        reference: Text,
        /// The name of the argument, which is a variable of the template.
        argument: Text,
    },
    /// A method of an extension.
    Extension {
        /// The extension's identifier.
        id: Text,
        /// The method.
        method: Text,
    },
    /// The list of a template's resources, by the text of the template.
    List(Text),
    /// No target: the context is outside any request.
    #[default]
    Nothing,
    /// The resource that is read, by its URI.
    Resource(Text),
    /// The tool that is called, by its name.
    Tool(Text),
}

impl Target {
    /// The URI, if the target is a resource.
    pub(crate) fn uri(&self) -> Option<&Text> {
        if let Self::Resource(uri) = self { Some(uri) } else { None }
    }

    /// The name, if the target is a tool.
    pub(crate) fn tool(&self) -> Option<&Text> {
        if let Self::Tool(name) = self { Some(name) } else { None }
    }

    /// The identifier and the method, if the target is a method of an extension.
    pub(crate) fn extension(&self) -> Option<(&str, &str)> {
        if let Self::Extension { id, method } = self { Some((id, method)) } else { None }
    }

    /// The reference and the argument, if the target is a completion.
    pub(crate) fn completion(&self) -> Option<(&str, &str)> {
        if let Self::Completion { reference, argument } = self { Some((reference, argument)) } else { None }
    }

    /// The template, if the target is the list of its resources.
    pub(crate) fn list(&self) -> Option<&Text> {
        if let Self::List(template) = self { Some(template) } else { None }
    }

    /// The kind of work that its author code does, for the log.
    pub(crate) fn work(&self) -> &'static str {
        match self {
            Self::Completion { .. } => "completion",
            Self::Extension { .. } => "extension",
            Self::List(_) => "list",
            Self::Nothing => "code",
            Self::Resource(_) => "read",
            Self::Tool(_) => "call",
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Completion { reference, argument } => write!(f, "completion of `{argument}` in `{reference}`"),
            Self::Extension { id, method } => write!(f, "extension `{id}` (`{method}`)"),
            Self::List(template) => write!(f, "list of `{template}`"),
            Self::Nothing => f.write_str("code outside a request"),
            Self::Resource(uri) => write!(f, "resource `{uri}`"),
            Self::Tool(name) => write!(f, "tool `{name}`"),
        }
    }
}
