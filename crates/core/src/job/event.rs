//! The events that a job returns to its driver.

use crate::era::Status;
use crate::rpc::Wire;

/// An event of a job, as [`Job::poll`](crate::Job::poll) returns it.
#[derive(Debug)]
pub enum JobEvent {
    /// A message before the answer. The driver sends it on an event stream, which it opens if there is none yet.
    Event(Wire),
    /// The request was cancelled, and there is no answer. Do not poll the job again.
    Cancelled,
    /// The answer, and how a transport with statuses should rate it. Do not poll the job again.
    Done(Wire, Status),
    /// The connection may close here: the client resumes the stream later. A driver without resumable streams ignores it.
    Suspend,
}
