//! A list of values, filtered by what is typed: those that begin with it, then those that contain it elsewhere.

use crate::model::Text;

/// A list of values.
pub(crate) struct List {
    values: Vec<Text>,
    /// The same in lower case. Only letters of ASCII differ.
    lower: Vec<Box<str>>,
    /// The length of the longest value, in bytes.
    longest: usize,
}

impl List {
    pub(super) fn new(values: Vec<Text>) -> Self {
        let lower = values.iter().map(|value| value.to_ascii_lowercase().into()).collect();
        let longest = values.iter().map(|value| value.len()).max().unwrap_or(0);
        Self { values, lower, longest }
    }

    /// The values that begin with a text, then those that contain it elsewhere, each in their order. The case of ASCII letters does not
    /// matter. Takes linear time: a client chooses the text.
    pub(super) fn filter(&self, typed: &str) -> Vec<Text> {
        if typed.len() > self.longest {
            return Vec::new();
        }
        let typed = typed.to_ascii_lowercase();
        let (mut first, mut then) = (Vec::new(), Vec::new());
        for (value, lower) in self.values.iter().zip(&self.lower) {
            if lower.starts_with(&typed) {
                first.push(value.clone());
            } else if lower.contains(&typed) {
                then.push(value.clone());
            }
        }
        first.append(&mut then);
        first
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn filtered(values: &[&'static str], typed: &str) -> Vec<Text> {
        List::new(values.iter().map(|value| Text::from(*value)).collect()).filter(typed)
    }

    #[test]
    fn l2_6_prefixes_come_first_then_what_contains_the_text() {
        let countries = ["Macho", "Chad", "Echo", "China", "Fiji"];
        assert_eq!(filtered(&countries, "cH"), ["Chad", "China", "Macho", "Echo"]);
        assert_eq!(filtered(&countries, ""), countries);
        assert_eq!(filtered(&countries, "q"), [""; 0]);
        // Letters outside ASCII have their case.
        assert_eq!(filtered(&["Äpfel", "äpfel"], "ä"), ["äpfel"]);
    }

    /// Whether a value has the text at a place, by its characters.
    fn has_at(value: &str, typed: &str, place: usize) -> bool {
        let value: Vec<char> = value.chars().collect();
        let typed: Vec<char> = typed.chars().collect();
        let part = value.get(place..place + typed.len());
        part.is_some_and(|part| part.iter().zip(&typed).all(|(one, other)| one.eq_ignore_ascii_case(other)))
    }

    proptest! {
        #[test]
        fn l2_6_the_filter_is_that_of_each_character(
            values in prop::collection::vec("[aAbB\u{e4}\u{c4}.]{0,4}", 0..8),
            typed in "[aAbB\u{e4}\u{c4}.]{0,3}",
        ) {
            let first = values.iter().filter(|value| has_at(value, &typed, 0));
            let contains = |value: &&String| !has_at(value, &typed, 0) && (1..5).any(|place| has_at(value, &typed, place));
            let expected: Vec<&String> = first.chain(values.iter().filter(contains)).collect();
            let found = List::new(values.iter().cloned().map(Text::from).collect()).filter(&typed);
            prop_assert_eq!(found.iter().map(Text::as_str).collect::<Vec<_>>(), expected);
        }
    }
}
