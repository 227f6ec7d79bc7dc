//! `_meta` keys by the grammar of the specification (2026-07-28 basic, "Key name format").
//!
//! The keys that the engine itself writes or reads are also rejected. Other keys with the protocol's prefix are
//! accepted: they belong to features that authors use.

use std::error::Error;
use std::fmt;

/// Checks a `_meta` key by the grammar of the specification (optional dotted prefix "/" name).
///
/// The grammar allows an empty name after a prefix, as in `com.example/`. An empty key is an error.
///
/// ```
/// use grange_uri::check_meta_key;
///
/// assert!(check_meta_key("com.example/author").is_ok());
/// assert!(check_meta_key("traceparent").is_ok());
/// assert!(check_meta_key("com.example/-x").is_err());
/// ```
pub fn check_meta_key(key: &str) -> Result<(), MetaKeyError> {
    if key.is_empty() {
        return Err(MetaKeyError::Empty);
    }
    let name = match key.split_once('/') {
        Some((prefix, name)) => {
            check_prefix(prefix)?;
            name
        }
        None => key,
    };
    if name.contains('/') {
        return Err(MetaKeyError::Slashes);
    }
    if !is_name(name) {
        return Err(MetaKeyError::Name { name: name.to_owned() });
    }
    if ENGINE_KEYS.contains(&key) { Err(MetaKeyError::Ours) } else { Ok(()) }
}

/// The keys of `_meta` that only the engine may write.
const ENGINE_KEYS: [&str; 6] = [
    "io.modelcontextprotocol/clientCapabilities",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/logLevel",
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/serverInfo",
    "io.modelcontextprotocol/subscriptionId",
];

/// Why a `_meta` key is invalid.
///
/// ```
/// use grange_uri::{MetaKeyError, check_meta_key};
///
/// assert_eq!(check_meta_key("1st.example/a"), Err(MetaKeyError::Label { label: "1st".to_owned() }));
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum MetaKeyError {
    /// The key is empty.
    Empty,
    /// A label of the prefix is empty: two dots in a row, a dot at either end, or no prefix before the `/`.
    EmptyLabel,
    /// A label of the prefix has a character that is not allowed there.
    Label {
        /// The label as written.
        label: String,
    },
    /// The name has a character that is not allowed there.
    Name {
        /// The name as written.
        name: String,
    },
    /// Only the engine may write this key.
    Ours,
    /// The key has more than one `/`.
    Slashes,
}

impl fmt::Display for MetaKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "is empty: write it as in `com.example/author`"),
            Self::EmptyLabel => {
                write!(f, "has an empty label in its prefix: write labels joined by single dots, as in `com.example/`")
            }
            Self::Label { label } => write!(
                f,
                "has a bad label `{}` in its prefix: begin with a letter, end with a letter or digit, and use only these and `-` between",
                label.escape_debug()
            ),
            Self::Name { name } => write!(
                f,
                "has a bad name `{}`: begin and end with a letter or digit, and use only these, `-`, `_` and `.` between",
                name.escape_debug()
            ),
            Self::Ours => write!(f, "is the protocol's own: choose a prefix of yours, as in `com.example/author`"),
            Self::Slashes => {
                write!(f, "has more than one `/`: keep the one behind the prefix, and write `.` or `_` for the others")
            }
        }
    }
}

impl Error for MetaKeyError {}

fn check_prefix(prefix: &str) -> Result<(), MetaKeyError> {
    for label in prefix.split('.') {
        if label.is_empty() {
            return Err(MetaKeyError::EmptyLabel);
        }
        let fits = label.starts_with(|c: char| c.is_ascii_alphabetic())
            && label.ends_with(|c: char| c.is_ascii_alphanumeric())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !fits {
            return Err(MetaKeyError::Label { label: label.to_owned() });
        }
    }
    Ok(())
}

fn is_name(name: &str) -> bool {
    let is_edge = |c: char| c.is_ascii_alphanumeric();
    name.is_empty()
        || name.starts_with(is_edge)
            && name.ends_with(is_edge)
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(key: &str, expected: &Result<(), MetaKeyError>) {
        assert_eq!(&check_meta_key(key), expected, "{key:?}");
    }

    #[test]
    fn accepts_the_grammar() {
        for key in [
            "progressToken",
            "a",
            "1",
            "a-_.9",
            "com.example/",
            "com.example/a",
            "io.modelcontextprotocol/related-task",
            "x/y",
            "a1.b--2/c",
        ] {
            check(key, &Ok(()));
        }
    }

    #[test]
    fn rejects_each_problem() {
        let label = |label: &str| Err(MetaKeyError::Label { label: label.to_owned() });
        let name = |name: &str| Err(MetaKeyError::Name { name: name.to_owned() });
        check("", &Err(MetaKeyError::Empty));
        for key in ["/", "/a", "a./b", ".a/b", "a..b/c"] {
            check(key, &Err(MetaKeyError::EmptyLabel));
        }
        check("1a/b", &label("1a"));
        check("a-/b", &label("a-"));
        check("-a/b", &label("-a"));
        check("a.b_c/d", &label("b_c"));
        check("com.exämple/d", &label("exämple"));
        check("_meta", &name("_meta"));
        check("a.", &name("a."));
        check("com.example/a b", &name("a b"));
        check("é", &name("é"));
        check("a/b/c", &Err(MetaKeyError::Slashes));
        check("https://example.com/a", &label("https:"));
        check("io.modelcontextprotocol/serverInfo", &Err(MetaKeyError::Ours));
    }

    #[test]
    fn every_error_text_ends_in_a_remedy() {
        for key in ["", "/a", "1/a", "a/_", "a/b/", "io.modelcontextprotocol/logLevel"] {
            let message = check_meta_key(key).unwrap_err().to_string();
            assert!(message.contains(": ") && !message.ends_with('.'), "{message}");
        }
        assert_eq!(
            check_meta_key("\n").unwrap_err().to_string(),
            "has a bad name `\\n`: begin and end with a letter or digit, and use only these, `-`, `_` and `.` between",
        );
    }
}
