//! What a skill must be: its name, its paths, the frontmatter of its SKILL.md, and the MIME types of its files.
//!
//! One function a question, over bytes and strings: [`Frontmatter::parse`], [`check_skill_name`], [`check_skill_path`],
//! [`check_file_path`], [`check_file_set`], [`mime_type`]; and [`check_skill`] asks them all. They share a crate so that a skill embedded by a macro and one
//! built at run time meet the same rules and the same words.
//!
//! Frontmatter is YAML, and hosts read YAML by two versions of it. What is listed here is YAML 1.2, core schema; what a
//! host of YAML 1.1 would read differently is a [`Lint`], since such a host passes over the skill without a word to its
//! author.
//!
//! Which files of a [`Directory`] are left out, and how a [`Pattern`] takes them in, is one question for all three.
//!
//! No digest is taken, and nothing is known of a protocol. A disk is read only where it is asked for ([`Directory`]), by macro
//! and runtime alike.
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
