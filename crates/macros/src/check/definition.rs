//! What the checks make: a definition as the calls of a builder.

use syn::Ident;

use crate::parse::{Entry, Value};

/// A definition without its mistakes: what was wrong is left out, and noted.
pub(crate) struct Definition {
    pub(crate) base: Option<Value>,
    pub(crate) calls: Vec<Call>,
}

/// A tool without its mistakes.
pub(crate) struct Tool {
    pub(crate) calls: Vec<Call>,
    /// The call that ends the building; `None` if that is what is wrong.
    pub(crate) ending: Option<Call>,
}

/// One call of a builder.
pub(crate) struct Call {
    pub(crate) method: Ident,
    pub(crate) argument: Argument,
}

/// What a builder's method is called with.
pub(crate) enum Argument {
    /// What a reader or a tool does, for a method of the builder of this name.
    Code(&'static str, Value),
    /// `$crate::Role::Assistant`: the type's path below the root, and the variant.
    Constant(&'static str, Ident),
    /// As the author wrote it.
    Expression(Value),
    Icon {
        src: Box<Argument>,
        calls: Vec<Call>,
    },
    List(Vec<Argument>),
    /// `$crate::Annotations::new()` and these calls: the type's path below the root first.
    New(&'static str, Vec<Call>),
    Object(Vec<Entry>),
}
