//! From a request whose row is known to its answer, or to the work that will answer: **one reply or one job, nothing else.**

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use bytes::Bytes;

use crate::call::{Call, Reply};
use crate::define::{Context, ExtensionAnswer, ExtensionParams, Origin, ReadFailure, Target, panic_message};
use crate::era::{Era, Need, Refusal};
use crate::fault::Fault;
use crate::inbound::Inbound;
use crate::job::{Job, Running};
use crate::model::CacheHints;
use crate::registry::{Found, Registry};
use crate::rpc::{Code, Request, Wire};
use crate::server::{PIPE_REPLY, Server};
use crate::telemetry::RequestSpan;

/// What comes of a request.
pub(crate) enum Dispatched {
    /// The answer, and how a transport with statuses should rate it.
    Reply(Wire, Refusal),
    Run(Job),
}

impl Server {
    /// Takes a request whose row is known to its answer, or to the work that will answer.
    pub(crate) fn dispatch(&self, era: &'static Era, request: &Request<'_>, inbound: &Inbound<'_>) -> Dispatched {
        let method = era.method(&request.method).filter(|method| self.has(method.needs));
        let served = method.map(|method| method.name).or_else(|| self.extensions().name(&request.method));
        let mut watch = RequestSpan::new(era, request, served, inbound);
        let answered = watch.span.in_scope(|| match method {
            None => self.extended(era, request, inbound),
            Some(method) => (method.read)(&request.params).and_then(|call| self.call(era, request, &call, inbound)),
        });
        match answered {
            Ok(Dispatched::Run(mut job)) => {
                job.watch(watch);
                Dispatched::Run(job)
            }
            Ok(Dispatched::Reply(wire, refusal)) => {
                watch.answered(None, &wire);
                Dispatched::Reply(wire, refusal)
            }
            Err(fault) => {
                let (wire, refusal) = era.write_fault(Some(request.id), &fault);
                watch.answered(Some(era.code(&fault).0), &wire);
                Dispatched::Reply(wire, refusal)
            }
        }
    }

    /// What an extension answers, if one has this method. A panic of its code goes no further.
    fn extended(&self, era: &'static Era, request: &Request<'_>, inbound: &Inbound<'_>) -> Result<Dispatched, Fault> {
        let unknown = || Fault::UnknownMethod(request.method.clone().into_owned());
        let extension = self.extensions().answering(&request.method).ok_or_else(unknown)?;
        let params = ExtensionParams(&request.params);
        let answered = catch_unwind(AssertUnwindSafe(|| extension.answer(&request.method, &params)));
        let answered = answered.map_err(|panic| ReadFailure::Panicked(panic_message(&*panic)));
        let failed = match answered {
            Ok(Ok(answer)) => return Ok(self.extension_reply(era, request, answer)),
            Ok(Err(error)) => error.0.fault(Code::INVALID_PARAMS.0),
            Err(panicked) => Err(panicked),
        };
        Err(failed.unwrap_or_else(|failure| {
            let method = request.method.to_string().into();
            let target = Target::Extension { id: extension.id().to_owned().into(), method };
            self.report(&failure, &self.context(era, target, inbound));
            Fault::Internal
        }))
    }

    fn extension_reply(&self, era: &'static Era, request: &Request<'_>, answer: ExtensionAnswer) -> Dispatched {
        let hints = self.hints();
        let cache = answer
            .cache
            .map(|(ttl, scope)| CacheHints { ttl: ttl.unwrap_or(hints.ttl), scope: scope.unwrap_or(hints.scope) });
        let reply = Reply { cache, ..Reply::members(answer.members) };
        Dispatched::Reply(self.write_reply(era, request.id, reply), Refusal::None)
    }

    fn has(&self, need: Need) -> bool {
        match need {
            Need::Nothing => true,
            Need::Resources => self.registry().is_some(),
            Need::Tools => self.tools().is_some(),
        }
    }

    fn call(
        &self,
        era: &'static Era,
        request: &Request<'_>,
        call: &Call<'_>,
        inbound: &Inbound<'_>,
    ) -> Result<Dispatched, Fault> {
        let tools = || self.tools().ok_or_else(|| Fault::UnknownMethod(request.method.to_string()));
        let registry = || self.registry().ok_or_else(|| Fault::UnknownMethod(request.method.to_string()));
        let reply = match call {
            Call::Tool { name, arguments } => {
                let tool = tools()?.find(name).ok_or_else(|| Fault::UnknownTool((*name).to_owned()))?;
                let running = self.running(era, request, Target::Tool(tool.definition().listing.name.clone()), inbound);
                let arguments =
                    arguments.map_or(Bytes::from_static(b"{}"), |raw| inbound.frame.slice_ref(raw.text().as_bytes()));
                return Ok(Dispatched::Run(Job::call(running, tool.clone(), arguments)));
            }
            Call::Discover => self.discover(),
            Call::Initialize { requested } => self.initialize(requested)?,
            Call::ListResources { cursor } => registry()?.list(*cursor, era.fields)?,
            Call::ListTemplates { cursor } => registry()?.templates(*cursor)?,
            Call::ListTools { cursor } => tools()?.list(*cursor, era.tools)?,
            Call::Listen => return Ok(Dispatched::Run(Job::listen(self.clone(), era, request.id.to_owned()))),
            Call::Ping => Reply::default(),
            Call::ReadResource { uri } => return self.read(era, request, registry()?, uri, inbound),
        };
        Ok(Dispatched::Reply(self.write_reply(era, request.id, reply), Refusal::None))
    }

    fn read(
        &self,
        era: &'static Era,
        request: &Request<'_>,
        registry: &Registry,
        uri: &str,
        inbound: &Inbound<'_>,
    ) -> Result<Dispatched, Fault> {
        if uri.len() > self.limits().uri_bytes {
            return Err(Fault::LongUri);
        }
        match registry.find(uri, era.fields) {
            None => Err(Fault::UnknownResource { uri: uri.to_owned() }),
            Some(Found::Fixed(reply)) => {
                let wire = self.write_reply(era, request.id, reply);
                if inbound.pipe && wire.len() > PIPE_REPLY {
                    let context = self.context(era, Target::Resource(uri.to_owned().into()), inbound);
                    self.report(&ReadFailure::LargeReply(wire.len()), &context);
                }
                Ok(Dispatched::Reply(wire, Refusal::None))
            }
            Some(Found::Read(resource, hints)) => {
                let target = Target::Resource(resource.definition().listing.uri.clone());
                let running = self.running(era, request, target, inbound);
                Ok(Dispatched::Run(Job::read(running, resource.clone(), hints)))
            }
        }
    }

    /// What author code is run with.
    fn running(&self, era: &'static Era, request: &Request<'_>, target: Target, inbound: &Inbound<'_>) -> Running {
        let context = self.context(era, target, inbound);
        Running::new(self.clone(), era, request.id.to_owned(), context, inbound.pipe)
    }

    fn context(&self, era: &Era, target: Target, inbound: &Inbound<'_>) -> Context {
        Context::new(Origin {
            target,
            version: Some(era.name),
            request: inbound.frame.clone(),
            has_requests: era.requests,
            session: inbound.session.cloned(),
            stream: inbound.stream,
            resumable: era.id_only_first_event && !inbound.pipe && inbound.session.is_some(),
            providers: self.providers().clone(),
            peer: OnceLock::new(),
        })
    }
}
