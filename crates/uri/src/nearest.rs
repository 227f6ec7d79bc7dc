//! "Did you mean": the closest of a few known words.
//!
//! For error texts about attribute names and other short lists. It suggests a word only if the guess is likely right:
//! at most one edit per three letters, where an edit adds, removes or changes a letter, or swaps two neighbours.

/// The closest candidate for a misspelt word, case-insensitive, or `None` if no candidate is near. Of equally near
/// candidates the first wins.
///
/// ```
/// use grange_uri::nearest;
///
/// let keys = ["uri", "title", "mime", "description"];
/// assert_eq!(nearest("discription", &keys), Some("description"));
/// assert_eq!(nearest("URI", &keys), Some("uri"));
/// assert_eq!(nearest("colour", &keys), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let word = folded(word);
    candidates
        .iter()
        .filter_map(|&candidate| {
            let letters = folded(candidate);
            let allowed = word.len().max(letters.len()) / 3;
            // This also skips the comparison with a very long word.
            if word.len().abs_diff(letters.len()) > allowed {
                return None;
            }
            let distance = distance(&word, &letters);
            (distance <= allowed).then_some((distance, candidate))
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

fn folded(word: &str) -> Vec<char> {
    word.chars().flat_map(char::to_lowercase).collect()
}

/// The edit distance; a swap of neighbours counts as one edit (optimal string alignment).
fn distance(left: &[char], right: &[char]) -> usize {
    let mut older: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=right.len()).collect();
    for (row, &letter) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, &other) in right.iter().enumerate() {
            let changed = previous[column] + usize::from(letter != other);
            let mut least = changed.min(previous[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && letter == right[column - 1] && left[row - 1] == other {
                least = least.min(older[column - 1] + 1);
            }
            current.push(least);
        }
        older = std::mem::replace(&mut previous, current);
    }
    previous[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&str; 7] = ["uri", "title", "name", "mime", "description", "priority", "last_modified"];

    #[track_caller]
    fn check(word: &str, expected: Option<&str>) {
        assert_eq!(nearest(word, &KEYS), expected, "{word:?}");
    }

    #[test]
    fn finds_the_likely_candidate() {
        check("Title", Some("title"));
        check("titel", Some("title"));
        check("url", Some("uri"));
        check("mine", Some("mime"));
        check("discripton", Some("description"));
        check("lastModified", Some("last_modified"));
        check("prioritt", Some("priority"));
    }

    #[test]
    fn suggests_nothing_when_unsure() {
        for word in ["", "u", "ur1x", "subscribe", "mimetype", "é"] {
            check(word, None);
        }
        assert_eq!(nearest("", &[""]), Some(""));
        assert_eq!(nearest("uri", &[]), None);
    }

    #[test]
    fn counts_edits() {
        let count = |left, right| distance(&folded(left), &folded(right));
        assert_eq!(count("", "abc"), 3);
        assert_eq!(count("abc", ""), 3);
        assert_eq!(count("abcd", "abdc"), 1);
        assert_eq!(count("ca", "abc"), 3);
        assert_eq!(count("kitten", "sitting"), 3);
    }
}
