//! Why a template makes no URI.

use std::fmt;

/// Why [`Template::uri`](crate::Template::uri) makes no URI: the template, what is wrong with the values, and the remedy. The values
/// themselves are not in its text.
///
/// ```
/// use grange_core::Template;
/// let order = Template::builder().uri("orders://{id}").name("order").build();
/// let error = order.uri("a/b").expect_err("one segment has no `/`");
/// assert_eq!(
///     error.to_string(),
///     "the URI of template `orders://{id}` has a value for `id` that has a `/`: give one segment, or declare the variable as in `{+path}`",
/// );
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ExpandError {
    template: String,
    problem: String,
}

impl ExpandError {
    /// An error of a template. The problem is a predicate with the remedy.
    pub(crate) fn new(template: &str, problem: &dyn fmt::Display) -> Self {
        Self { template: template.to_owned(), problem: problem.to_string() }
    }
}

impl fmt::Display for ExpandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the URI of template `{}` {}", self.template, self.problem)
    }
}

impl std::error::Error for ExpandError {}
