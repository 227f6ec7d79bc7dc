//! Skills inside skills, unlisted skills, and skills with the same name.

use grange_skills::{Skill, Skills};
use serde_json::{Value, json};

use super::{errors, server, skill, skill_md};
use crate::raw;

fn entry(skills: Skills, uri: &str) -> Value {
    raw::modern(&server(skills), "skills/get", json!({ "uri": uri })).result()["skill"].take()
}

fn files(entry: &Value) -> Vec<&str> {
    entry["resources"].as_array().unwrap().iter().map(|file| file["uri"].as_str().unwrap()).collect()
}

fn three() -> [Skill; 3] {
    [
        skill("ops/keys/rotate", &[("order.md", "db\n")]),
        skill("ops", &[("notes.md", "ops\n")]),
        skill("ops/keys", &[("all.md", "all\n")]),
    ]
}

#[test]
fn c2_a_skill_lists_the_files_of_the_skills_inside_it() {
    let all = [
        "skill://ops/SKILL.md",
        "skill://ops/keys/SKILL.md",
        "skill://ops/keys/all.md",
        "skill://ops/keys/rotate/SKILL.md",
        "skill://ops/keys/rotate/order.md",
        "skill://ops/notes.md",
    ];
    assert_eq!(files(&entry(Skills::new(three()), "skill://ops/SKILL.md")), all);
    assert_eq!(files(&entry(Skills::new(three()), "skill://ops/keys/SKILL.md")), all[1..5]);
    assert_eq!(files(&entry(Skills::new(three()), "skill://ops/keys/rotate/SKILL.md")), all[3..5]);
}

#[test]
fn c4_the_innermost_skill_names_a_file() {
    let list = raw::modern(&server(Skills::new(three())), "resources/list", json!({})).result();
    let names: Vec<&str> =
        list["resources"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["ops", "keys", "keys/all.md", "rotate", "rotate/order.md", "ops/notes.md"]);
}

#[test]
fn c2_nested_skills_serve_each_file_once() {
    let inner = skill_md("keys");
    let outer = skill("ops", &[("keys/SKILL.md", &inner), ("keys/all.md", "all\n")]);
    let server = server(Skills::new([outer, skill("ops/keys", &[("all.md", "all\n")])]));
    assert_eq!(server.warnings(), [""; 0]);
    let list = raw::modern(&server, "resources/list", json!({})).result();
    let names: Vec<&Value> = list["resources"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["ops", "keys", "keys/all.md"]);
}

#[test]
fn c2_a_nested_skill_md_without_a_skill_gives_a_warning() {
    let inner = skill_md("keys");
    let outer = || skill("ops", &[("tools/keys/SKILL.md", &inner)]);
    assert_eq!(
        server(Skills::new([outer()])).warnings(),
        ["skill `ops`: `ops/tools/keys` inside it has a SKILL.md and is no skill: add it as one, at that path"]
    );
    let both = Skills::new([outer(), skill("ops/tools/keys", &[])]);
    assert_eq!(server(both).warnings(), [""; 0]);
}

#[test]
fn c4_two_skills_with_the_same_name_give_a_warning() {
    let server = server(Skills::new(["acme/refunds", "refunds"].map(|path| skill(path, &[]))));
    assert_eq!(
        server.warnings(),
        ["skill `refunds`: has the name of `acme/refunds`: a host may show only one of them"]
    );
    let list = raw::modern(&server, "skills/list", json!({})).result();
    assert_eq!(list["skills"].as_array().unwrap().len(), 2);
}

#[test]
fn c3_an_unlisted_skill_can_be_got_and_read() {
    let server =
        server(Skills::new([skill("shown", &[]), skill("known", &[("a.md", "a")]).unlisted()]).directory_read());
    let list = raw::modern(&server, "skills/list", json!({})).result();
    let uris: Vec<&Value> = list["skills"].as_array().unwrap().iter().map(|one| &one["uri"]).collect();
    assert_eq!(uris, ["skill://shown/SKILL.md"]);
    let got = raw::modern(&server, "skills/get", json!({ "uri": "skill://known/SKILL.md" })).result();
    assert_eq!(files(&got["skill"]), ["skill://known/SKILL.md", "skill://known/a.md"]);
    assert_eq!(
        raw::modern(&server, "resources/read", json!({ "uri": "skill://known/a.md" })).result()["contents"][0]["text"],
        "a"
    );
    assert!(server.uris().any(|uri| uri == "skill://known/a.md"));
    raw::modern(&server, "resources/directory/read", json!({ "uri": "skill://known" })).result();
}

#[test]
fn c3_a_list_of_unlisted_skills_is_empty() {
    let server = server(Skills::new([skill("known", &[]).unlisted()]).page_size(1));
    let list = raw::modern(&server, "skills/list", json!({})).result();
    assert_eq!((&list["skills"], list.get("nextCursor")), (&json!([]), None));
    assert_eq!(raw::modern(&server, "skills/list", json!({ "cursor": "0" })).code(), -32602);
}

#[test]
fn c8_13_files_of_nested_skills_must_not_collide() {
    assert_eq!(
        errors([skill("ops", &[("keys", "a file")]), skill("ops/keys", &[])]),
        ["skill `ops`: file `keys` is a folder for `keys/SKILL.md`: rename one of the two"]
    );
    assert_eq!(
        errors([skill("ops", &[("keys/A.md", "A")]), skill("ops/keys", &[("a.md", "a")])]),
        [
            "skill `ops`: files `keys/A.md` and `keys/a.md` differ only in case, and are one file on many disks: rename one",
            "skill `ops/keys`: files `A.md` and `a.md` differ only in case, and are one file on many disks: rename one",
        ]
    );
}
