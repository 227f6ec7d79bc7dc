//! The metrics of changes. Without the feature `metrics` this is empty and costs nothing. No URI and no principal is a label.

pub(super) use self::counting::{folded, listeners, sent, subscribed};

#[cfg(feature = "metrics")]
pub(crate) mod names {
    pub(crate) const LISTENERS: &str = "grange_change_listeners";
    pub(crate) const SUBSCRIBED: &str = "grange_subscribed_uris";
    pub(crate) const SENT: &str = "grange_change_notifications_total";
    pub(crate) const FOLDED: &str = "grange_changes_folded_total";
}

#[cfg(feature = "metrics")]
mod counting {
    use metrics::{counter, gauge};

    use super::names::{FOLDED, LISTENERS, SENT, SUBSCRIBED};

    /// So many more listeners.
    pub(in crate::changes) fn listeners(more: f64) {
        gauge!(LISTENERS).increment(more);
    }

    /// So many more subscribed URIs.
    pub(in crate::changes) fn subscribed(more: f64) {
        gauge!(SUBSCRIBED).increment(more);
    }

    pub(in crate::changes) fn sent() {
        counter!(SENT).increment(1);
    }

    pub(in crate::changes) fn folded() {
        counter!(FOLDED).increment(1);
    }
}

#[cfg(not(feature = "metrics"))]
mod counting {
    pub(in crate::changes) fn listeners(_: f64) {}

    pub(in crate::changes) fn subscribed(_: f64) {}

    pub(in crate::changes) fn sent() {}

    pub(in crate::changes) fn folded() {}
}
