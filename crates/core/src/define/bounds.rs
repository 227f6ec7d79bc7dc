//! The requirements on author code, as traits of this crate. Each trait only names bounds that exist elsewhere, so that
//! the compiler's error states what was expected and what to do.
//!
//! Every type that meets the bounds implements the trait by itself. `do_not_recommend` keeps the compiler from
//! explaining the bounds instead.

use serde::de::DeserializeOwned;

use grange_uri::{Values, Variable};

use super::context::Context;
use super::error::{ReadError, ToolError};
use super::probe;
use super::variables::Variables;

/// The value that a reader or a tool returns when it is called: a future. Every `Future` implements it, such as
/// `async move { … }`.
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

/// The output of a reader's future: `Result<C, ReadError>`, where `C` is [`IntoContents`](crate::IntoContents).
#[diagnostic::on_unimplemented(
    message = "a reader ends in a `Result` with `ReadError`, not in `{Self}`",
    label = "this code ends in `{Self}`",
    note = "write `Ok(…)` around the contents; another error becomes a `ReadError` by `?`, as in `Ok(load()?)`"
)]
pub trait ReadOutcome {
    /// The contents.
    type Contents;

    /// Converts into the `Result` that it is.
    ///
    /// # Errors
    /// The reader's error.
    fn into_result(self) -> Result<Self::Contents, ReadError>;
}

#[diagnostic::do_not_recommend]
impl<C> ReadOutcome for Result<C, ReadError> {
    type Contents = C;

    fn into_result(self) -> Self {
        self
    }
}

/// The output of a tool's future: `Result<R, ToolError>`, where `R` is [`IntoToolResult`](crate::IntoToolResult).
#[diagnostic::on_unimplemented(
    message = "a tool ends in a `Result` with `ToolError`, not in `{Self}`",
    label = "this code ends in `{Self}`",
    note = "write `Ok(…)` around the result; another error becomes a `ToolError` by `?`, as in `Ok(load()?)`"
)]
pub trait CallOutcome {
    /// The result of the call.
    type Output;

    /// Converts into the `Result` that it is.
    ///
    /// # Errors
    /// The tool's error.
    fn into_result(self) -> Result<Self::Output, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<R> CallOutcome for Result<R, ToolError> {
    type Output = R;

    fn into_result(self) -> Self {
        self
    }
}

/// The type of a tool's arguments: any `DeserializeOwned`. It owns its data (`String`, not `&str`), because the request
/// no longer exists while the tool runs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the arguments of a call",
    label = "this code takes `{Self}`",
    note = "derive `serde::Deserialize` for it, with owned fields: `String`, not `&str`"
)]
pub trait FromArguments: Sized {
    /// Reads the arguments.
    ///
    /// # Errors
    /// If the arguments do not fit the type.
    #[doc(hidden)]
    fn from_arguments(json: &str) -> Result<Self, serde_json::Error>;
}

#[diagnostic::do_not_recommend]
impl<A: DeserializeOwned> FromArguments for A {
    fn from_arguments(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }
}

/// The type of the values of a template's variables: any `DeserializeOwned`; see [`TemplateBuilder::read`](crate::TemplateBuilder::read).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the variables of a template",
    label = "this code takes `{Self}`",
    note = "derive `serde::Deserialize` for it, with owned fields: `String`, not `&str`"
)]
pub trait FromVariables: Sized {
    /// Reads the values; `None` if they do not fit. `is_single`: the template has one variable.
    #[doc(hidden)]
    fn from_variables(values: &Values, is_single: bool) -> Option<Self>;

    /// The problems of the type for these variables, each with its remedy.
    #[doc(hidden)]
    fn problems(variables: &[Variable]) -> Vec<String>;
}

#[diagnostic::do_not_recommend]
impl<A: DeserializeOwned> FromVariables for A {
    fn from_variables(values: &Values, is_single: bool) -> Option<Self> {
        A::deserialize(Variables { values, is_single }).ok()
    }

    fn problems(variables: &[Variable]) -> Vec<String> {
        probe::problems::<A>(variables)
    }
}

/// The type of the first parameter of a reader or a tool: [`Context`] only.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the first parameter is the `Context`, not `{Self}`",
    label = "expected `Context`",
    note = "a tool's arguments come behind it, as in `|_cx, args: Args|`; a reader takes it alone; both take it by value"
)]
pub trait FirstParameter {
    /// Converts the context.
    fn of(context: Context) -> Self;
}

impl FirstParameter for Context {
    fn of(context: Context) -> Self {
        context
    }
}

/// Returns the same code. The macros call this with a closure whose first parameter has a type that is not named
/// `Context`. If the type is not the context, the compiler reports the error at that type, and still checks the body of
/// the closure.
#[doc(hidden)]
pub fn context_only<T, F, Fut>(code: F) -> impl Fn(Context) -> Fut + Send + Sync + 'static
where
    T: FirstParameter,
    F: Fn(T) -> Fut + Send + Sync + 'static,
{
    move |cx| code(T::of(cx))
}

/// The same as [`context_only`], for code with arguments.
#[doc(hidden)]
pub fn context_first<T, A, F, Fut>(code: F) -> impl Fn(Context, A) -> Fut + Send + Sync + 'static
where
    T: FirstParameter,
    F: Fn(T, A) -> Fut + Send + Sync + 'static,
{
    move |cx, arguments| code(T::of(cx), arguments)
}

/// A list of values that completes a variable: any `IntoIterator` of texts, numbers or other values with `Display`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a closure nor a list of values",
    label = "expected a closure or a list",
    note = "call a function in a closure, as in `|cx, typed| cities(cx, typed)`; a list has texts or numbers, as in `[\"open\", \"closed\"]`"
)]
pub trait ValueList {}

#[diagnostic::do_not_recommend]
impl<I: IntoIterator<Item: ToString>> ValueList for I {}

/// Returns the same list. The macros call this with what completes a variable and is no closure.
#[doc(hidden)]
pub fn value_list<T: ValueList>(values: T) -> T {
    values
}
