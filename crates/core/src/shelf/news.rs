//! What a change of a shelf means to clients: the resources that are not what they were, and whether the list is.

use crate::model::Text;
use crate::primitive::Resource;

/// What there is to announce after a change.
#[derive(Debug, Default, Eq, PartialEq)]
pub(super) struct News {
    /// The URIs of resources that came, went or were replaced by another definition.
    pub(super) updated: Vec<Text>,
    /// Whether a list shows the change.
    pub(super) is_relisted: bool,
}

impl News {
    /// Notes what became of one URI. An addition is an update too, for a subscription that outlived a removal.
    pub(super) fn note(&mut self, uri: &Text, before: Option<&Resource>, after: Option<&Resource>) {
        let is_relisted = match (before, after) {
            (None, None) => return,
            (Some(before), Some(after)) if before.is_same(after) => return,
            (Some(before), Some(after)) => before.definition().listing != after.definition().listing,
            (None, Some(_)) | (Some(_), None) => true,
        };
        self.updated.push(uri.clone());
        self.is_relisted |= is_relisted;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.updated.is_empty()
    }
}
