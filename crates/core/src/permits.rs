//! What a driver grants a job: room for more requests beside it, and for the bytes that it holds for its client.

use std::any::Any;
use std::task::Waker;

use crate::rpc::ByteGuard;

/// The capacity of a driver, for the jobs that it runs; see [`Job::set_permits`](crate::Job::set_permits). `peer` is the value of
/// [`Job::set_peer`](crate::Job::set_peer), which tells whose request it is.
pub trait Permits: Send + Sync {
    /// A permit for one more request, which is returned by dropping it: members of a batch run beside one another under such permits.
    /// `None` if there is no room; that task is woken when there may be.
    fn try_permit(&self, peer: Option<&Peer>, waker: &Waker) -> Option<Box<dyn Any + Send>>;

    /// Counts `bytes` that are held for the client until the guard is dropped: those of an answer that was not sent yet, and the memory of
    /// JSON values that author code is given. `None` if there is no room: the client then gets an error.
    fn hold(&self, peer: Option<&Peer>, bytes: usize) -> Option<ByteGuard>;
}

/// The driver's data about a request.
pub type Peer = dyn Any + Send + Sync;
