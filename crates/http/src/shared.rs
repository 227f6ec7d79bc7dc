//! What the clones of a service, and everything that it has in flight, share.

use std::sync::Arc;

use grange_core::{Server, Wire};

use crate::capacity::Capacity;
use crate::options::Options;
use crate::sessions::store::Sessions;
use crate::stream::JobStream;
use crate::timed_job::DetachableJob;

pub(crate) struct Shared {
    pub(crate) server: Server,
    pub(crate) options: Options,
    pub(crate) capacity: Arc<Capacity>,
    /// `None`: this service keeps no sessions.
    pub(crate) sessions: Option<Arc<Sessions>>,
}

impl Shared {
    pub(crate) fn new(server: Server, options: Options) -> Self {
        let keeps_sessions = options.sessions || server.sends_requests();
        let sessions = keeps_sessions.then(|| Arc::new(Sessions::new(server.limits())));
        let capacity = Arc::new(Capacity::new(server.limits()));
        Self { server, options, capacity, sessions }
    }

    /// The event stream of a job, which ends with the service.
    pub(crate) fn job_stream(&self, job: DetachableJob, first: Option<Wire>) -> JobStream {
        JobStream::new(job, first, self.options.keep_alive, self.capacity.ended())
    }
}
