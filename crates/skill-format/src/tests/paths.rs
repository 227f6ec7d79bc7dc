//! Where a skill and its files are served.

use crate::{PathError, check_file_path, check_file_set, check_skill_path, mime_type, skill_name};

#[track_caller]
fn check(path: &str, expected: &str) {
    let found = check_file_path(path).map_or_else(|error| error.to_string(), |()| "ok".to_owned());
    assert_eq!(found, expected, "{path:?}");
}

#[track_caller]
fn check_skill(path: &str, expected: &str) {
    let found = check_skill_path(path).map_or_else(|error| error.to_string(), |()| "ok".to_owned());
    assert_eq!(found, expected, "{path:?}");
}

const RENAME: &str = "rename it, with letters, digits, `-`, `_` and `.`";

#[test]
fn c4_paths_that_are_served_as_written() {
    for path in [
        "SKILL.md",
        "references/steps.md",
        "a",
        "a/b/c.tar.gz",
        ".hidden",
        "A-1_b~c",
        "a!$&'()*+,;=:@b",
        "...",
        "SKILL.md.bak",
    ] {
        check(path, "ok");
    }
    for path in ["ledger-close", "ops/oncall/rotate-keys", "acme.example/x", "a!$&'()*+,;=/B:@/x", "1.2.3.4/x"] {
        check_skill(path, "ok");
    }
    assert_eq!(skill_name("ops/oncall/rotate-keys"), "rotate-keys");
    assert_eq!(skill_name("x"), "x");
}

#[test]
fn c8_10_empty_segments() {
    check("", "is empty: write one, as in `notes/order.md`");
    check("/x", "has an empty segment: write `x`");
    check("x/", "has an empty segment: write `x`");
    check("a//b", "has an empty segment: write `a/b`");
    check("//", "has only empty segments: write one, as in `notes/order.md`");
    check_skill("", "is empty: write one, as in `notes/order.md`");
    check_skill("/x", "has an empty segment: write `x`");
    check_skill("acme//x", "has an empty segment: write `acme/x`");
}

#[test]
fn c8_10_dot_segments() {
    for path in [".", "..", "../a", "a/./b", "a/..", "./a"] {
        assert!(matches!(check_file_path(path), Err(PathError::DotSegment { .. })), "{path}");
    }
    check("a/../b", "has the segment `..`, which clients resolve: write the path that it leads to");
    check_skill("../x", "has the segment `..`, which clients resolve: write the path that it leads to");
}

#[test]
fn c8_10_backslashes() {
    check("a\\b", "has a backslash: write `a/b`");
    check_skill("acme\\x", "has a backslash: write `acme/x`");
}

#[test]
fn c8_10_white_space_around_a_segment() {
    for path in [" a", "a ", "a/ b", "a /b", "\ta", "a\n", "\u{a0}a"] {
        assert!(matches!(check_file_path(path), Err(PathError::OuterSpace { .. })), "{path:?}");
    }
    check("a/b ", "has white space around the segment `b `: write it without");
}

#[test]
fn c8_11_characters_that_a_uri_must_escape() {
    check("read me.md", &format!("has a space, which a URI must escape: {RENAME}"));
    check("café.md", &format!("has 'é', which a URI must escape: {RENAME}"));
    for character in ['"', '<', '>', '^', '`', '{', '}', '\u{1}', '\u{7f}', '中'] {
        let path = format!("a{character}b");
        assert_eq!(check_file_path(&path), Err(PathError::Character { found: character }), "{path:?}");
        assert_eq!(check_skill_path(&format!("{path}/x")), Err(PathError::Character { found: character }));
    }
}

#[test]
fn c8_question_marks_and_hashes() {
    check("a?b", &format!("has '?', behind which a URI has no path: {RENAME}"));
    check("a#b", &format!("has '#', behind which a URI has no path: {RENAME}"));
    assert_eq!(check_skill_path("a?b/x"), Err(PathError::Tail { found: '?' }));
}

#[test]
fn c8_percent_escapes() {
    for path in ["%41.md", "100%.md", "a%2Fb", "%"] {
        check(path, &format!("has a `%`, which a host may take for an escape and decode: {RENAME}"));
        assert_eq!(check_skill_path(&format!("{path}/x")), Err(PathError::Escape));
    }
}

#[test]
fn c8_brackets_and_bars() {
    for found in ['[', ']', '|'] {
        assert_eq!(check_file_path(&format!("a{found}b")), Err(PathError::Character { found }));
    }
}

#[test]
fn c8_authorities_with_a_user_or_a_port() {
    check_skill("user@host/x", "has '@' in its first segment, which hosts read as a user or port: leave it out");
    check_skill("host:80/x", "has ':' in its first segment, which hosts read as a user or port: leave it out");
    check_skill("a/user@host:80/x", "ok");
}

#[test]
fn c4_an_authority_in_upper_case() {
    check_skill("Acme/x", "has 'A' in its first segment, which clients lower-case as a host: write it in lower case");
    check_skill("acme/Billing/x", "ok");
}

#[test]
fn c4_the_last_segment_is_a_name() {
    check_skill(
        "acme/Refunds",
        "must end in the skill's name, but the last segment has 'R': use only `a` to `z`, `0` to `9` and `-`, as in `ledger-close`",
    );
    check_skill(
        "a--b",
        "must end in the skill's name, but the last segment has a hyphen at an end or two together: write `a-b`",
    );
    check_skill("user@host", "has '@' in its first segment, which hosts read as a user or port: leave it out");
}

#[track_caller]
fn check_set(paths: &[&str], expected: &[&str]) {
    let errors = check_file_set(paths.iter().copied()).err().unwrap_or_default();
    let found: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(found, expected, "{paths:?}");
}

#[test]
fn c8_files_at_one_path() {
    check_set(&["SKILL.md", "a.md", "b/a.md", "b/a", "a"], &[]);
    check_set(&[], &[]);
    check_set(&["a.md", "b.md", "a.md"], &["file `a.md` is there twice: leave one out"]);
}

#[test]
fn c8_files_that_differ_only_in_case() {
    check_set(
        &["a.md", "A.md", "skill.md", "SKILL.md"],
        &[
            "files `a.md` and `A.md` differ only in case, and are one file on many disks: rename one",
            "files `skill.md` and `SKILL.md` differ only in case, and are one file on many disks: rename one",
        ],
    );
    // Folders may differ only in case: their files do not collide.
    check_set(&["Docs/a.md", "docs/b.md"], &[]);
}

#[test]
fn c8_a_file_below_a_file() {
    check_set(&["SKILL.md", "SKILL.md/x"], &["file `SKILL.md` is a folder for `SKILL.md/x`: rename one of the two"]);
    check_set(
        &["a", "a/b", "a/b/c"],
        &[
            "file `a` is a folder for `a/b`: rename one of the two",
            "file `a` is a folder for `a/b/c`: rename one of the two",
        ],
    );
    check_set(&["a/b/c", "A"], &["file `A` is a folder for `a/b/c`: rename one of the two"]);
    check_set(&["a/b", "a.b", "ab", "a/bc/d"], &[]);
}

#[test]
fn c4_c11_types_by_extension() {
    for (path, bytes, expected) in [
        ("SKILL.md", &b"# X"[..], "text/markdown"),
        ("references/steps.md", b"\xff", "text/markdown"),
        ("scripts/check.py", b"print('ok')\n", "text/x-python"),
        ("a.png", b"\x89PNG", "image/png"),
        ("references/blank.txt", b"", "text/plain"),
        ("assets/mark.bin", b"\x89BIN\0\xff", "application/octet-stream"),
        ("LICENSE", "é\0".as_bytes(), "text/plain"),
    ] {
        assert_eq!(mime_type(path, bytes), expected, "{path}");
    }
}
