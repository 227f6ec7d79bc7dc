//! Agent Skills over MCP (SEP-2640): directories of files that a host finds by name, verifies by digest and reads as
//! resources.
//!
//! ```
//! use grange_core::Server;
//! use grange_skills::{Skill, Skills};
//!
//! let close = Skill::new("ledger-close", [
//!     ("SKILL.md", "---\nname: ledger-close\ndescription: Close the monthly ledger.\n---\n\nFollow references/steps.md.\n"),
//!     ("references/steps.md", "1. Lock\n"),
//! ]);
//! let server = Server::builder("ledger", "1.0.0").extension(Skills::new([close])).build()?;
//! # Ok::<(), grange_core::BuildError>(())
//! ```
//!
//! **Bytes and digests come from one snapshot**, taken when the skill is created: later changes on the disk do not
//! affect what is served. All errors in all skills are reported by the server's `build()`. Valid skills that some hosts
//! ignore ([`grange_skill_format::Lint`]) give a warning there.
//!
//! `grange-skill-format` has the rules for a valid skill; this crate serves it.

mod catalog;
mod content;
mod cursor;
mod entry;
mod folders;
mod skill;
mod skills;

#[cfg(test)]
mod tests;

pub use content::FileContent;
pub use skill::Skill;
pub use skills::Skills;
