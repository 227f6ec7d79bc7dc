//! `Skill::from_dir`: the files that it reads, leaves out and rejects.

use std::fs;
use std::path::{Path, PathBuf};

use grange_core::Server;
use serde_json::json;
use tempfile::TempDir;

use super::{Client, clients, errors, serve, skill_md};
use crate::Skill;

/// A directory `tasks` with a SKILL.md, and the temporary directory around it.
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

/// The paths inside the only listed skill.
fn listed(server: &Server) -> Vec<String> {
    let list = clients(server)[0].result("skills/list", json!({}));
    let files = list["skills"][0]["resources"].as_array().unwrap();
    let path = |uri: &str| uri.strip_prefix("skill://tasks/").unwrap().to_owned();
    files.iter().map(|file| path(file["uri"].as_str().unwrap())).collect()
}

/// The warning about files that were left out.
fn left_out(paths: &[&str]) -> String {
    let names: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    let remedy = "(what begins with a dot, or is no file): name with `include` what belongs to the skill";
    format!("skill `tasks`: leaves out {} {remedy}", names.join(", "))
}

#[test]
fn c8_hidden_files_are_left_out_with_a_warning_and_caches_without() {
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
        "scripts/.git",
        ".DS_Store",
        "references/.DS_Store",
        ".github/workflows/a.yml",
        ".github/b.yml",
        "templates/_rels/.rels",
        "templates/_rels/a.rels",
    ] {
        write(&root, path, path);
    }
    fs::create_dir(root.join("empty")).unwrap();
    let server = serve([Skill::from_dir(&root)]);
    let expected =
        ["SKILL.md", "__pycache__.md", "a.txt", "references/steps.md", "scripts/check.py", "templates/_rels/a.rels"];
    // A folder is named once, not each file in it.
    let warning = left_out(&[".env", ".github/", "scripts/.secret", "templates/_rels/.rels"]);
    assert_eq!(server.warnings(), [warning]);
    assert_eq!(listed(&server), expected);
    assert_eq!(server.uris().count(), expected.len());
}

#[test]
fn c8_include_adds_matching_files_and_the_warning_names_the_rest() {
    let (_holder, root) = tasks();
    for path in [
        "_rels/.rels",
        "a/_rels/.rels",
        "assets/.env.example",
        "assets/.env",
        ".github/a.yml",
        ".github/x/b.yml",
        ".git/c",
    ] {
        write(&root, path, path);
    }
    let all = [".github/", "_rels/.rels", "a/_rels/.rels", "assets/.env", "assets/.env.example"];
    let outcome = |skill: Skill| {
        let server = serve([skill]);
        let warnings = server.warnings().to_vec();
        (listed(&server).into_iter().filter(|path| path != "SKILL.md").collect::<Vec<_>>(), warnings)
    };
    assert_eq!(outcome(Skill::from_dir(&root)), (vec![], vec![left_out(&all)]));
    for (patterns, expected, rest) in [
        (
            &["_rels/.rels"][..],
            &["_rels/.rels"][..],
            &[".github/", "a/_rels/.rels", "assets/.env", "assets/.env.example"][..],
        ),
        (&["**/.rels"], &["_rels/.rels", "a/_rels/.rels"], &[".github/", "assets/.env", "assets/.env.example"]),
        (
            &["assets/*.example", "**/_rels/*"],
            &["_rels/.rels", "a/_rels/.rels", "assets/.env.example"],
            &[".github/", "assets/.env"],
        ),
        // If some files of a folder are included, the warning names each of the others.
        (
            &[".github/*", "**/.*"],
            &[".github/a.yml", "_rels/.rels", "a/_rels/.rels", "assets/.env", "assets/.env.example"],
            &[".github/x/b.yml"],
        ),
        (&["SKILL.md"], &[], &all),
    ] {
        let skill = patterns.iter().fold(Skill::from_dir(&root), Skill::include);
        let mut expected: Vec<String> = expected.iter().map(|path| (*path).to_owned()).collect();
        expected.sort();
        assert_eq!(outcome(skill), (expected, vec![left_out(rest)]), "{patterns:?}");
    }
    let (files, warnings) = outcome(Skill::from_dir(&root).include("**").at("tasks"));
    // Files that are left out without a warning are never included.
    let expected =
        [".github/a.yml", ".github/x/b.yml", "_rels/.rels", "a/_rels/.rels", "assets/.env", "assets/.env.example"];
    assert_eq!((files, warnings), (expected.map(str::to_owned).to_vec(), vec![]));
    let server = serve([Skill::from_dir(&root).include("_rels/.rels")]);
    assert_eq!(clients(&server)[1].read("skill://tasks/_rels/.rels"), b"_rels/.rels");
}

#[test]
fn c8_an_include_without_a_match_is_an_error() {
    let (_holder, root) = tasks();
    for path in ["assets/.env.example", ".github/a.yml", ".git/config", "notes/a.md"] {
        write(&root, path, path);
    }
    let nothing = "write the path of one, or a pattern with `*` for characters and `**` for segments";
    for (pattern, expected) in [
        (
            "assets/.env.exmaple",
            "include `assets/.env.exmaple` names no file of the directory: did you mean `assets/.env.example`?",
        ),
        ("**/.rels", &format!("include `**/.rels` names no file of the directory: {nothing}")),
        (".git/config", &format!("include `.git/config` names no file of the directory: {nothing}")),
        (".github", "include `.github` names a directory: write `.github/**` for all in it"),
        ("notes", "include `notes` names a directory: write `notes/**` for all in it"),
        (".github/", "include `.github/` ends with `/`: write `.github/**` for all in it"),
        (
            "../tasks/SKILL.md",
            "include `../tasks/SKILL.md` has the segment `..`, which clients resolve: write the path that it leads to",
        ),
        ("*.[md]", "include `*.[md]` has '[': patterns have only `*` for characters and `**` for segments"),
    ] {
        assert_eq!(errors(Skill::from_dir(&root).include(pattern)), [format!("skill `tasks`: {expected}")]);
    }
    let by_hand = Skill::new("tasks", [("SKILL.md", skill_md("tasks"))]).include(".env");
    assert_eq!(
        errors(by_hand),
        [
            "skill `tasks`: include `.env` is for a skill that `from_dir` reads: give `Skill::new` the file, or `skill!` the \
          pattern, as in `include: [\"…\"]`"
        ],
    );
    // A missing directory is a single error.
    assert_eq!(errors(Skill::from_dir(root.join("none")).include(".env")).len(), 1);
}

#[test]
fn c8_a_hidden_name_that_is_invalid_in_a_uri_is_an_error_only_if_included() {
    let (_holder, root) = tasks();
    for path in [".my notes", ".caf\u{e9}/a.md", ".a#b", ".\u{202e}gpj"] {
        write(&root, path, "");
    }
    let server = serve([Skill::from_dir(&root)]);
    assert_eq!(server.warnings(), [left_out(&[".a#b", ".caf\u{e9}/", ".my notes", ".\u{202e}gpj"])]);
    let found = errors(Skill::from_dir(&root).include(".*"));
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.iter().all(|found| found.starts_with("skill `tasks`: file `.")), "{found:?}");
}

#[test]
fn c8_a_file_that_an_inner_skill_includes_is_served_by_the_outer_skill_without_a_warning() {
    let (_holder, root) = tasks();
    write(&root, "tools/review/SKILL.md", skill_md("review"));
    write(&root, "tools/review/.env.example", "a");
    write(&root, "tools/review/.other", "a");
    let inner = || Skill::from_dir(root.join("tools/review")).at("tasks/tools/review");
    let server = serve([Skill::from_dir(&root), inner().include(".env.example")]);
    let rest = "(what begins with a dot, or is no file): name with `include` what belongs to the skill";
    let expected = [
        format!("skill `tasks`: leaves out `tools/review/.other` {rest}"),
        format!("skill `tasks/tools/review`: leaves out `.other` {rest}"),
    ];
    assert_eq!(server.warnings(), expected);
    assert_eq!(clients(&server)[0].read("skill://tasks/tools/review/.env.example"), b"a");
}

#[test]
fn an_included_file_is_read_once() {
    let (holder, root) = tasks();
    write(&root, ".env.example", "a");
    let server = serve([Skill::from_dir(&root).include(".env.example")]);
    write(&root, ".env.example", "changed");
    drop(holder);
    assert_eq!(clients(&server)[0].read("skill://tasks/.env.example"), b"a");
}

#[test]
fn c8_1_the_skill_has_the_name_of_the_directory_for_any_spelling_of_the_path() {
    let (_holder, root) = tasks();
    for path in [root.clone(), root.join("."), root.join("../tasks"), root.join("")] {
        let server = serve([Skill::from_dir(&path)]);
        assert_eq!(server.uris().collect::<Vec<_>>(), ["skill://tasks/SKILL.md"], "{}", path.display());
    }
    let server = serve([Skill::from_dir(&root).at("acme/tasks")]);
    assert_eq!(server.uris().collect::<Vec<_>>(), ["skill://acme/tasks/SKILL.md"]);
}

#[test]
fn c8_1_a_missing_directory_is_an_error() {
    let (holder, root) = tasks();
    for missing in [holder.path().join("none"), root.join("SKILL.md")] {
        let name = missing.file_name().unwrap().to_str().unwrap();
        let found = errors(Skill::from_dir(&missing));
        let (start, end) = (format!("skill `{name}`: directory `"), "` cannot be read: ");
        // A single error, without a second one about a missing SKILL.md.
        assert!(found.len() == 1 && found[0].starts_with(&start) && found[0].contains(end), "{found:?}");
    }
}

#[test]
fn later_changes_on_the_disk_are_not_served() {
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
    write(&root, "SKILL.md", "not a skill");
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
fn names_that_a_uri_must_escape_are_errors() {
    let (_holder, root) = tasks();
    write(&root, "read me.md", "");
    write(&root, "a/b#c.md", "");
    let found = errors(Skill::from_dir(&root));
    let subjects = ["skill `tasks`: file `a/b#c.md` has '#'", "skill `tasks`: file `read me.md` has a space"];
    assert_eq!(found.len(), 2);
    assert!(found.iter().zip(subjects).all(|(found, start)| found.starts_with(start)), "{found:?}");
}

#[cfg(unix)]
#[test]
fn c8_only_links_to_files_inside_are_followed() {
    use std::os::unix::fs::symlink;

    let (holder, root) = tasks();
    write(&root, "notes/a.md", "inside");
    symlink("notes/a.md", root.join("linked.md")).unwrap();
    symlink(root.join("linked.md"), root.join("twice.md")).unwrap();
    let server = serve([Skill::from_dir(&root)]);
    assert_eq!(listed(&server), ["SKILL.md", "linked.md", "notes/a.md", "twice.md"]);
    assert_eq!(clients(&server)[0].read("skill://tasks/twice.md"), b"inside");

    write(holder.path(), "outside.txt", "secret=1");
    // A directory whose name begins with the skill's name.
    write(holder.path(), "tasks-more/a.md", "secret=2");
    symlink("/etc/hostname", root.join("etc.txt")).unwrap();
    symlink("../../outside.txt", root.join("notes/out.txt")).unwrap();
    symlink("../tasks-more/a.md", root.join("more.md")).unwrap();
    symlink("notes", root.join("folder")).unwrap();
    symlink("..", root.join("up")).unwrap();
    symlink("none.md", root.join("broken.md")).unwrap();
    let mut found = errors(Skill::from_dir(&root));
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
fn c8_a_root_may_be_a_link_to_a_directory() {
    use std::os::unix::fs::symlink;

    let (holder, root) = tasks();
    let link = holder.path().join("other-name");
    symlink(&root, &link).unwrap();
    assert_eq!(listed(&serve([Skill::from_dir(&link)])), ["SKILL.md"]);
}

#[cfg(unix)]
#[test]
fn c8_a_hidden_link_gives_a_warning_and_is_checked_as_a_link_if_included() {
    use std::os::unix::fs::symlink;

    let (holder, root) = tasks();
    write(&root, "notes/a.md", "inside");
    write(holder.path(), "outside.txt", "secret=1");
    symlink("notes/a.md", root.join(".inside")).unwrap();
    symlink("../outside.txt", root.join(".outside")).unwrap();
    symlink("notes", root.join(".folder")).unwrap();
    let server = serve([Skill::from_dir(&root)]);
    assert_eq!(server.warnings(), [left_out(&[".folder", ".inside", ".outside"])]);
    let server = serve([Skill::from_dir(&root).include(".inside")]);
    assert_eq!(clients(&server)[0].read("skill://tasks/.inside"), b"inside");
    let mut found = errors(Skill::from_dir(&root).include(".*"));
    found.sort();
    let expected = [
        "skill `tasks`: link `.folder` leads to a directory: put the files themselves in its place",
        "skill `tasks`: link `.outside` leads out of the skill: put a copy of the file in its place",
    ];
    assert_eq!(found, expected);
}

#[cfg(unix)]
#[test]
fn c8_pipes_and_sockets_give_a_warning_and_are_never_opened() {
    let (_holder, root) = tasks();
    fs::create_dir(root.join("run")).unwrap();
    for name in ["pipe.md", ".pipe", "run/in"] {
        let made = std::process::Command::new("mkfifo").arg(root.join(name)).status().unwrap();
        assert!(made.success());
    }
    let _socket = std::os::unix::net::UnixListener::bind(root.join("run/a.sock")).unwrap();
    // A read of a pipe would wait for a writer and block.
    let server = serve([Skill::from_dir(&root)]);
    assert_eq!(listed(&server), ["SKILL.md"]);
    assert_eq!(server.warnings(), [left_out(&[".pipe", "pipe.md", "run/a.sock", "run/in"])]);
    let found = errors(Skill::from_dir(&root).include("pipe.md"));
    assert!(found.len() == 1 && found[0].contains("include `pipe.md` names no file of the directory"), "{found:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn c8_a_name_that_is_not_utf_8_is_an_error() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let (_holder, root) = tasks();
    fs::create_dir(root.join("notes")).unwrap();
    fs::write(root.join("notes").join(OsStr::from_bytes(b"caf\xe9.md")), "").unwrap();
    assert_eq!(
        errors(Skill::from_dir(&root)),
        ["skill `tasks`: `notes/caf\u{fffd}.md` has a name that is not UTF-8: rename it"]
    );
}

#[test]
fn a_file_of_a_nested_skill_belongs_to_both_skills() {
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
