//! What is embedded is what the directory has, and a strict crate has nothing to complain about.

#![deny(warnings, missing_docs, unsafe_code, unused, unused_qualifications, unreachable_pub, future_incompatible)]
#![deny(nonstandard_style, rust_2018_idioms, let_underscore, single_use_lifetimes, trivial_casts, unused_results)]

use grange::skills::{Skill, Skills};
use grange::{Server, skill};

/// At its own name.
pub fn tasks() -> Skill {
    skill!("skills/tasks")
}

fn main() -> grange::Result<()> {
    let skills = [tasks(), skill!("skills/tasks", at: "acme/tasks"), skill!("skills/tasks", at: "acme/old/tasks",)];
    let server = Server::builder("tasks", "1.0.0").extension(Skills::new(skills)).build()?;
    let files = ["SKILL.md", "assets/mark.bin", "references/states.md"];
    let roots = ["skill://acme/old/tasks", "skill://acme/tasks", "skill://tasks"];
    let mut expected: Vec<String> =
        roots.iter().flat_map(|root| files.iter().map(move |file| format!("{root}/{file}"))).collect();
    expected.sort();
    assert_eq!(server.uris().collect::<Vec<_>>(), expected);
    Ok(())
}
