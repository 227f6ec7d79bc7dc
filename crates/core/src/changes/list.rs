//! The lists whose changes clients can be notified of.

/// A list whose changes clients can be notified of.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum List {
    /// The lists of resources and of templates.
    Resources,
    /// The list of tools.
    Tools,
    /// The list of prompts.
    Prompts,
}

impl List {
    pub(crate) const ALL: [Self; 3] = [Self::Resources, Self::Tools, Self::Prompts];
}

/// A set of lists.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Lists([bool; List::ALL.len()]);

impl Lists {
    /// The lists for which this holds.
    pub(crate) fn of(holds: impl Fn(List) -> bool) -> Self {
        Self(List::ALL.map(holds))
    }

    pub(crate) fn contains(self, list: List) -> bool {
        self.0[list as usize]
    }

    pub(super) fn insert(&mut self, list: List) -> bool {
        !std::mem::replace(&mut self.0[list as usize], true)
    }

    pub(super) fn iter(self) -> impl Iterator<Item = List> {
        List::ALL.into_iter().filter(move |list| self.contains(*list))
    }
}
