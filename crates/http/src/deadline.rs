//! When a time that was configured is over.

use std::time::Duration;

use tokio::time::Instant;

/// The moment when that time is over. A time too long for the clock ends in 30 years.
pub(crate) fn after(time: Duration) -> Instant {
    const YEARS: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);
    let now = Instant::now();
    now.checked_add(time).unwrap_or(now + YEARS)
}
