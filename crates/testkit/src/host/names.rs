//! The names of `ai.nimblebrain/host-resources` in messages.

/// The extension's key in the capabilities.
pub(super) const KEY: &str = "ai.nimblebrain/host-resources";
/// The method that reads a file.
pub(super) const READ: &str = "ai.nimblebrain/resources/read";
/// The method that lists files.
pub(super) const LIST: &str = "ai.nimblebrain/resources/list";
/// The only scheme that hosts serve.
pub(super) const SCHEME: &str = "files";
