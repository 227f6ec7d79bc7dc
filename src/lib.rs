//! Declare MCP resources once; serve them, exactly right, to every client of every protocol revision.

pub use grange_core::{
    Annotations, BuildError, CacheScope, Contents, Context, DefinitionError, Error, Icon, IntoContents, Item, Limits,
    Metadata, Providers, ReadError, ReadFailure, Resource, ResourceBuilder, Revision, Role, Server, ServerBuilder,
    Text, Theme, Transport,
};

/// The result of a `main` that serves.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Declares a resource.
#[cfg(feature = "macros")]
#[macro_export]
macro_rules! resource {
    ($($definition:tt)*) => {
        $crate::__private::resource!($crate; $($definition)*)
    };
}

/// Declares several resources at once, as an array; the same URI twice does not compile.
#[cfg(feature = "macros")]
#[macro_export]
macro_rules! resources {
    ($($definitions:tt)*) => {
        $crate::__private::resources!($crate; $($definitions)*)
    };
}

/// What the macros expand to. Not for use by hand: it changes without notice.
#[cfg(feature = "macros")]
#[doc(hidden)]
pub mod __private {
    pub use grange_macros::{resource, resources};
    pub use serde_json::json;
}
