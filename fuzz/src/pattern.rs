//! Patterns of paths inside a skill: no panic, one-line error texts, a path matches itself, and a match is inside a
//! reachable folder.

use grange_skill_format::{Pattern, check_file_path};

/// Reads the first line as a pattern and the others as paths.
pub fn pattern(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.split('\n');
    let written = lines.next().unwrap_or_default();
    let paths: Vec<&str> = lines.collect();
    match written.parse::<Pattern>() {
        Err(error) => {
            let message = error.to_string();
            assert!(message.contains(": "), "no remedy in {message:?}");
            assert!(!message.contains(char::is_control), "a control character in {message:?}");
        }
        Ok(pattern) => {
            assert_eq!(pattern.as_str(), written);
            assert!(pattern.matches(written), "a pattern must match the same path: {written}");
            for path in &paths {
                holds(&pattern, path);
            }
        }
    }
}

fn holds(pattern: &Pattern, path: &str) {
    let named = pattern.matches(path);
    for (end, _) in path.match_indices('/') {
        assert!(
            !named || pattern.reaches(&path[..end]),
            "{} matches {path} and does not reach its folder",
            pattern.as_str()
        );
    }
    let everything: Pattern = "**".parse().expect("two stars are a pattern");
    assert!(everything.matches(path), "{path}");
    let deeper: Option<Pattern> = format!("**/{}", pattern.as_str()).parse().ok();
    if named && check_file_path(path).is_ok() {
        assert!(deeper.is_some_and(|deeper| deeper.matches(path)), "**/{} and {path}", pattern.as_str());
    }
}
