//! The checks that `build()` makes of the extension data of definitions of every primitive. Not here: the problems of the definitions
//! (`define/declared.rs`, `primitive/*/definition.rs`).

use std::collections::HashMap;

use crate::define::{Declared, DefinitionError, ExtensionParts};
use crate::model::Text;

/// The extension data of one definition, with the subject of its problems: a kind and a name.
pub(super) type Part<'a> = ((&'static str, &'a str), &'a ExtensionParts);

/// The extension data of the definitions of one primitive.
pub(super) fn parts<'a, D: Declared + 'a>(definitions: impl Iterator<Item = &'a D>) -> impl Iterator<Item = Part<'a>> {
    definitions.map(|definition| ((D::NOUN, definition.key()), definition.parts()))
}

/// The problems of links between definitions: the linked resource is missing, or has no data of the same extension.
pub(super) fn links<'a>(
    parts: impl Iterator<Item = Part<'a>>,
    linkable: impl Iterator<Item = (&'a str, &'a ExtensionParts)>,
) -> Vec<DefinitionError> {
    let links = parts.flat_map(|(subject, parts)| {
        parts.iter().flat_map(move |part| part.links.iter().map(move |link| (subject, link, part.extension)))
    });
    let links: Vec<_> = links.collect();
    if links.is_empty() {
        return Vec::new();
    }
    let known: HashMap<&str, &ExtensionParts> = linkable.collect();
    let problem = |link: &str, extension: &str| match known.get(link) {
        Some(parts) if parts.has(extension) => None,
        Some(_) => Some(format!("it links `{link}`, which is no resource of `{extension}`: make it one")),
        None => Some(format!("it links `{link}`, which is not registered: add it with `.resource(…)`")),
    };
    let error = |((kind, name), link, extension): ((&str, &str), &Text, &str)| {
        Some(DefinitionError::new(format!("{kind} `{name}`"), problem(link, extension)?))
    };
    links.into_iter().filter_map(error).collect()
}
