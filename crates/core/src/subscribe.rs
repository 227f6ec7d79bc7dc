//! Subscriptions: who may be notified of the changes of a resource. **A subscription is granted exactly if a read would succeed**, so that nobody
//! learns of changes of what they may not read.
//!
//! Not here: the stream that carries the changes (`job/listen.rs`, `job/notify.rs`), and who is notified of what (`changes/`).

use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};

use crate::call::Reply;
use crate::catalog::Found;
use crate::changes::{Full, Hub, Listener, Lists};
use crate::define::{Context, Origin};
use crate::era::{Era, Selection, invalid_filter};
use crate::inbound::Inbound;
use crate::job::{Activation, Decision, Granted, Job, Listening, Probe, Running};
use crate::model::Target;
use crate::rejection::Rejection;
use crate::rpc::{Raw, Request, RequestId};
use crate::server::Server;
use crate::shelf::Shelved;
use crate::task::{Concluded, Scope, Task, WriteRejection};

impl Server {
    /// The job that holds a stream of changes.
    pub(crate) fn listen_to_changes(
        &self,
        selection: &Selection,
        request: &Request<'_>,
        (lists, uris): (Lists, Option<Raw<'_>>),
        inbound: &Inbound<'_>,
    ) -> Result<Job, Rejection> {
        let limits = self.limits();
        let uris = uris.map_or(Ok(Vec::new()), |uris| {
            let first = uris.first_strings(limits.subscribed_uris, limits.subscribed_bytes);
            first.map_err(|_| invalid_filter("resourceSubscriptions", "an array of strings"))
        })?;
        let asking = Asking {
            server: self.clone(),
            era: selection.era,
            id: request.id.to_owned(),
            origin: self.origin(selection, Target::Nothing, inbound),
            is_pipe: inbound.is_pipe(),
            shelved: self.catalogs().shelved(),
        };
        let ask = Box::new(move |uri: &str| asking.ask(uri));
        let hub = self.hub().cloned();
        let listening = Listening { lists, uris, hub, recipient: inbound.recipient(), ask };
        Ok(Job::listen(self.clone(), selection.era, request.id.to_owned(), listening))
    }

    /// Subscribes the client of a session to a resource, or ends that. The job decides it where author code has to; `None`: it is done.
    pub(crate) fn subscribe(
        &self,
        selection: &Selection,
        request: &Request<'_>,
        (uri, ends): (&str, bool),
        inbound: &Inbound<'_>,
    ) -> Result<Option<Job>, Rejection> {
        let (Some(session), Some(hub)) = (&selection.session, self.hub()) else { return Err(Rejection::NoSession) };
        let Some(listener) = session.listener() else { return Err(Rejection::NoSession) };
        if ends {
            listener.unsubscribe(uri);
            return Ok(None);
        }
        match self.catalogs().probe(uri, &self.catalogs().shelved(), selection.era)? {
            Found::Reply(_) => enter(hub, listener, uri, true).map(|()| None),
            Found::Task(target, read) => {
                let uri: Arc<str> = uri.into();
                let activation = inbound.is_pipe().then(|| Activation { listener: listener.clone(), uri: uri.clone() });
                let (hub, listener, is_active) = (hub.clone(), listener.clone(), activation.is_none());
                let subscribing = Subscribing { read, hub, listener, uri, is_active };
                let job = self.run(selection, request, target, Box::new(subscribing), inbound);
                Ok(Some(job.with_activation(activation)))
            }
        }
    }
}

/// Enters a subscription that was granted.
fn enter(hub: &Hub, listener: &Listener, uri: &str, is_active: bool) -> Result<(), Rejection> {
    listener.subscribe(hub.key(uri), is_active).map_err(|Full { setting, limit }| {
        Rejection::InvalidParams(format!("no more can be subscribed: `Limits::{setting}` is {limit}").into())
    })
}

/// Asks for each URI of a listen whether it may be read.
struct Asking {
    server: Server,
    era: &'static Era,
    id: RequestId,
    origin: Origin,
    is_pipe: bool,
    shelved: Shelved,
}

impl Asking {
    fn ask(&self, uri: &str) -> Decision {
        match self.server.catalogs().probe(uri, &self.shelved, self.era) {
            Err(_) => Decision::Refused,
            Ok(Found::Reply(_)) => Decision::Given,
            Ok(Found::Task(target, read)) => {
                let context = Context::new(Origin { target, ..self.origin.clone() });
                let running = Running::new(self.server.clone(), self.era, self.id.clone(), context, self.is_pipe);
                let granted = Granted::default();
                Decision::Asked(Job::run(running, Box::new(Probe::new(read, granted.clone()))), granted)
            }
        }
    }
}

/// A read whose contents are dropped: if it succeeds, the client is subscribed.
struct Subscribing {
    read: Box<dyn Task>,
    hub: Arc<Hub>,
    listener: Arc<Listener>,
    uri: Arc<str>,
    is_active: bool,
}

impl Task for Subscribing {
    fn name(&self) -> &'static str {
        "subscribe"
    }

    fn rejection_writer(&self) -> WriteRejection {
        self.read.rejection_writer()
    }

    fn poll(&mut self, scope: &Scope<'_>, cx: &mut TaskContext<'_>) -> Poll<Concluded> {
        self.read.poll(scope, cx).map(|concluded| {
            concluded?;
            enter(&self.hub, &self.listener, &self.uri, self.is_active)?;
            Ok(scope.writer.write(Reply::default()))
        })
    }
}
