//! Skills whose files are generated when they are read.

use grange_core::Resource;
use grange_skills::{Skill, Skills};
use serde_json::json;

use super::{clients, errors, server, skill, skill_md};
use crate::raw;

fn generated(uri: &'static str) -> Resource {
    let builder = Resource::builder().uri(uri).name("duty/today.md").mime_type("text/markdown");
    builder.read(|_cx| async { Ok("On duty: Ada.") }).build()
}

fn duty(resources: impl IntoIterator<Item = Resource>) -> Skill {
    Skill::dynamic("duty", skill_md("duty"), resources)
}

#[tokio::test]
async fn c2_a_dynamic_skill_is_listed_without_digests() {
    let skills = Skills::new([duty([generated("skill://duty/notes/today.md")])]).directory_read();
    for mut client in clients(&server(skills)).await {
        let list = client.request("skills/list", json!({})).await.unwrap();
        let entry = json!([{
            "uri": "skill://duty/SKILL.md",
            "frontmatter": { "name": "duty", "description": "Does duty." },
            "resources": "dynamic",
        }]);
        assert_eq!(list["skills"], entry);
        assert_eq!(client.read("skill://duty/notes/today.md").await.unwrap().text(), Some("On duty: Ada."));
        assert_eq!(client.read("skill://duty/SKILL.md").await.unwrap().text(), Some(&*skill_md("duty")));
        let notes = json!({ "uri": "skill://duty/notes" });
        let notes = client.request("resources/directory/read", notes).await.unwrap();
        let today =
            json!([{ "uri": "skill://duty/notes/today.md", "name": "duty/today.md", "mimeType": "text/markdown" }]);
        assert_eq!(notes["resources"], today);
        assert_eq!(client.list().await.unwrap().len(), 2);
    }
}

#[test]
fn c2_a_complete_skill_cannot_contain_a_generated_file() {
    let inner = || Skill::dynamic("ops/duty", skill_md("duty"), [generated("skill://ops/duty/today.md")]);
    assert_eq!(
        errors([skill("ops", &[]), inner()]),
        [
            "skill `ops`: `skill://ops/duty/today.md` inside it is generated, so it has no digest: make this one dynamic too"
        ]
    );
    let server = server(Skills::new([Skill::dynamic("ops", skill_md("ops"), []), inner()]));
    assert_eq!(raw::modern(&server, "skills/list", json!({})).result()["skills"].as_array().unwrap().len(), 2);
}

#[test]
fn c8_10_a_generated_file_needs_a_valid_path_in_its_skill() {
    assert_eq!(
        errors([duty([
            generated("skill://other/today.md"),
            generated("docs://today"),
            generated("skill://duty"),
            generated("skill://duty/a/../b.md"),
        ])]),
        [
            "skill `duty`: resource `skill://other/today.md` is not under `skill://duty/`: give it such a URI",
            "skill `duty`: resource `docs://today` is not under `skill://duty/`: give it such a URI",
            "skill `duty`: resource `skill://duty` is not under `skill://duty/`: give it such a URI",
            "skill `duty`: resource `skill://duty/a/../b.md` has the segment `..`, which clients resolve: write the path \
             that it leads to",
        ]
    );
}

#[test]
fn c8_13_a_generated_file_must_not_collide() {
    let found = errors([duty([generated("skill://duty/SKILL.md")])]);
    let expected = "resource `skill://duty/SKILL.md`: the uri is declared twice, by `duty` and `duty/today.md`: give each \
                    resource its own";
    assert_eq!(found, [expected]);
    assert_eq!(
        errors([duty([generated("skill://duty/SKILL.md/today.md")])]),
        ["skill `duty`: file `SKILL.md` is a folder for `SKILL.md/today.md`: rename one of the two"]
    );
    assert_eq!(
        errors([duty([generated("skill://duty/skill.md")])]),
        [
            "skill `duty`: files `SKILL.md` and `skill.md` differ only in case, and are one file on many disks: rename one"
        ]
    );
    assert_eq!(
        errors([duty([generated("skill://duty/a.md"), generated("skill://duty/a.md")])]),
        ["skill `duty`: resource `skill://duty/a.md` is there twice: leave one out"]
    );
}
