//! The names of `ai.nimblebrain/host-resources`, as they stand in messages.

/// The extension, among the capabilities.
pub(super) const KEY: &str = "ai.nimblebrain/host-resources";
/// The method that reads a file.
pub(super) const READ: &str = "ai.nimblebrain/resources/read";
/// The method that lists files.
pub(super) const LIST: &str = "ai.nimblebrain/resources/list";
/// The one scheme that hosts serve.
pub(super) const SCHEME: &str = "files";
