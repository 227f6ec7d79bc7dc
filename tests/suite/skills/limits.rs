//! C6: more than every host must accept gives a warning; the exact limit does not.

use grange_core::Server;
use grange_skills::{Skill, Skills};

use super::{server, skill_md};

const FILES: usize = 512;
const BYTES: usize = 16 * 1024 * 1024;

fn warnings(skills: impl IntoIterator<Item = Skill>) -> Vec<String> {
    Server::warnings(&server(Skills::new(skills))).to_vec()
}

/// A skill with that many files.
fn of_files(path: &str, count: usize) -> Skill {
    let others = (1..count).map(|number| (format!("{number}.txt"), String::new()));
    let name = path.rsplit('/').next().unwrap_or(path);
    Skill::new(path, [("SKILL.md".to_owned(), skill_md(name))].into_iter().chain(others))
}

/// A skill with that many bytes.
fn of_bytes(count: usize) -> Skill {
    let skill_md = skill_md("large").into_bytes();
    let rest = vec![b' '; count - skill_md.len()];
    Skill::new("large", [("SKILL.md", skill_md), ("rest.txt", rest)])
}

#[test]
fn c6_more_than_512_files_give_a_warning() {
    assert_eq!(warnings([of_files("many", FILES)]), [""; 0]);
    let expected = "skill `many`: has 513 files, and a host need not take more than 512: serve fewer";
    assert_eq!(warnings([of_files("many", FILES + 1)]), [expected]);
}

#[test]
fn c6_files_of_inner_skills_count() {
    let expected = "skill `many`: has 513 files, and a host need not take more than 512: serve fewer";
    assert_eq!(warnings([of_files("many", FILES), of_files("many/inner", 1)]), [expected]);
    // Skills beside each other are counted separately.
    assert_eq!(warnings([of_files("many", FILES), of_files("more", FILES)]), [""; 0]);
}

#[test]
fn c6_more_than_16_mib_give_a_warning() {
    assert_eq!(warnings([of_bytes(BYTES)]), [""; 0]);
    let expected = "skill `large`: has 16777217 bytes, and a host need not take more than 16777216: serve fewer";
    assert_eq!(warnings([of_bytes(BYTES + 1)]), [expected]);
}
