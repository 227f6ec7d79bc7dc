//! Agent Skills over MCP, one test per statement of the contract: declared, listed, read, and rejected if invalid. Uses
//! the engine with every message checked by the oracle, and HTTP where a status matters.
//!
//! The tests of SKILL.md are in `grange-skill-format`; those of directories and digests in `grange-skills`.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod cache;
mod declared;
mod directories;
mod dynamic;
mod files;
mod golden;
mod limits;
mod lists;
mod nested;
mod paths;
mod rejected;

use grange_core::Server;
use grange_skills::{Skill, Skills};

use crate::schema::clients;

const ID: &str = "io.modelcontextprotocol/skills";

const LEDGER_CLOSE: &str = "\
---
name: ledger-close
description: Close the monthly ledger. Use when month end is near.
license: MIT
metadata:
  version: \"1.4.0\"
  since: 2026-03-31
  strict: true
  draft: no
  retries: 017
---

# Close

Follow references/steps.md.
";

const ROTATE_KEYS: &str = "---\nname: rotate-keys\ndescription: Rotate service keys.\n---\n\nRead `notes/order.md`.\n";

fn ledger_close() -> Skill {
    let files: [(&str, &[u8]); 5] = [
        ("scripts/check.py", b"print('ok')\n"),
        ("SKILL.md", LEDGER_CLOSE.as_bytes()),
        ("references/steps.md", b"# Steps\r\n1. Lock\r\n"),
        ("references/blank.txt", b""),
        ("assets/mark.bin", &[0x89, 0x42, 0x49, 0x4e, 0x00, 0xff]),
    ];
    Skill::new("ledger-close", files)
}

fn rotate_keys() -> Skill {
    Skill::new("ops/oncall/rotate-keys", [("SKILL.md", ROTATE_KEYS), ("notes/order.md", "db, then api\n")])
}

/// A SKILL.md with only a name and a description.
fn skill_md(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n---\n")
}

/// A skill at that path, with a SKILL.md and these files.
fn skill(path: &str, files: &[(&str, &str)]) -> Skill {
    let name = path.rsplit('/').next().unwrap_or(path);
    let files = files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned()));
    Skill::new(path, [("SKILL.md".to_owned(), skill_md(name))].into_iter().chain(files))
}

fn server(skills: Skills) -> Server {
    Server::builder("ledger", "1.0.0").extension(skills).build().unwrap()
}

/// The errors of `build()`.
fn errors(skills: impl IntoIterator<Item = Skill>) -> Vec<String> {
    let error = Server::builder("t", "1").extension(Skills::new(skills)).build().expect_err("the build must fail");
    error.errors().iter().map(ToString::to_string).collect()
}
