//! Starts author code for a request: makes its context and its job.

use std::sync::OnceLock;

use crate::define::{Context, Origin};
use crate::era::Selection;
use crate::inbound::Inbound;
use crate::job::{Job, Running};
use crate::model::Target;
use crate::rpc::Request;
use crate::server::Server;
use crate::task::Task;

impl Server {
    /// Makes the job that runs author code.
    pub(crate) fn run(
        &self,
        selection: &Selection,
        request: &Request<'_>,
        target: Target,
        task: Box<dyn Task>,
        inbound: &Inbound<'_>,
    ) -> Job {
        let context = self.context(selection, target, inbound);
        let running = Running::new(self.clone(), selection.era, request.id.to_owned(), context, inbound.is_pipe());
        Job::run(running, task)
    }

    /// The context of author code for this target.
    pub(crate) fn context(&self, selection: &Selection, target: Target, inbound: &Inbound<'_>) -> Context {
        Context::new(self.origin(selection, target, inbound))
    }

    pub(crate) fn origin(&self, selection: &Selection, target: Target, inbound: &Inbound<'_>) -> Origin {
        let Selection { era, session } = selection;
        Origin {
            target,
            version: Some(era.name),
            request: inbound.frame.clone(),
            has_requests: era.requests,
            session: session.clone(),
            stream: inbound.takes_stream(),
            resumable: era.id_only_first_event && !inbound.is_pipe() && session.is_some(),
            providers: self.providers().clone(),
            json_values: self.limits().json_values,
            peer: OnceLock::new(),
            permits: OnceLock::new(),
        }
    }
}
