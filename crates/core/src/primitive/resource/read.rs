//! One read: runs the author's reader, then validates and encodes its contents.

use std::time::Duration;

use super::builder::Resource;
use super::definition::Reader;
use super::wire;
use crate::call::Reply;
use crate::define::{Cause, Context, HandlerFailure, ReadError};
use crate::model::{CacheHints, Contents, Item};
use crate::rejection::Rejection;
use crate::task::{BoxFuture, Concluded, Handler, Scope};

/// One read of a resource that has a reader.
pub(crate) struct Read {
    resource: Resource,
    reader: Reader,
    hints: CacheHints,
    /// How many changes were announced when it started.
    announced: u64,
}

impl Read {
    /// `hints` are the cache hints of the contents.
    pub(crate) fn new(resource: Resource, reader: Reader, hints: CacheHints) -> Self {
        Self { resource, reader, hints, announced: 0 }
    }

    fn encode(&self, scope: &Scope<'_>, mut contents: Contents) -> Concluded {
        let problems = contents.items.iter().flat_map(Item::problems);
        let problems: Vec<_> = problems.chain(contents.meta.problems().iter().cloned()).collect();
        if !problems.is_empty() {
            return Err(HandlerFailure::InvalidContents(problems).into());
        }
        let definition = self.resource.definition();
        definition.extend(&mut contents);
        let is_old = scope.context.changes().hub().announced() != self.announced;
        // What was announced meanwhile may be missing in it.
        let ttl = if is_old { Duration::ZERO } else { self.hints.ttl };
        let reply =
            Reply { cache: Some(CacheHints { ttl, ..self.hints }), meta: Some(&contents.meta), ..Reply::default() };
        let size = contents.items.iter().map(wire::item_size).sum();
        Ok(scope.writer.write_with(&reply, size, |out, era| wire::contents(out, &contents, definition, era.fields)))
    }
}

impl Handler for Read {
    type Outcome = Result<Contents, ReadError>;

    const NAME: &'static str = "read";

    fn start(&mut self, context: &Context) -> BoxFuture<Self::Outcome> {
        self.announced = context.changes().hub().announced();
        (self.reader)(context.clone())
    }

    fn conclude(&mut self, scope: &Scope<'_>, outcome: Self::Outcome) -> Concluded {
        match outcome {
            Ok(contents) => self.encode(scope, contents),
            Err(ReadError(Cause::NotFound)) => {
                Err(Rejection::UnknownResource { uri: scope.context.uri().to_string() }.into())
            }
            Err(ReadError(cause)) => Err(cause.into()),
        }
    }
}
