//! One read: runs the author's reader, then validates and encodes its contents.

use std::time::Duration;

use super::builder::Resource;
use super::definition::{BoxRead, Definition, Reader};
use super::wire;
use crate::call::Reply;
use crate::catalog::Found;
use crate::define::{Cause, Context, HandlerFailure, ReadError};
use crate::model::{CacheHints, Contents, Item, Primitive, Target};
use crate::rejection::Rejection;
use crate::rpc::Wire;
use crate::task::{BoxFuture, Concluded, Handler, NoAnswer, Scope, task};

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

    pub(crate) fn definition(&self) -> &Definition {
        self.resource.definition()
    }

    /// The resource that is read.
    pub(crate) fn target(&self) -> Target {
        Primitive::Resource.target(self.definition().listing.uri.clone())
    }

    /// The read as the answer to `resources/read`.
    pub(crate) fn found(self) -> Found {
        Found::Task(self.target(), task(self))
    }

    /// Starts the author's reader.
    pub(crate) fn begin(&mut self, context: &Context) -> BoxRead {
        self.announced = context.changes().hub().announced();
        (self.reader)(context.clone())
    }

    /// The contents that the reader returned, if they can be sent.
    pub(crate) fn checked(context: &Context, outcome: Result<Contents, ReadError>) -> Result<Contents, NoAnswer> {
        let contents = outcome.map_err(|ReadError(cause)| match cause {
            Cause::NotFound => Rejection::UnknownResource { uri: context.uri().to_string() }.into(),
            cause => NoAnswer::from(cause),
        })?;
        let problems = contents.items.iter().flat_map(Item::problems);
        let problems: Vec<_> = problems.chain(contents.meta.problems().iter().cloned()).collect();
        if problems.is_empty() { Ok(contents) } else { Err(HandlerFailure::InvalidContents(problems).into()) }
    }

    fn encode(&self, scope: &Scope<'_>, mut contents: Contents) -> Wire {
        let definition = self.resource.definition();
        definition.extend(&mut contents);
        let is_old = scope.context.changes().hub().announced() != self.announced;
        // What was announced meanwhile may be missing in it.
        let ttl = if is_old { Duration::ZERO } else { self.hints.ttl };
        let reply =
            Reply { cache: Some(CacheHints { ttl, ..self.hints }), meta: Some(&contents.meta), ..Reply::default() };
        let size = contents.items.iter().map(wire::item_size).sum();
        scope.writer.write_with(&reply, size, |out, era| wire::contents(out, &contents, definition, era.fields))
    }
}

impl Handler for Read {
    type Outcome = Result<Contents, ReadError>;

    const NAME: &'static str = "read";

    fn start(&mut self, context: &Context) -> BoxFuture<Self::Outcome> {
        self.begin(context)
    }

    fn conclude(&mut self, scope: &Scope<'_>, outcome: Self::Outcome) -> Concluded {
        Ok(self.encode(scope, Self::checked(scope.context, outcome)?))
    }
}
