//! A read: the author's reader, and its contents validated before they leave.

use super::handle::Job;
use super::run::{Boxed, Run, Running, Task};
use crate::call::{Members, Reply};
use crate::define::{Cause, ContentSource, ReadError, ReadFailure, Resource};
use crate::fault::Fault;
use crate::model::{CacheHints, Contents};
use crate::rpc::Wire;

/// The resource, and the cache hints for its contents.
struct Read {
    resource: Resource,
    hints: CacheHints,
}

impl Job {
    /// Reads a resource that has a reader.
    pub(crate) fn read(running: Running, resource: Resource, hints: CacheHints) -> Self {
        Run::job(running, Read { resource, hints })
    }
}

impl Task for Read {
    type Output = Contents;
    type Error = ReadError;

    const NAME: &'static str = "read";

    fn start(&self, running: &Running) -> Boxed<Self> {
        match self.resource.definition().source.as_ref() {
            Some(ContentSource::Read(reader)) => reader(running.context.clone()),
            Some(ContentSource::Fixed(_)) | None => Box::pin(async { Err(ReadError::not_found()) }),
        }
    }

    fn conclude(
        &self,
        running: &Running,
        outcome: Result<Contents, ReadError>,
    ) -> Result<Result<Wire, Fault>, ReadFailure> {
        match outcome {
            Ok(contents) => self.encode(running, contents).map(Ok),
            Err(ReadError(Cause::NotFound)) => {
                Ok(Err(Fault::UnknownResource { uri: running.context.uri().to_string() }))
            }
            Err(ReadError(cause)) => public(cause).map(Err),
        }
    }
}

/// What of an author's error the client sees.
pub(super) fn public(cause: Cause) -> Result<Fault, ReadFailure> {
    match cause {
        Cause::Public { code, message, data } => Ok(Fault::Author { code, message, data }),
        Cause::MissingCapabilities(required) => Ok(Fault::MissingCapabilities(required)),
        Cause::MissingScopes(scopes) => Ok(Fault::MissingScopes(scopes)),
        cause => Err(ReadError(cause).into()),
    }
}

impl Read {
    fn encode(&self, running: &Running, mut contents: Contents) -> Result<Wire, ReadFailure> {
        let faults = contents.items.iter().flat_map(crate::model::Item::faults);
        let faults: Vec<_> = faults.chain(contents.meta.faults().iter().cloned()).collect();
        if !faults.is_empty() {
            return Err(ReadFailure::InvalidContents(faults));
        }
        let Running { server, era, id, .. } = running;
        let definition = self.resource.definition();
        definition.extend(&mut contents);
        let (listing, content_meta) = (&definition.listing, &definition.content_meta);
        let members = Members::Contents { contents: &contents, listing, content_meta };
        let reply = Reply { cache: Some(self.hints), meta: Some(&contents.meta), members };
        Ok(server.write_reply(era, id.token(), reply))
    }
}
