//! The request to complete one argument, as author code sees it.

use crate::model::Text;

/// The request to complete one argument: what the user has typed of it, and the values of other arguments that are settled already.
///
/// **All of it is a client's input**, which a client sends at each key press: use it as a bound parameter of a query, and limit the rows.
///
/// ```
/// use grange_core::CompleteRequest;
/// let typed = CompleteRequest::new("city", "Ab").with_other("country", "Chad");
/// assert_eq!((typed.name(), typed.value()), ("city", "Ab"));
/// assert_eq!((typed.other("country"), typed.other("region")), (Some("Chad"), None));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CompleteRequest {
    name: Text,
    value: String,
    others: Vec<(Text, String)>,
}

impl CompleteRequest {
    /// A request for the argument with that name, and what is typed of its value.
    pub fn new(name: impl Into<Text>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into(), others: Vec::new() }
    }

    /// Adds the value of another argument.
    #[must_use]
    pub fn with_other(mut self, name: impl Into<Text>, value: impl Into<String>) -> Self {
        self.others.push((name.into(), value.into()));
        self
    }

    /// The name of the argument.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is typed so far. It may be empty.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The value of another argument, if the client sent it. Not every client sends these, and the first revisions do not have them.
    pub fn other(&self, name: &str) -> Option<&str> {
        self.others.iter().find(|(other, _)| *other == name).map(|(_, value)| &**value)
    }
}
