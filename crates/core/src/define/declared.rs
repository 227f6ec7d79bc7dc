//! What the checks of `build()` need of a definition, whatever primitive it is of.

use super::extended::ExtensionParts;

/// A definition that an author gives to a server.
pub(crate) trait Declared {
    /// What it is called in a mistake: `resource`.
    const NOUN: &'static str;

    /// By which clients name it.
    fn key(&self) -> &str;

    /// What is wrong with it, each fault with its remedy.
    fn faults(&self) -> Vec<String>;

    /// What is wrong with this one and another of the same key, with the remedy.
    fn duplicate(&self, first: &Self) -> String;

    /// What extensions have put on it.
    fn parts(&self) -> &ExtensionParts;
}
