//! Agent Skills over MCP: directories with a `SKILL.md`, served as resources.
//!
//! ```
//! use grange::skills::{Skill, Skills};
//! use grange::Server;
//!
//! # fn main() -> grange::Result<()> {
//! let greet = Skill::new("greet", [("SKILL.md", "---\nname: greet\ndescription: Greets.\n---\nSay hello.\n")]);
//! let server = Server::builder("greetings", "1.0.0").extension(Skills::new([greet])).build()?;
//! # Ok(())
//! # }
//! ```

pub use grange_skills::{FileContent, Skill, Skills};
