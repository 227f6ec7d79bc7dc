//! When a time that was configured is over.

use std::time::Duration;

use tokio::time::Instant;

/// Stands for a time that is too long for the clock: 30 years.
pub(crate) const LONGEST: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);

/// The moment when that time is over.
pub(crate) fn after(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or(now + LONGEST)
}
