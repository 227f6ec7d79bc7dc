//! The check of several templates together: an earlier one must leave URIs to each later one.

use super::builder::Template;
use crate::define::DefinitionError;

/// The problems of templates that no client could reach, since an earlier one matches all of their URIs.
pub(crate) fn ambiguous(templates: &[Template]) -> Vec<DefinitionError> {
    let mut errors = Vec::new();
    let parsed: Vec<_> = templates.iter().filter_map(|template| Some((template, template.pattern().ok()?))).collect();
    for (at, (template, pattern)) in parsed.iter().enumerate() {
        let hides = |(_, earlier): &&(&Template, &grange_uri::Template)| {
            earlier.as_str() != pattern.as_str() && (earlier.same_shape(pattern) || earlier.covers(pattern))
        };
        if let Some((earlier, _)) = parsed[..at].iter().find(hides) {
            let (uri, first) = (template.uri_template(), earlier.uri_template());
            let problem =
                format!("`{first}` comes first and matches all of its URIs: register this one before it, or remove it");
            errors.push(DefinitionError::new(format!("template `{uri}`"), problem));
        }
    }
    errors
}
