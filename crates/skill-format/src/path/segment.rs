//! Checks of single segments of a path.

use super::error::PathError;

/// Checks the rules for every segment of any path.
pub(super) fn check_segments(path: &str) -> Result<(), PathError> {
    if path.is_empty() {
        return Err(PathError::Empty);
    }
    if path.contains('\\') {
        return Err(PathError::Backslash { suggestion: path.replace('\\', "/") });
    }
    if path.split('/').any(str::is_empty) {
        let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
        return Err(PathError::EmptySegment { suggestion: segments.join("/") });
    }
    path.split('/').try_for_each(check_segment)
}

fn check_segment(segment: &str) -> Result<(), PathError> {
    if matches!(segment, "." | "..") {
        return Err(PathError::DotSegment { segment: segment.to_owned() });
    }
    if segment.trim() != segment {
        return Err(PathError::OuterSpace { segment: segment.to_owned() });
    }
    match segment.chars().find(|character| !is_path_character(*character)) {
        None => Ok(()),
        Some('%') => Err(PathError::Escape),
        Some(found @ ('?' | '#')) => Err(PathError::Tail { found }),
        Some(found) => Err(PathError::Character { found }),
    }
}

/// RFC 3986 `pchar` without escapes: the characters that no library changes in a path.
fn is_path_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:@".contains(character)
}

/// Checks the first segment of a skill's path, which is the authority of the URI: RFC 3986 `reg-name`, in lower case.
pub(super) fn check_authority(path: &str) -> Result<(), PathError> {
    let first = path.split('/').next().unwrap_or(path);
    let is_special = |found: &char| matches!(found, '@' | ':') || found.is_ascii_uppercase();
    match first.chars().find(is_special) {
        Some(found) => Err(PathError::InAuthority { found }),
        None => Ok(()),
    }
}
