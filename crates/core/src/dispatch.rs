//! Dispatch: from a request whose row is known to **one reply or one job, nothing else.**
//!
//! Not here: the choice of the row (`era/select.rs`), the look-up by name (`server/primitives.rs`), and the run of a job (`job/`).

use std::sync::OnceLock;

use crate::call::{Call, Reply};
use crate::catalog::Found;
use crate::define::{Context, HandlerFailure, Origin};
use crate::era::{Selection, Status};
use crate::inbound::Inbound;
use crate::job::{Job, Running};
use crate::model::{Primitive, Target};
use crate::rejection::Rejection;
use crate::rpc::{Raw, Request, Wire};
use crate::server::{PIPE_REPLY, Server};
use crate::task::Task;
use crate::telemetry::RequestSpan;

/// The result of a dispatch.
pub(crate) enum Dispatched {
    /// The answer, and how a transport with statuses should rate it.
    Reply(Wire, Status),
    Run(Job),
}

impl Server {
    /// Answers a request whose row is known, or makes the job that will answer it.
    pub(crate) fn dispatch(&self, selection: &Selection, request: &Request<'_>, inbound: &Inbound<'_>) -> Dispatched {
        let era = selection.era;
        let method = era.method(&request.method);
        let method = method.filter(|method| method.needs.is_none_or(|primitive| self.catalogs().has(primitive)));
        let served = method.map(|method| method.name).or_else(|| self.extensions().name(&request.method));
        let mut span = RequestSpan::new(era, request, served, inbound);
        let answered = span.span.in_scope(|| match method {
            None => self.extension(selection, request, inbound),
            Some(method) => {
                (method.read)(&request.params).and_then(|call| self.call(selection, request, &call, inbound))
            }
        });
        match answered {
            Ok(Dispatched::Run(mut job)) => {
                job.set_span(span);
                Dispatched::Run(job)
            }
            Ok(Dispatched::Reply(wire, status)) => {
                span.answered(None, &wire);
                Dispatched::Reply(wire, status)
            }
            Err(rejection) => {
                let (wire, status) = era.write_rejection(Some(request.id), &rejection);
                span.answered(Some(era.code(&rejection).0), &wire);
                Dispatched::Reply(wire, status)
            }
        }
    }

    /// Dispatches a method that is not in the row: an extension may have it.
    fn extension(
        &self,
        selection: &Selection,
        request: &Request<'_>,
        inbound: &Inbound<'_>,
    ) -> Result<Dispatched, Rejection> {
        match self.extensions().task(&request.method, inbound.frame, self.hints()) {
            Some((target, task)) => Ok(self.run(selection, request, target, task, inbound)),
            None => Err(Rejection::UnknownMethod(request.method.clone().into_owned())),
        }
    }

    fn call(
        &self,
        selection: &Selection,
        request: &Request<'_>,
        call: &Call<'_>,
        inbound: &Inbound<'_>,
    ) -> Result<Dispatched, Rejection> {
        let era = selection.era;
        let reply = match *call {
            Call::Discover => self.discover(),
            Call::Initialize { ref requested } => self.initialize(requested)?,
            Call::List { primitive, cursor } => self.catalogs().list(primitive, cursor, era)?,
            Call::Listen => return Ok(Dispatched::Run(Job::listen(self.clone(), era, request.id.to_owned()))),
            Call::Ping => Reply::default(),
            Call::Use { primitive, name, arguments } => {
                return self.use_one(selection, request, (primitive, name, arguments), inbound);
            }
        };
        Ok(Dispatched::Reply(self.writer(era, request.id).write(reply), Status::Ok))
    }

    fn use_one(
        &self,
        selection: &Selection,
        request: &Request<'_>,
        (primitive, name, arguments): (Primitive, &str, Option<Raw<'_>>),
        inbound: &Inbound<'_>,
    ) -> Result<Dispatched, Rejection> {
        let era = selection.era;
        let arguments = arguments.map(|raw| inbound.frame.slice_ref(raw.text().as_bytes()));
        let reply = match self.find(primitive, name, arguments, era)? {
            Found::Reply(reply) => reply,
            Found::Task(target, task) => return Ok(self.run(selection, request, target, task, inbound)),
        };
        let wire = self.writer(era, request.id).write(reply);
        if inbound.is_pipe() && wire.len() > PIPE_REPLY {
            let context = self.context(selection, primitive.target(name.to_owned().into()), inbound);
            self.report(&HandlerFailure::LargeReply(wire.len()), &context);
        }
        Ok(Dispatched::Reply(wire, Status::Ok))
    }

    /// Makes the job that runs author code.
    fn run(
        &self,
        selection: &Selection,
        request: &Request<'_>,
        target: Target,
        task: Box<dyn Task>,
        inbound: &Inbound<'_>,
    ) -> Dispatched {
        let context = self.context(selection, target, inbound);
        let running = Running::new(self.clone(), selection.era, request.id.to_owned(), context, inbound.is_pipe());
        Dispatched::Run(Job::run(running, task))
    }

    fn context(&self, selection: &Selection, target: Target, inbound: &Inbound<'_>) -> Context {
        let Selection { era, session } = selection;
        Context::new(Origin {
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
        })
    }
}
