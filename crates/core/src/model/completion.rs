//! The completion of one argument: the values that a client may offer.

use super::Text;

/// The values that complete an argument (2026-07-28 server/utilities/completion).
///
/// A client gets at most [`MAX_VALUES`](Self::MAX_VALUES), in this order and each once. It also learns whether there are more: without
/// [`total`](Self::total) and [`has_more`](Self::has_more), these are all values that there are.
///
/// ```
/// use grange_core::Completion;
/// let completion = Completion::new([7, 70, 71]).total(1200);
/// assert_eq!(completion.values(), ["7", "70", "71"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Completion {
    pub(crate) values: Vec<Text>,
    pub(crate) total: Option<u64>,
    pub(crate) has_more: bool,
}

impl Completion {
    /// The most values that a client gets.
    pub const MAX_VALUES: usize = 100;

    /// A completion with these values.
    pub fn new(values: impl IntoIterator<Item: ToString>) -> Self {
        let values = values.into_iter().map(|value| value.to_string().into()).collect();
        Self { values, total: None, has_more: false }
    }

    /// Sets the number of values that there are, if it is larger than that of [`new`](Self::new).
    #[must_use]
    pub fn total(mut self, total: u64) -> Self {
        self.total = Some(total);
        self
    }

    /// States whether there are more values than those of [`new`](Self::new), if their number is not known.
    #[must_use]
    pub fn has_more(mut self, has_more: bool) -> Self {
        self.has_more = has_more;
        self
    }

    /// The values, in order.
    pub fn values(&self) -> &[Text] {
        &self.values
    }
}

/// A type that converts into a [`Completion`]: a `Vec`, an array or another collection of texts, numbers or other values with
/// `Display`.
///
/// ```
/// use grange_core::IntoCompletion;
/// assert_eq!(vec![7_u64, 70].into_completion().values(), ["7", "70"]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of values",
    label = "this is no list of values",
    note = "return a `Vec`, an array or another collection of texts or numbers, or a `Completion`"
)]
pub trait IntoCompletion {
    /// Converts into a completion.
    fn into_completion(self) -> Completion;
}

impl IntoCompletion for Completion {
    fn into_completion(self) -> Completion {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<I> IntoCompletion for I
where
    I: IntoIterator,
    I::Item: ToString,
{
    fn into_completion(self) -> Completion {
        Completion::new(self)
    }
}
