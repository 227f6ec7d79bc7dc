//! How much one block of frontmatter may be: the bounds that are checked here and named in errors.

/// Most levels of lists and mappings.
pub(crate) const MAX_DEPTH: usize = 64;
/// Most aliases, those inside what an alias stands for counted each time. As many as npm `yaml` expands.
pub(crate) const MAX_ALIASES: usize = 100;
/// Most bytes that aliases add.
pub(crate) const MAX_ALIASED: usize = 64 * 1024;
