//! The part of a definition that the checks of `build()` and of a shelf use, the same for every primitive.

use std::collections::HashMap;

use super::definition_error::DefinitionError;
use super::extended::ExtensionParts;

/// A definition that an author gives to a server.
pub(crate) trait Declared {
    /// The name of the primitive in an error, as `resource`.
    const NOUN: &'static str;

    /// The key with which clients name it: a URI or a name.
    fn key(&self) -> &str;

    /// The problems of the definition, each with its remedy.
    fn problems(&self) -> Vec<String>;

    /// The problem of this definition and an earlier one with the same key, with the remedy.
    fn duplicate(&self, first: &Self) -> String;

    /// The data that extensions have added to it.
    fn parts(&self) -> &ExtensionParts;
}

/// The problems of definitions of one primitive.
pub(crate) fn definition_errors<'a, D: Declared + 'a>(
    definitions: impl Iterator<Item = &'a D>,
) -> Vec<DefinitionError> {
    let mut errors = Vec::new();
    let mut seen: HashMap<&str, &D> = HashMap::new();
    for definition in definitions {
        let error = |problem| DefinitionError::new(format!("{} `{}`", D::NOUN, definition.key()), problem);
        errors.extend(definition.problems().into_iter().map(error));
        if let Some(first) = seen.insert(definition.key(), definition) {
            errors.push(error(definition.duplicate(first)));
        }
    }
    errors
}
