//! The part of a definition that the checks of `build()` use, the same for every primitive.

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
