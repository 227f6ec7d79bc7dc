//! The cursors of a list of sections: opaque to clients, and the same in every process. **A position holds in a process whose shelves
//! have other resources.** It is neither secret nor signed.

use base64_simd::URL_SAFE_NO_PAD;

use crate::catalog::Checksum;

/// Where a page starts: in a section, behind what this token says. For a shelf the token is the URI of the last entry.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Position {
    pub(crate) section: usize,
    /// `None`: at the start of the section.
    pub(crate) token: Option<String>,
}

impl Position {
    pub(crate) const START: Self = Self { section: 0, token: None };

    /// The cursor of this position, for the list with this checksum.
    pub(crate) fn cursor(&self, list: Checksum) -> String {
        let Self { section, token } = self;
        let sum = list.text("resources").number(*section);
        let sum = token.as_ref().map_or(sum, |token| sum.text(token)).value();
        let token = token.as_ref().map(|token| format!("-{}", URL_SAFE_NO_PAD.encode_to_string(token)));
        format!("{section:x}-{sum:016x}{}", token.unwrap_or_default())
    }

    /// The position of a cursor that this list issues.
    pub(crate) fn of(cursor: &str, list: Checksum) -> Option<Self> {
        let mut parts = cursor.splitn(3, '-');
        let section = usize::from_str_radix(parts.next()?, 16).ok()?;
        parts.next()?;
        let decode = |token: &str| String::from_utf8(URL_SAFE_NO_PAD.decode_to_vec(token).ok()?).ok();
        let token = match parts.next() {
            Some(token) => Some(decode(token)?),
            None => None,
        };
        let position = Self { section, token };
        // Compared as a whole, so that no other spelling of a cursor is accepted.
        (position.cursor(list) == cursor).then_some(position)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn l5_3_only_cursors_of_the_same_list_are_accepted(
            section in 0..40_usize,
            token in prop::option::of(".{0,40}"),
            wrong in ".{0,60}",
        ) {
            let list = Checksum::new().text("docs://a");
            let position = Position { section, token };
            let cursor = position.cursor(list);
            prop_assert!(cursor.is_ascii() && !cursor.is_empty());
            prop_assert_eq!(Position::of(&cursor, Checksum::new().text("docs://b")), None);
            prop_assert_eq!(Position::of(&wrong, list), None);
            for at in 0..cursor.len() {
                let changed = cursor[at..=at].replace(|each| each != 'a', "a").replace('a', if &cursor[at..=at] == "a" { "b" } else { "a" });
                prop_assert_eq!(Position::of(&format!("{}{changed}{}", &cursor[..at], &cursor[at + 1..]), list), None);
            }
            prop_assert_eq!(Position::of(&cursor, list), Some(position));
        }
    }

    #[test]
    fn l5_3_a_cursor_is_the_same_in_every_process() {
        let list = Checksum::new().text("docs://a").number(3);
        let position = Position { section: 1, token: Some("notes://1".to_owned()) };
        assert_eq!(position.cursor(list), "1-63c0029aeacb4fb6-bm90ZXM6Ly8x");
    }
}
