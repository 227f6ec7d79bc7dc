//! What a client sent, shortened: for a log, and for the message that goes back to it.
//!
//! **A log gets it only as an [`Excerpt`]**: short, on one line, printable ASCII.

use std::fmt;

use grange_core::Header;

/// The beginning of what a client sent. Shown, it is printable ASCII without quotes or line breaks of its own, and bounded.
pub(crate) struct Excerpt<'a>(&'a [u8]);

impl<'a> Excerpt<'a> {
    /// Most bytes that are shown; each takes four characters at most.
    const LENGTH: usize = 100;

    pub(crate) fn of(sent: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        Self(sent.as_ref())
    }

    /// A host or an origin, without a user and a password before it.
    pub(crate) fn of_host(sent: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        Self(sent.as_ref().rsplit(|byte| *byte == b'@').next().unwrap_or_default())
    }
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.0.get(..Self::LENGTH).unwrap_or(self.0);
        write!(f, "{}", shown.escape_ascii())?;
        f.write_str(if shown.len() < self.0.len() { "..." } else { "" })
    }
}

/// A copy of a header's value, no longer than an excerpt needs; `None` if there is no such header.
pub(crate) fn copy_of(header: Header<'_>) -> Option<Box<[u8]>> {
    match header {
        Header::Absent => None,
        Header::One(value) => Some(value.get(..=Excerpt::LENGTH).unwrap_or(value).into()),
        Header::Many => Some(b"several lines".as_slice().into()),
    }
}

/// The first characters of a text, enough to recognize it.
pub(crate) fn beginning(text: &str) -> &str {
    text.char_indices().nth(Excerpt::LENGTH).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_excerpt_is_short_and_on_one_line() {
        let shown = |sent: &[u8]| Excerpt::of(sent).to_string();
        assert_eq!(shown(b"evil.example:80"), "evil.example:80");
        assert_eq!(shown(b"a\r\nINFO all is well"), "a\\r\\nINFO all is well");
        assert_eq!(shown("a\u{202e}b\u{2028}\x1b[2J".as_bytes()), "a\\xe2\\x80\\xaeb\\xe2\\x80\\xa8\\x1b[2J");
        assert_eq!(shown(b"a\" reason=\"none"), "a\\\" reason=\\\"none");
        assert_eq!(shown(&[b'x'; 101]), format!("{}...", "x".repeat(100)));
        assert_eq!(shown(&[b'x'; 100]), "x".repeat(100));
    }

    #[test]
    fn a_password_before_a_host_is_not_shown() {
        for (sent, shown) in [
            ("user:secret@evil.example", "evil.example"),
            ("https://user:secret@evil.example:8443", "evil.example:8443"),
            ("a@b@evil.example", "evil.example"),
            ("evil.example", "evil.example"),
            ("secret@", ""),
        ] {
            assert_eq!(Excerpt::of_host(sent).to_string(), shown);
        }
    }

    proptest! {
        #[test]
        fn whatever_is_sent_is_printable_and_bounded(sent in proptest::collection::vec(any::<u8>(), 0..300)) {
            let shown = Excerpt::of(&sent).to_string();
            prop_assert!(shown.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()), "{}", shown);
            prop_assert!(shown.len() <= 4 * Excerpt::LENGTH + 3);
        }
    }
}
