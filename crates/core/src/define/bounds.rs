//! What author code must be, as traits of our own: each is only a name for bounds that anybody could write, so that the
//! compiler says in our words what was expected and what to do.
//!
//! All that fits has them by itself. `do_not_recommend` keeps the compiler from explaining the bounds behind them instead.

use serde::de::DeserializeOwned;

use super::context::Context;
use super::failure::{ReadError, ToolError};

/// What a reader or a tool gives when it is called: a future. Any `Future` is one, as `async move { … }` makes it.
///
/// ```
/// use grange_core::Resource;
/// let now = Resource::builder().uri("docs://now").name("now").read(|_cx| async move { Ok("noon") }).build();
/// ```
#[diagnostic::on_unimplemented(
    message = "readers and tools are async, and `{Self}` is no future",
    label = "this code is not async",
    note = "write `|cx| async move {{ … }}`, or give the name of an `async fn`"
)]
pub trait AsyncCode: Future {}

#[diagnostic::do_not_recommend]
impl<F: Future> AsyncCode for F {}

/// What a reader's future ends in: `Result<C, ReadError>`, where `C` is [`IntoContents`](crate::IntoContents).
#[diagnostic::on_unimplemented(
    message = "a reader ends in a `Result` with `ReadError`, not in `{Self}`",
    label = "this code ends in `{Self}`",
    note = "write `Ok(…)` around the contents; another error becomes a `ReadError` by `?`, as in `Ok(load()?)`"
)]
pub trait ReadOutcome {
    /// What is read.
    type Contents;

    /// As the result that it is.
    ///
    /// # Errors
    /// The error that it is.
    fn into_result(self) -> Result<Self::Contents, ReadError>;
}

#[diagnostic::do_not_recommend]
impl<C> ReadOutcome for Result<C, ReadError> {
    type Contents = C;

    fn into_result(self) -> Self {
        self
    }
}

/// What a tool's future ends in: `Result<R, ToolError>`, where `R` is [`IntoToolResult`](crate::IntoToolResult).
#[diagnostic::on_unimplemented(
    message = "a tool ends in a `Result` with `ToolError`, not in `{Self}`",
    label = "this code ends in `{Self}`",
    note = "write `Ok(…)` around the result; another error becomes a `ToolError` by `?`, as in `Ok(load()?)`"
)]
pub trait CallOutcome {
    /// What the call gives.
    type Output;

    /// As the result that it is.
    ///
    /// # Errors
    /// The error that it is.
    fn into_result(self) -> Result<Self::Output, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<R> CallOutcome for Result<R, ToolError> {
    type Output = R;

    fn into_result(self) -> Self {
        self
    }
}

/// What a tool's arguments are read into: any `DeserializeOwned`. The type owns what it has: `String`, not `&str`, since the
/// request is gone while the tool runs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the arguments of a call",
    label = "this code takes `{Self}`",
    note = "derive `serde::Deserialize` for it, with owned fields: `String`, not `&str`"
)]
pub trait FromArguments: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// What does not fit.
    #[doc(hidden)]
    fn from_arguments(json: &str) -> Result<Self, serde_json::Error>;
}

#[diagnostic::do_not_recommend]
impl<A: DeserializeOwned> FromArguments for A {
    fn from_arguments(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }
}

/// That the first parameter of a reader or a tool is the context.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the first parameter is the `Context`, not `{Self}`",
    label = "expected `Context`",
    note = "a tool's arguments come behind it, as in `|_cx, args: Args|`; a reader takes it alone; both take it by value"
)]
pub trait FirstParameter {
    /// It.
    fn of(context: Context) -> Self;
}

impl FirstParameter for Context {
    fn of(context: Context) -> Self {
        context
    }
}

/// The same code. The macros put it around a closure whose first parameter has a type that is not named `Context`: if it is none, the
/// compiler says so at that type, and takes the closure's body as it is meant.
#[doc(hidden)]
pub fn context_only<T, F, Fut>(code: F) -> impl Fn(Context) -> Fut + Send + Sync + 'static
where
    T: FirstParameter,
    F: Fn(T) -> Fut + Send + Sync + 'static,
{
    move |cx| code(T::of(cx))
}

/// The same for code with arguments.
#[doc(hidden)]
pub fn context_first<T, A, F, Fut>(code: F) -> impl Fn(Context, A) -> Fut + Send + Sync + 'static
where
    T: FirstParameter,
    F: Fn(T, A) -> Fut + Send + Sync + 'static,
{
    move |cx, arguments| code(T::of(cx), arguments)
}
