//! The time of day, as a value: tests and simulations bring their own.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// What says how late it is.
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

/// How long ago something was; `None` if it is still to come, because the clock was set back.
pub(crate) fn age(then: SystemTime, now: SystemTime) -> Option<Duration> {
    now.duration_since(then).ok()
}
