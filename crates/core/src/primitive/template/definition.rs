//! The definition of a template.

use std::sync::{Arc, OnceLock};

use grange_uri::{TemplateError, UnknownQuery, Values, Variable};
use serde::Serialize;

use super::expand::expand;
use super::list_page::ListCode;
use crate::define::{Context, ExpandError};
use crate::primitive::completion::Completers;
use crate::primitive::resource::{BoxRead, Definition};

/// The definition behind a [`Template`](crate::Template).
#[derive(Clone, Default)]
pub(crate) struct TemplateDefinition {
    /// What all of its resources have. `listing.uri` is the template.
    pub(super) common: Definition,
    pub(super) unknown_query: UnknownQuery,
    pub(super) code: Option<Code>,
    /// Decides about subscriptions, in place of the reader.
    pub(super) check: Option<Code>,
    pub(super) completers: Completers,
    /// Lists its resources.
    pub(super) list: Option<ListCode>,
    /// The parsed template, from its first use on.
    pub(super) parsed: OnceLock<Result<grange_uri::Template, TemplateError>>,
}

/// The author's code.
#[derive(Clone)]
pub(super) struct Code {
    pub(super) reader: TemplateReader,
    /// The problems of the type of its arguments.
    pub(super) problems: fn(&[Variable]) -> Vec<String>,
}

/// Starts a read with the values of a URI. The flag states whether the template has one variable.
pub(super) type TemplateReader = Arc<dyn Fn(Context, &Values, bool) -> BoxRead + Send + Sync>;

impl TemplateDefinition {
    /// The parsed template.
    pub(super) fn pattern(&self) -> Result<&grange_uri::Template, &TemplateError> {
        let parse = || Ok(grange_uri::Template::parse(&self.common.listing.uri)?.unknown_query(self.unknown_query));
        self.parsed.get_or_init(parse).as_ref()
    }

    /// The URI with these values.
    pub(super) fn expand<A: Serialize + ?Sized>(&self, arguments: &A) -> Result<String, ExpandError> {
        let template = &*self.common.listing.uri;
        let invalid = |error| ExpandError::new(template, &format_args!("cannot be made, since the template {error}"));
        let pattern = self.pattern().map_err(invalid)?;
        expand(pattern, arguments)
    }

    /// The problems of the definition, each with its remedy.
    pub(super) fn problems(&self) -> Vec<String> {
        let mut problems = self.common.common_problems("template");
        match self.pattern() {
            Err(error) => problems.push(format!("uri {error}")),
            Ok(pattern) => {
                problems
                    .extend(self.code.iter().chain(&self.check).flat_map(|code| (code.problems)(pattern.variables())));
                let names: Vec<_> = pattern.variables().iter().map(Variable::name).collect();
                problems.extend(self.completers.problems("variable of the uri", &names));
            }
        }
        if self.code.is_none() {
            problems.push("there is no reader: give the template `read`".to_owned());
        }
        problems
    }
}
