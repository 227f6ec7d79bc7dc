//! What a job says to the driver that polls it.

use crate::era::Refusal;
use crate::rpc::Wire;

/// What a job says.
#[derive(Debug)]
pub enum JobEvent {
    /// A message before the last one: the driver must have, or now open, a stream.
    Event(Wire),
    /// The client cancelled the request, in its session: nothing more is said. Not to be polled again.
    Cancelled,
    /// The last message, and how a transport with statuses should rate it. Not to be polled again.
    Done(Wire, Refusal),
    /// The connection may close here: the client comes back for the rest. A driver that cannot do that goes on.
    Suspend,
}
