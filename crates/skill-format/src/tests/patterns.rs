//! The paths that a pattern matches.

use proptest::prelude::*;

use crate::{Pattern, PatternError};

#[track_caller]
fn pattern(text: &str) -> Pattern {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[track_caller]
fn check(text: &str, named: &[&str], others: &[&str]) {
    let pattern = pattern(text);
    for path in named {
        assert!(pattern.matches(path), "`{text}` matches `{path}`");
    }
    for path in others {
        assert!(!pattern.matches(path), "`{text}` does not match `{path}`");
    }
}

#[test]
fn c8_a_pattern_without_a_star_is_one_path() {
    check(
        "_rels/.rels",
        &["_rels/.rels"],
        &[".rels", "a/_rels/.rels", "_rels/.rels/x", "_rels/.Rels", "_rels/xrels", "_rels"],
    );
    check(".env", &[".env"], &["env", ".env.example", "a/.env"]);
}

#[test]
fn c8_a_star_matches_any_characters_of_one_segment() {
    check("*", &["a", ".env", "*"], &["a/b", "a/"]);
    check(".*", &[".env", ".", "..."], &["env", "a/.env", ".github/x"]);
    check("assets/.env.*", &["assets/.env.example", "assets/.env."], &["assets/.env", "assets/a/.env.b", ".env.a"]);
    check("a*b*c", &["abc", "aXbYc", "abbcc", "abcbc"], &["acb", "ab", "abcd", "bc"]);
    check("a*a", &["aa", "aba", "aaa"], &["a"]);
    check("*/.rels", &["_rels/.rels"], &[".rels", "a/_rels/.rels"]);
}

#[test]
fn c8_two_stars_match_any_number_of_segments() {
    check("**", &["a", "a/b", ".a/.b/.c"], &[]);
    check("**/.rels", &[".rels", "_rels/.rels", "a/b/.rels"], &["a.rels", ".rels/a"]);
    check("a/**", &["a/b", "a/b/c", "a"], &["b/a", "ab"]);
    check("a/**/b", &["a/b", "a/x/b", "a/x/y/b", "a/b/b"], &["a/bx", "x/a/b", "a/b/c", "b"]);
    check("**/a/**/b/**", &["a/b", "x/a/y/b/z", "a/a/b/b"], &["b/a", "a/x"]);
    check("**/**", &["a", "a/b"], &[]);
    check("**/.*/x", &[".a/x", "b/.a/x"], &["a/x", ".a/b/x"]);
}

#[test]
fn c8_a_pattern_reaches_the_folders_in_which_it_can_match() {
    for (text, reached, others) in [
        (
            ".github/workflows/*.yml",
            vec![".github", ".github/workflows"],
            vec![".venv", ".github/x", ".github/workflows/x"],
        ),
        ("**/.env", vec![".github", ".a/b"], vec![]),
        ("a/**", vec!["a", "a/b"], vec!["b"]),
        (".*/x", vec![".a"], vec!["a", ".a/x"]),
        (".env", vec![], vec![".env", "a"]),
    ] {
        for folder in reached {
            assert!(pattern(text).reaches(folder), "`{text}` reaches `{folder}`");
        }
        for folder in others {
            assert!(!pattern(text).reaches(folder), "`{text}` does not reach `{folder}`");
        }
    }
}

#[test]
fn c8_invalid_patterns() {
    for (text, expected) in [
        ("", "is empty: write one, as in `notes/order.md`"),
        ("assets/", "ends with `/`: write `assets/**` for all in it"),
        ("/.env", "has an empty segment: write `.env`"),
        ("a//.env", "has an empty segment: write `a/.env`"),
        ("./.env", "has the segment `.`, which clients resolve: write the path that it leads to"),
        ("../.env", "has the segment `..`, which clients resolve: write the path that it leads to"),
        ("a\\.env", "has a backslash: write `a/.env`"),
        ("a/**.env", "has `**` inside the segment `**.env`: write `*`, or `**` as a segment of its own"),
        ("***", "has `**` inside the segment `***`: write `*`, or `**` as a segment of its own"),
        (".en?", "has '?': patterns have only `*` for characters and `**` for segments"),
        (".[ab]", "has '[': patterns have only `*` for characters and `**` for segments"),
        (".{a,b}", "has '{': patterns have only `*` for characters and `**` for segments"),
        (".a b", "has a space, which a URI must escape: rename it, with letters, digits, `-`, `_` and `.`"),
    ] {
        assert_eq!(text.parse::<Pattern>().unwrap_err().to_string(), expected, "{text}");
    }
    assert_eq!("a**".parse::<Pattern>(), Err(PatternError::Stars { segment: "a**".to_owned() }));
}

#[test]
fn many_stars_take_linear_time() {
    // To try all positions of these stars would take exponential time.
    let stars = "*a".repeat(200);
    assert!(!pattern(&stars).matches(&format!("{}b", "a".repeat(2_000))));
    let segments = "**/a/".repeat(200);
    assert!(!pattern(&format!("{segments}b")).matches(&"a/".repeat(2_000)));
}

/// A simple and slow reference implementation.
fn matches(pattern: &[&str], path: &[&str]) -> bool {
    match pattern {
        [] => path.is_empty(),
        ["**", rest @ ..] => (0..=path.len()).any(|taken| matches(rest, &path[taken..])),
        [segment, rest @ ..] => path.first().is_some_and(|first| like(segment, first)) && matches(rest, &path[1..]),
    }
}

fn like(segment: &str, found: &str) -> bool {
    match segment.chars().next() {
        None => found.is_empty(),
        Some('*') => (0..=found.len()).any(|taken| like(&segment[1..], &found[taken..])),
        Some(first) => found.starts_with(first) && like(&segment[1..], &found[1..]),
    }
}

proptest! {
    #[test]
    fn a_pattern_matches_as_the_reference_implementation_does(text in "[ab.*]{1,5}(/([ab.]{1,3}|\\*{1,2})){0,4}", path in "[ab.]{1,4}(/[ab.]{1,3}){0,4}") {
        let Ok(pattern) = text.parse::<Pattern>() else { return Ok(()) };
        let (segments, parts): (Vec<&str>, Vec<&str>) = (text.split('/').collect(), path.split('/').collect());
        prop_assert_eq!(pattern.matches(&path), matches(&segments, &parts), "{} {}", text, path);
        // A folder that the pattern does not reach contains no match.
        if let Some((folder, _)) = path.rsplit_once('/') && pattern.matches(&path) {
            prop_assert!(pattern.reaches(folder), "{} {}", text, folder);
        }
        prop_assert_eq!(pattern.as_str(), text);
    }

    #[test]
    fn a_file_path_is_a_pattern_that_matches_itself(path in "[a-z_.]{1,8}(/[a-z_.]{1,8}){0,3}") {
        if crate::check_file_path(&path).is_ok() {
            prop_assert!(pattern(&path).matches(&path));
        }
    }

    #[test]
    fn any_text_is_a_pattern_or_an_error_with_a_remedy(text in any::<String>(), path in any::<String>()) {
        match text.parse::<Pattern>() {
            Ok(pattern) => { pattern.matches(&path); pattern.reaches(&path); }
            Err(error) => {
                let error = error.to_string();
                prop_assert!(error.contains(": ") && !error.contains(char::is_control), "{:?}", error);
            }
        }
    }
}
