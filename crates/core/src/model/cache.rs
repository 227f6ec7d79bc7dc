//! Cache hints: how long a client may keep an answer, and which users may share it.

use std::time::Duration;

/// Which users may get a cached answer.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum CacheScope {
    /// Only the user whose request was answered. The default.
    #[default]
    Private,
    /// Any user: the answer has no data of one user.
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

/// The cache hints of one answer (2026-07-28 server/utilities/caching).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct CacheHints {
    pub(crate) ttl: Duration,
    pub(crate) scope: CacheScope,
}

impl CacheHints {
    pub(crate) fn ttl_ms(self) -> u64 {
        // JavaScript numbers are exact only to 2^53 - 1, which is more than 285,000 years.
        const MAX: u64 = (1 << 53) - 1;
        u64::try_from(self.ttl.as_millis()).map_or(MAX, |ms| ms.min(MAX))
    }
}
