//! Dispatch: from a request whose row is known to **one reply or one job, nothing else.**
//!
//! Not here: the choice of the row (`era/select.rs`), the look-up by name (`server/primitives.rs`), and the run of a job (`job/`).

use crate::call::{Call, Reply};
use crate::catalog::Found;
use crate::define::HandlerFailure;
use crate::era::{Selection, Status};
use crate::inbound::Inbound;
use crate::job::Job;
use crate::model::Primitive;
use crate::rejection::Rejection;
use crate::rpc::{Raw, Request, Wire};
use crate::server::{PIPE_REPLY, Server};
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
        let method = method.filter(|method| method.needs.is_none_or(|needed| self.catalogs().has(needed)));
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
            Some((target, task)) => Ok(Dispatched::Run(self.run(selection, request, target, task, inbound))),
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
            Call::Complete(ref complete) => match self.catalogs().complete(complete, era)? {
                Found::Reply(reply) => reply,
                Found::Task(target, task) => {
                    return Ok(Dispatched::Run(self.run(selection, request, target, task, inbound)));
                }
            },
            Call::Discover => self.discover(era),
            Call::Initialize { ref requested } => self.initialize(requested)?,
            Call::List { primitive, cursor } => match self.catalogs().list(primitive, cursor, era)? {
                Found::Reply(reply) => reply,
                Found::Task(target, task) => {
                    return Ok(Dispatched::Run(self.run(selection, request, target, task, inbound)));
                }
            },
            Call::Listen { lists, uris } => {
                return self.listen_to_changes(selection, request, (lists, uris), inbound).map(Dispatched::Run);
            }
            Call::Subscribe { uri, ends } => match self.subscribe(selection, request, (uri, ends), inbound)? {
                Some(job) => return Ok(Dispatched::Run(job)),
                None => Reply::default(),
            },
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
            Found::Task(target, task) => {
                return Ok(Dispatched::Run(self.run(selection, request, target, task, inbound)));
            }
        };
        let wire = self.writer(era, request.id).write(reply);
        if inbound.is_pipe() && wire.len() > PIPE_REPLY {
            let context = self.context(selection, primitive.target(name.to_owned().into()), inbound);
            self.report(&HandlerFailure::LargeReply(wire.len()), &context);
        }
        Ok(Dispatched::Reply(wire, Status::Ok))
    }
}
