//! `Skill::from_dir`: what is read of a directory, what is passed over, and what is refused.

use std::fs;
use std::path::{Path, PathBuf};

use grange_core::Server;
use serde_json::json;
use tempfile::TempDir;

use super::{Client, clients, mistakes, serve, skill_md};
use crate::Skill;

/// A directory `tasks` with a SKILL.md, and what holds it.
fn tasks() -> (TempDir, PathBuf) {
    let holder = tempfile::tempdir().unwrap();
    let root = holder.path().join("tasks");
    fs::create_dir(&root).unwrap();
    write(&root, "SKILL.md", skill_md("tasks"));
    (holder, root)
}

fn write(root: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
}

/// The paths inside the one skill that is listed.
fn listed(server: &Server) -> Vec<String> {
    let list = clients(server)[0].result("skills/list", json!({}));
    let files = list["skills"][0]["resources"].as_array().unwrap();
    let path = |uri: &str| uri.strip_prefix("skill://tasks/").unwrap().to_owned();
    files.iter().map(|file| path(file["uri"].as_str().unwrap())).collect()
}

#[test]
fn c8_what_is_hidden_or_of_a_cache_is_passed_over() {
    let (_holder, root) = tasks();
    for path in [
        "references/steps.md",
        "a.txt",
        ".env",
        ".git/config",
        "scripts/.secret",
        "scripts/__pycache__/check.pyc",
        "__pycache__/x",
        "__pycache__.md",
        "scripts/check.py",
    ] {
        write(&root, path, path);
    }
    fs::create_dir(root.join("empty")).unwrap();
    let server = serve([Skill::from_dir(&root)]);
    let expected = ["SKILL.md", "__pycache__.md", "a.txt", "references/steps.md", "scripts/check.py"];
    assert_eq!(listed(&server), expected);
    assert_eq!(server.uris().count(), expected.len());
}

#[test]
fn c8_1_the_name_is_the_directorys_however_it_is_given() {
    let (_holder, root) = tasks();
    for path in [root.clone(), root.join("."), root.join("../tasks"), root.join("")] {
        let server = serve([Skill::from_dir(&path)]);
        assert_eq!(server.uris().collect::<Vec<_>>(), ["skill://tasks/SKILL.md"], "{}", path.display());
    }
    let server = serve([Skill::from_dir(&root).at("acme/tasks")]);
    assert_eq!(server.uris().collect::<Vec<_>>(), ["skill://acme/tasks/SKILL.md"]);
}

#[test]
fn c8_1_a_directory_that_is_none() {
    let (holder, root) = tasks();
    for missing in [holder.path().join("none"), root.join("SKILL.md")] {
        let name = missing.file_name().unwrap().to_str().unwrap();
        let found = mistakes(Skill::from_dir(&missing));
        let (start, end) = (format!("skill `{name}`: directory `"), "` cannot be read: ");
        // One mistake, and not that there is no SKILL.md as well.
        assert!(found.len() == 1 && found[0].starts_with(&start) && found[0].contains(end), "{found:?}");
    }
}

#[test]
fn what_changes_on_the_disk_changes_nothing_that_is_served() {
    let (holder, root) = tasks();
    write(&root, "a.txt", "a");
    write(&root, "b.txt", "b");
    let skill = Skill::from_dir(&root);
    write(&root, "a.txt", "changed before the server is built");
    let server = serve([skill]);
    let mut clients = clients(&server);
    let before = clients.each_mut().map(|client| client.result("skills/list", json!({})));
    fs::remove_file(root.join("b.txt")).unwrap();
    write(&root, "c.txt", "new");
    write(&root, "SKILL.md", "no skill any more");
    drop(holder);
    for (client, before) in clients.iter_mut().zip(before) {
        assert_eq!(client.result("skills/list", json!({})), before);
        assert_eq!(client.read("skill://tasks/a.txt"), b"a");
        assert_eq!(client.read("skill://tasks/b.txt"), b"b");
        assert_eq!(client.read("skill://tasks/SKILL.md"), skill_md("tasks").as_bytes());
        assert!(client.ask("resources/read", json!({ "uri": "skill://tasks/c.txt" }))["error"].is_object());
    }
}

#[test]
fn names_that_a_uri_would_escape_are_mistakes() {
    let (_holder, root) = tasks();
    write(&root, "read me.md", "");
    write(&root, "a/b#c.md", "");
    let found = mistakes(Skill::from_dir(&root));
    let subjects = ["skill `tasks`: file `a/b#c.md` has '#'", "skill `tasks`: file `read me.md` has a space"];
    assert_eq!(found.len(), 2);
    assert!(found.iter().zip(subjects).all(|(found, start)| found.starts_with(start)), "{found:?}");
}

#[cfg(unix)]
#[test]
fn c8_a_link_is_followed_to_a_file_inside_and_nowhere_else() {
    use std::os::unix::fs::symlink;

    let (holder, root) = tasks();
    write(&root, "notes/a.md", "inside");
    symlink("notes/a.md", root.join("linked.md")).unwrap();
    symlink(root.join("linked.md"), root.join("twice.md")).unwrap();
    let server = serve([Skill::from_dir(&root)]);
    assert_eq!(listed(&server), ["SKILL.md", "linked.md", "notes/a.md", "twice.md"]);
    assert_eq!(clients(&server)[0].read("skill://tasks/twice.md"), b"inside");

    write(holder.path(), "outside.txt", "secret=1");
    // A directory whose name only begins as the skill's does.
    write(holder.path(), "tasks-more/a.md", "secret=2");
    symlink("/etc/hostname", root.join("etc.txt")).unwrap();
    symlink("../../outside.txt", root.join("notes/out.txt")).unwrap();
    symlink("../tasks-more/a.md", root.join("more.md")).unwrap();
    symlink("notes", root.join("folder")).unwrap();
    symlink("..", root.join("up")).unwrap();
    symlink("none.md", root.join("broken.md")).unwrap();
    let mut found = mistakes(Skill::from_dir(&root));
    found.sort();
    let starts = [
        "link `broken.md` leads nowhere (",
        "link `etc.txt` leads out of the skill: put a copy of the file in its place",
        "link `folder` leads to a directory: put the files themselves in its place",
        "link `more.md` leads out of the skill: put a copy of the file in its place",
        "link `notes/out.txt` leads out of the skill: put a copy of the file in its place",
        "link `up` leads out of the skill: put a copy of the file in its place",
    ];
    assert_eq!(found.len(), starts.len(), "{found:#?}");
    for (found, start) in found.iter().zip(starts) {
        assert!(found.starts_with(&format!("skill `tasks`: {start}")), "{found}");
        assert!(!found.contains("secret"), "{found}");
    }
}

#[cfg(unix)]
#[test]
fn c8_a_root_that_is_a_link_is_the_directory_behind_it() {
    use std::os::unix::fs::symlink;

    let (holder, root) = tasks();
    let link = holder.path().join("other-name");
    symlink(&root, &link).unwrap();
    assert_eq!(listed(&serve([Skill::from_dir(&link)])), ["SKILL.md"]);
}

#[cfg(unix)]
#[test]
fn c8_a_pipe_is_passed_over_and_never_opened() {
    let (_holder, root) = tasks();
    let made = std::process::Command::new("mkfifo").arg(root.join("pipe.md")).status().unwrap();
    assert!(made.success());
    // Reading it would wait for a writer for ever.
    assert_eq!(listed(&serve([Skill::from_dir(&root)])), ["SKILL.md"]);
}

#[cfg(target_os = "linux")]
#[test]
fn c8_a_name_that_is_not_utf_8_is_a_mistake() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let (_holder, root) = tasks();
    fs::create_dir(root.join("notes")).unwrap();
    fs::write(root.join("notes").join(OsStr::from_bytes(b"caf\xe9.md")), "").unwrap();
    assert_eq!(
        mistakes(Skill::from_dir(&root)),
        ["skill `tasks`: `notes/caf\u{fffd}.md` has a name that is not UTF-8: rename it"]
    );
}

#[test]
fn a_file_that_is_added_to_a_nested_skill_is_of_both() {
    let (_holder, root) = tasks();
    write(&root, "tools/review/SKILL.md", skill_md("review"));
    write(&root, "tools/review/a.md", "a");
    let inner = Skill::from_dir(root.join("tools/review")).at("tasks/tools/review");
    let server = serve([Skill::from_dir(&root), inner]);
    assert_eq!(server.warnings(), [""; 0]);
    let mut client = Client::new(&server, grange_core::Revision::V2026_07_28);
    let list = client.result("skills/list", json!({}));
    let count = |skill: usize| list["skills"][skill]["resources"].as_array().unwrap().len();
    assert_eq!((count(0), count(1)), (3, 2));
}
