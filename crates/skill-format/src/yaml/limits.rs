//! The limits of one block of frontmatter that are checked here and named in errors.

/// The maximum depth of lists and mappings.
pub(crate) const MAX_DEPTH: usize = 64;
/// The maximum number of aliases, nested ones included. npm `yaml` has the same limit.
pub(crate) const MAX_ALIASES: usize = 100;
/// The maximum number of bytes that aliases add.
pub(crate) const MAX_ALIASED: usize = 64 * 1024;
