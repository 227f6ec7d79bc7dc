//! The result of the checks: a definition as calls of a builder.

use syn::Ident;

use crate::parse::{Entry, Key, Value};

/// A definition without its errors: each was reported, and its entry left out.
pub(crate) struct Definition {
    pub(crate) base: Option<Value>,
    pub(crate) calls: Vec<Call>,
}

/// A tool without its errors.
pub(crate) struct Tool {
    pub(crate) calls: Vec<Call>,
    /// The last call of the builder chain; `None` if it is wrong or missing.
    pub(crate) ending: Option<Call>,
}

/// One method call of a builder.
pub(crate) struct Call {
    pub(crate) method: Ident,
    pub(crate) argument: Argument,
}

/// The argument of a builder's method.
pub(crate) enum Argument {
    /// The code of a reader or a tool, for a method of the builder with this name.
    Code(&'static str, Value),
    /// `$crate::Role::Assistant`: the path of the type below the root, and the variant.
    Constant(&'static str, Ident),
    /// An expression as the author wrote it.
    Expression(Value),
    Icon {
        src: Box<Argument>,
        calls: Vec<Call>,
    },
    List(Vec<Argument>),
    /// The name of a variable, and its completer.
    Named(Key, Box<Argument>),
    /// `$crate::Annotations::new()` and calls on it. The path of the type below the root comes first.
    New(&'static str, Vec<Call>),
    Object(Vec<Entry>),
    /// An expression that gives the values of a variable.
    Values(Value),
}
