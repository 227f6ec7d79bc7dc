//! The capabilities that a server declares. Each has methods, which exist exactly if the server has the capability.

/// A capability of a server (2026-07-28 server/discover). Extensions declare theirs themselves.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Capability {
    /// Of variables of templates and arguments of prompts.
    Completions,
    /// Templates are declared and served together with resources.
    Resources,
    /// Of resources: that they can be subscribed to. Not declared by itself.
    Subscriptions,
    Tools,
}

impl Capability {
    /// Those that are declared by themselves.
    pub(crate) const ALL: [Self; 3] = [Self::Completions, Self::Resources, Self::Tools];

    /// The name of the member in `capabilities`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Completions => "completions",
            Self::Resources | Self::Subscriptions => "resources",
            Self::Tools => "tools",
        }
    }
}
