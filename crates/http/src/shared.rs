//! What the clones of a service, and everything that it has in flight, share.

use std::sync::Arc;

use grange_core::{Permits, Server, Wire};

#[cfg(feature = "serve")]
use crate::byte_budget::Account;
use crate::capacity::{Capacity, JobPermits, NoPermit};
use crate::options::Options;
use crate::rejection::Full;
use crate::sessions::store::Sessions;
use crate::stream::JobStream;
use crate::timed_job::DetachableJob;

pub(crate) struct Shared {
    pub(crate) server: Server,
    pub(crate) options: Options,
    pub(crate) capacity: Arc<Capacity>,
    /// The same, for jobs.
    pub(crate) permits: Arc<dyn Permits>,
    /// `None`: this service keeps no sessions.
    pub(crate) sessions: Option<Arc<Sessions>>,
}

impl Shared {
    pub(crate) fn new(server: Server, options: Options) -> Self {
        let keeps_sessions = options.sessions || server.sends_requests() || server.announces_changes();
        let sessions = keeps_sessions.then(|| Arc::new(Sessions::new(server.limits())));
        let capacity = Arc::new(Capacity::new(server.limits()));
        let permits = Arc::new(JobPermits(capacity.clone()));
        Self { server, options, capacity, permits, sessions }
    }

    /// Where the bytes of a new HTTP/2 connection are counted.
    #[cfg(feature = "serve")]
    pub(crate) fn account_of_connection(&self) -> Account {
        self.capacity.account_of_connection(self.server.limits().connection_bytes)
    }

    /// Whether a client may open a stream for what answers no request.
    pub(crate) fn has_standalone_streams(&self) -> bool {
        self.server.sends_requests() || self.server.announces_changes()
    }

    /// The limit that leaves no permit for a request.
    pub(crate) fn requests_full(&self, no_permit: NoPermit) -> Full {
        let limits = self.server.limits();
        match no_permit {
            NoPermit::InAll => Full { limit: limits.requests_in_flight, setting: "requests_in_flight" },
            NoPermit::OfPrincipal => Full { limit: limits.requests_per_principal, setting: "requests_per_principal" },
        }
    }

    /// The limit that leaves no permit for a held stream.
    pub(crate) fn streams_full(&self, no_permit: NoPermit) -> Full {
        let limits = self.server.limits();
        match no_permit {
            NoPermit::InAll => Full { limit: limits.streams, setting: "streams" },
            NoPermit::OfPrincipal => Full { limit: limits.streams_per_principal, setting: "streams_per_principal" },
        }
    }

    /// The event stream of a job, which ends with the service.
    pub(crate) fn job_stream(&self, job: DetachableJob, first: Option<Wire>) -> JobStream {
        JobStream::new(job, first, self.options.keep_alive, self.capacity.ended())
    }
}
