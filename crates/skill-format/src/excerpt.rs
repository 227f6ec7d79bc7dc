//! Author text in an error text: on one line, without control characters, and truncated.

use std::fmt::{self, Write};

/// The maximum number of characters.
const MOST: usize = 60;

/// The start of a text.
#[derive(Clone, Copy)]
pub(crate) struct Excerpt<'a>(pub(crate) &'a str);

/// A whole text, for one that is short, such as an error of the parser.
#[derive(Clone, Copy)]
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.0.char_indices().nth(MOST).map_or(self.0.len(), |(end, _)| end);
        Escaped(&self.0[..end]).fmt(f)?;
        if end < self.0.len() { f.write_char('…') } else { Ok(()) }
    }
}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| {
            // `escape_debug` for all characters would put a backslash before each quote.
            if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}') {
                write!(f, "{}", character.escape_debug())
            } else {
                f.write_char(character)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Excerpt;

    #[test]
    fn an_error_text_is_one_short_line() {
        assert_eq!(Excerpt("a\"b'é\n\u{1b}[0m").to_string(), "a\"b'é\\n\\u{1b}[0m");
        assert_eq!(Excerpt(&"x".repeat(60)).to_string(), "x".repeat(60));
        assert_eq!(Excerpt(&"x".repeat(61)).to_string(), format!("{}…", "x".repeat(60)));
    }
}
