//! The permits of a driver, for work that runs several requests.

use std::any::Any;
use std::task::Waker;

/// Gives the members of a batch permits to run beside one another. A driver that limits requests in flight implements it.
pub trait Permits: Send + Sync {
    /// A permit for one more request, which is returned by dropping it. `None` if there is no room; that task is woken when there may be.
    fn try_permit(&self, waker: &Waker) -> Option<Box<dyn Any + Send>>;
}
