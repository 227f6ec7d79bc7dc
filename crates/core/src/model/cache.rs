//! Cache hints: how long a client may keep an answer, and who may share it (2026-07-28 server/utilities/caching).

use std::time::Duration;

/// Who may reuse a cached answer.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum CacheScope {
    /// Only the user it was given to. The default.
    #[default]
    Private,
    /// Anybody: the answer holds nothing of the caller's.
    Public,
}

impl CacheScope {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Public => "public",
        }
    }
}

/// The hints of one answer.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct CacheHints {
    pub(crate) ttl: Duration,
    pub(crate) scope: CacheScope,
}

impl CacheHints {
    pub(crate) fn ttl_ms(self) -> u64 {
        // JSON numbers of other languages are exact to 2^53; so long a time is for ever anyway.
        const MAX: u64 = (1 << 53) - 1;
        u64::try_from(self.ttl.as_millis()).map_or(MAX, |ms| ms.min(MAX))
    }
}
