//! A template in the catalog: matches URIs, and starts reads of the resources that they name.

use std::sync::Arc;

use grange_uri::{Candidate, Match, Variable};

use super::builder::Template;
use super::definition::TemplateReader;
use super::lister::Lister;
use crate::call::Complete;
use crate::catalog::{Entry, Found};
use crate::changes::Served;
use crate::era::{Era, Fields};
use crate::model::{CacheHints, CacheScope, Listing, Text};
use crate::primitive::completion::Completable;
use crate::primitive::resource::{Read, Resource, write_entry};
use crate::rejection::Rejection;

/// A registered template.
pub(crate) struct TemplateEntry {
    template: Template,
    pattern: grange_uri::Template,
    reader: TemplateReader,
    hints: CacheHints,
}

impl TemplateEntry {
    /// Takes a definition, and the cache hints for contents without their own. `None` for one with problems, which `build()` has
    /// rejected.
    pub(crate) fn new(template: Template, defaults: CacheHints) -> Option<Self> {
        let (pattern, reader) = (template.pattern().ok()?.clone(), template.definition().code.as_ref()?.reader.clone());
        let common = &template.definition().common;
        let hints =
            CacheHints { ttl: common.ttl.unwrap_or(defaults.ttl), scope: common.cache_scope.unwrap_or(defaults.scope) };
        Some(Self { template, pattern, reader, hints })
    }

    /// The read of a URI, if its text matches; the rejection if a value in it is not safe (L1.10).
    pub(crate) fn read(&self, uri: &Candidate<'_>) -> Option<Result<Read, Rejection>> {
        self.run(uri, &self.reader)
    }

    /// What decides whether a client may subscribe: the author's check, else the read.
    pub(crate) fn probe(&self, uri: &Candidate<'_>) -> Option<Result<Read, Rejection>> {
        let check = self.template.definition().check.as_ref();
        self.run(uri, check.map_or(&self.reader, |check| &check.reader))
    }

    fn run(&self, uri: &Candidate<'_>, reader: &TemplateReader) -> Option<Result<Read, Rejection>> {
        let values = match self.pattern.matches_candidate(uri) {
            Match::No => return None,
            Match::Unknown => return Some(Err(Rejection::UnknownResource { uri: uri.as_str().to_owned() })),
            Match::Values(values) => values,
        };
        let uri = Text::from(uri.as_str().to_owned());
        let (reader, is_single) = (reader.clone(), self.pattern.variables().len() == 1);
        let bound = Arc::new(move |cx| reader(cx, &values, is_single));
        let resource = Resource::of(self.template.definition().common.instance(uri));
        Some(Ok(Read::new(resource, bound, self.hints)))
    }

    pub(crate) fn listing(&self) -> &Listing {
        &self.template.definition().common.listing
    }

    /// If the text of a URI matches: what is served there, with the key of its values, which all spellings of them share. Nothing if a
    /// value is not safe.
    pub(crate) fn resolve(&self, uri: &Candidate<'_>) -> Option<Served> {
        match self.pattern.matches_candidate(uri) {
            Match::No => None,
            Match::Unknown => Some(Served::Nothing),
            Match::Values(values) => Some(Served::Instance(self.pattern.key(&values))),
        }
    }

    /// For the list of resources, if it lists its own.
    pub(crate) fn lister(&self) -> Option<Lister> {
        self.template.lister(self.is_public())
    }

    /// Whether a variable can be completed.
    pub(crate) fn has_completers(&self) -> bool {
        !self.template.definition().completers.is_empty()
    }

    /// The completion of a variable.
    pub(crate) fn complete(&self, call: &Complete<'_>, era: &Era) -> Result<Found, Rejection> {
        let variables = self.pattern.variables();
        let completable = Completable {
            reference: self.key(),
            noun: "variable",
            names: variables.iter().map(Variable::name).collect(),
            completers: &self.template.definition().completers,
        };
        let variable = variables.iter().find(|variable| variable.name() == call.name).cloned();
        let problem = move |value: &str| Some(variable.as_ref()?.check(value).err()?.to_string());
        completable.complete(call, Box::new(problem), era)
    }
}

impl Entry for TemplateEntry {
    const LIST: &'static [u8] = b"\"resourceTemplates\":[";
    const SHAPES: usize = Fields::SHAPES;

    fn key(&self) -> &Text {
        &self.template.definition().common.listing.uri
    }

    fn is_public(&self) -> bool {
        self.hints.scope == CacheScope::Public
    }

    fn shape(era: &Era) -> usize {
        era.fields.slot
    }

    fn write(&self, out: &mut Vec<u8>, era: &Era) {
        write_entry(out, "uriTemplate", &self.template.definition().common.listing, era.fields);
    }
}
