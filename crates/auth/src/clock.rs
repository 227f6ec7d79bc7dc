//! The time of day, as a value: tests set it.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Returns the current time.
#[derive(Clone)]
pub(crate) struct Clock(Arc<dyn Fn() -> SystemTime + Send + Sync>);

impl Clock {
    pub(crate) fn new(clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self(Arc::new(clock))
    }

    pub(crate) fn now(&self) -> SystemTime {
        (self.0)()
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new(SystemTime::now)
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

/// The time from `then` to `now`; `None` if `then` is later, because the clock was set back.
pub(crate) fn age(then: SystemTime, now: SystemTime) -> Option<Duration> {
    now.duration_since(then).ok()
}
