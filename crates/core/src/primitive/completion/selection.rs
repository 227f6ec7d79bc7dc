//! Which values of a completion a client gets: each once, only those that the argument can carry, and the first hundred.

use std::collections::HashSet;

use crate::model::{Completion, Text};
use crate::rpc::truncate;

/// Finds the problem of a value that the argument could not carry.
pub(crate) type Check = Box<dyn Fn(&str) -> Option<String> + Send>;

/// What a client gets.
#[derive(Debug, PartialEq)]
pub(super) struct Selection<'a> {
    pub(super) values: Vec<&'a Text>,
    pub(super) total: Option<u64>,
    pub(super) has_more: bool,
    /// The problems of values that were left out.
    pub(super) problems: Vec<String>,
}

/// The most problems that are named.
const NAMED: usize = 10;

impl<'a> Selection<'a> {
    pub(super) fn new(completion: &'a Completion, check: &Check) -> Self {
        let mut seen = HashSet::new();
        let (mut values, mut problems) = (Vec::new(), Problems::default());
        for value in completion.values.iter().filter(|value| seen.insert(value.as_str())) {
            match check(value) {
                None => values.push(value),
                Some(problem) => problems.add(value, &problem),
            }
        }
        let count = u64::try_from(values.len()).unwrap_or(u64::MAX);
        values.truncate(Completion::MAX_VALUES);
        let sent = u64::try_from(values.len()).unwrap_or(u64::MAX);
        // Without a word of the author, the values that came are all that there are.
        let counted = (count > sent && !completion.has_more).then_some(count);
        let total = completion.total.map(|total| total.max(count)).or(counted);
        let has_more = completion.has_more || total.unwrap_or(count) > sent;
        Self { values, total, has_more, problems: problems.into_texts() }
    }
}

/// The problems of values, of which there may be many.
#[derive(Default)]
struct Problems {
    named: Vec<String>,
    others: usize,
}

impl Problems {
    fn add(&mut self, value: &str, problem: &str) {
        if self.named.len() < NAMED {
            self.named.push(format!("{:?} {problem}", truncate(value)));
        } else {
            self.others += 1;
        }
    }

    fn into_texts(mut self) -> Vec<String> {
        if self.others > 0 {
            self.named.push(format!("{} others", self.others));
        }
        self.named
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A check that rejects values with a `/`.
    fn check() -> Check {
        Box::new(|value| value.contains('/').then(|| "has a `/`".to_owned()))
    }

    /// What is sent of the numbers below this one: how many, the total, whether there are more.
    fn sent(completion: &Completion) -> (usize, Option<u64>, bool) {
        let selection = Selection::new(completion, &check());
        (selection.values.len(), selection.total, selection.has_more)
    }

    #[test]
    fn l2_5_at_most_a_hundred_values_with_the_truth_about_the_rest() {
        assert_eq!(sent(&Completion::new(0..100)), (100, None, false));
        assert_eq!(sent(&Completion::new(0..101)), (100, Some(101), true));
        assert_eq!(sent(&Completion::new(0..0)), (0, None, false));
    }

    #[test]
    fn l2_5_the_author_may_state_the_total_and_whether_there_are_more() {
        assert_eq!(sent(&Completion::new(0..3).total(7)), (3, Some(7), true));
        assert_eq!(sent(&Completion::new(0..3).total(3)), (3, Some(3), false));
        assert_eq!(sent(&Completion::new(0..3).has_more(true)), (3, None, true));
        // More than 101, but their number is not known.
        assert_eq!(sent(&Completion::new(0..101).has_more(true)), (100, None, true));
        // A statement that the values themselves contradict.
        assert_eq!(sent(&Completion::new(0..101).total(7).has_more(false)), (100, Some(101), true));
    }

    #[test]
    fn l2_7_values_that_cannot_be_carried_are_left_out_before_anything_is_counted() {
        let many = Completion::new((0..100).map(|n| n.to_string()).chain((0..30).map(|n| format!("{n}/"))));
        let check = check();
        let selection = Selection::new(&many, &check);
        assert_eq!((selection.values.len(), selection.total, selection.has_more), (100, None, false));
        assert_eq!((selection.problems.len(), &*selection.problems[10]), (NAMED + 1, "20 others"));
        assert_eq!(selection.problems[0], "\"0/\" has a `/`");
    }

    proptest! {
        #[test]
        fn l2_5_each_value_once_in_the_order_of_the_author(values in prop::collection::vec(0..150_u8, 0..300)) {
            let completion = Completion::new(&values);
            let check = check();
            let selection = Selection::new(&completion, &check);
            let mut once: Vec<String> = Vec::new();
            for value in values.iter().map(u8::to_string) {
                if !once.contains(&value) {
                    once.push(value);
                }
            }
            let count = once.len();
            once.truncate(100);
            prop_assert_eq!(selection.values.iter().map(ToString::to_string).collect::<Vec<_>>(), once);
            prop_assert_eq!(selection.total, (count > 100).then_some(count as u64));
            prop_assert_eq!(selection.has_more, count > 100);
        }
    }
}
