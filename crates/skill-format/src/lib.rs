//! The rules for a valid skill: its name, its paths, the frontmatter of its SKILL.md, and the MIME types of its files.
//!
//! One function per rule, over bytes and strings: [`Frontmatter::parse`], [`check_skill_name`], [`check_skill_path`],
//! [`check_file_path`], [`check_file_set`], [`mime_type`]; [`check_skill`] runs them all. They are in one crate so that
//! a skill that a macro embeds and one from run time have the same rules and the same error texts.
//!
//! Frontmatter is YAML, and hosts read it by two versions of YAML. The result here is YAML 1.2, core schema. A value
//! that a YAML 1.1 host reads differently is a [`Lint`], because such a host ignores the skill without an error.
//!
//! [`Directory`] and [`Pattern`] decide which files are left out and which are included, for the macro and the runtime
//! alike. Only [`Directory`] reads a disk.
//!
//! This crate computes no digests and has no protocol.
//!
//! ```
//! use grange_skill_format::{Frontmatter, check_file_path};
//!
//! let skill_md = b"---\nname: ledger-close\ndescription: Close the monthly ledger.\n---\n\n# Close\n";
//! let frontmatter = Frontmatter::parse(skill_md)?;
//! assert!(frontmatter.check_path("ops/ledger-close").is_ok());
//! assert!(check_file_path("references/steps.md").is_ok());
//!
//! let error = Frontmatter::parse(b"---\nname: 1\n---\n").unwrap_err();
//! assert_eq!(error.to_string(), "line 2: `name` is an integer, not a string: quote it");
//! # Ok::<(), grange_skill_format::FrontmatterError>(())
//! ```

mod directory;
mod frontmatter;
mod path;

mod check;
mod error;
mod lint;
mod mime;
mod name;
mod pattern;

mod yaml;

mod excerpt;

#[cfg(test)]
mod tests;

pub use check::check_skill;
pub use directory::{Directory, left_out_warning};
pub use error::{FrontmatterError, FrontmatterFault};
pub use frontmatter::Frontmatter;
pub use lint::{Lint, LintKind};
pub use mime::mime_type;
pub use name::{NameError, check_skill_name};
pub use path::{FileSetError, PathError, check_file_path, check_file_set, check_skill_path, skill_name};
pub use pattern::{Pattern, PatternError};
