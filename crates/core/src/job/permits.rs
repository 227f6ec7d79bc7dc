//! The permits of a driver, for work that runs several requests.

use std::any::Any;

/// Gives the members of a batch permits to run beside one another. A driver that limits requests in flight implements it.
pub trait Permits: Send + Sync {
    /// A permit for one more request, which is returned by dropping it; `None` if there is no room.
    fn try_permit(&self) -> Option<Box<dyn Any + Send>>;
}
