//! The definition of a template.

use std::sync::Arc;

use grange_uri::{UnknownQuery, Values, Variable};

use crate::define::Context;
use crate::primitive::completion::Completers;
use crate::primitive::resource::{BoxRead, Definition};

/// The definition behind a [`Template`](crate::Template).
#[derive(Clone, Default)]
pub(crate) struct TemplateDefinition {
    /// What all of its resources have. `listing.uri` is the template.
    pub(super) common: Definition,
    pub(super) unknown_query: UnknownQuery,
    pub(super) code: Option<Code>,
    pub(super) completers: Completers,
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
    pub(super) fn pattern(&self) -> Result<grange_uri::Template, grange_uri::TemplateError> {
        let pattern = grange_uri::Template::parse(&self.common.listing.uri)?;
        Ok(pattern.unknown_query(self.unknown_query))
    }

    /// The problems of the definition, each with its remedy.
    pub(super) fn problems(&self) -> Vec<String> {
        let mut problems = self.common.common_problems("template");
        match self.pattern() {
            Err(error) => problems.push(format!("uri {error}")),
            Ok(pattern) => {
                problems.extend(self.code.iter().flat_map(|code| (code.problems)(pattern.variables())));
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
