//! MIME types by the grammar of RFC 9110, sections 5.6 and 8.3.1.
//!
//! Only the syntax is checked: any registered or private type is accepted, and nothing is lower-cased or reordered. A
//! *range* such as `text/*` matches the grammar but names no type, so it is an error.

use std::error::Error;
use std::fmt;

/// Checks a MIME type: type "/" subtype *(";" parameter) by RFC 9110 (token grammar, quoted-string values).
///
/// As in the RFC, white space may surround a `;`, and the parameter after it may be missing.
///
/// ```
/// use grange_uri::check_mime;
///
/// assert!(check_mime("text/html; charset=\"utf-8\"").is_ok());
/// assert_eq!(check_mime("text").unwrap_err().to_string(), "has no subtype: write it as in `text/plain`");
/// ```
pub fn check_mime(mime: &str) -> Result<(), MimeError> {
    if mime.is_empty() {
        return Err(MimeError::Empty);
    }
    let (essence, parameters) = mime.split_at(mime.find(';').unwrap_or(mime.len()));
    let essence = if parameters.is_empty() { essence } else { essence.trim_end_matches(OWS) };
    let Some((kind, subtype)) = essence.split_once('/') else {
        return Err(MimeError::NoSubtype { example: example(essence) });
    };
    if kind == "*" || subtype == "*" {
        return Err(MimeError::Range);
    }
    if !is_token(kind) {
        return Err(MimeError::Type { found: kind.to_owned() });
    }
    if !is_token(subtype) {
        return Err(MimeError::Subtype { found: subtype.to_owned() });
    }
    check_parameters(parameters)
}

/// Why a MIME type is invalid.
///
/// ```
/// use grange_uri::{MimeError, check_mime};
///
/// assert_eq!(check_mime("image/*"), Err(MimeError::Range));
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum MimeError {
    /// The string is empty.
    Empty,
    /// The string has no `/`.
    NoSubtype {
        /// A MIME type that the author may have meant.
        example: &'static str,
    },
    /// A parameter without `=` and a value.
    NoValue {
        /// The name of the parameter.
        name: String,
    },
    /// A parameter whose name is not a token.
    ParameterName {
        /// The name as written.
        found: String,
    },
    /// A `*` as the type or the subtype.
    Range,
    /// The text after the `/` is not a token.
    Subtype {
        /// The subtype as written.
        found: String,
    },
    /// The text before the `/` is not a token.
    Type {
        /// The type as written.
        found: String,
    },
    /// A quoted value without an end, or with a character that is not allowed in one.
    Unquoted {
        /// The name of the parameter.
        name: String,
    },
    /// A value that is not a token and should be quoted.
    Value {
        /// The name of the parameter.
        name: String,
        /// The value as written.
        found: String,
    },
}

impl fmt::Display for MimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const TOKEN: &str = "use letters, digits and any of `!#$%&'*+-.^_`|~`";
        match self {
            Self::Empty => write!(f, "is empty: write it as in `text/plain`"),
            Self::NoSubtype { example } => write!(f, "has no subtype: write it as in `{example}`"),
            Self::NoValue { name } => {
                write!(f, "has no value for its parameter `{name}`: write `{name}=…` or leave it out")
            }
            Self::ParameterName { found } => {
                write!(f, "has a bad parameter name `{}`: {TOKEN}", found.escape_debug())
            }
            Self::Range => write!(f, "is a range: `*` stands for many types, write one"),
            Self::Subtype { found } => write!(f, "has a bad subtype `{}`: {TOKEN}", found.escape_debug()),
            Self::Type { found } => write!(f, "has a bad type `{}`: {TOKEN}", found.escape_debug()),
            Self::Unquoted { name } => write!(
                f,
                "has a bad quoted value for `{name}`: end it with `\"`, put `\\` before `\"` and `\\`, and keep to ASCII"
            ),
            Self::Value { name, found } => {
                write!(f, "has a bad value `{}` for `{name}`: put it in double quotes", found.escape_debug())
            }
        }
    }
}

impl Error for MimeError {}

/// Optional white space, RFC 9110 section 5.6.3.
const OWS: [char; 2] = [' ', '\t'];

fn is_token(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(allowed)
}

/// `parameters = *( OWS ";" OWS [ parameter ] )`
fn check_parameters(parameters: &str) -> Result<(), MimeError> {
    let mut rest = parameters;
    while let Some(behind) = rest.strip_prefix(';') {
        let behind = behind.trim_start_matches(OWS);
        rest = if behind.is_empty() || behind.starts_with(';') { behind } else { check_parameter(behind)? };
    }
    Ok(())
}

/// Checks one `name=value` and returns the rest of the text, which is empty or starts with `;`.
fn check_parameter(text: &str) -> Result<&str, MimeError> {
    let (name, rest) = text.split_at(text.find(['=', ';']).unwrap_or(text.len()));
    if !is_token(name) {
        return Err(MimeError::ParameterName { found: name.to_owned() });
    }
    let Some(rest) = rest.strip_prefix('=') else {
        return Err(MimeError::NoValue { name: name.to_owned() });
    };
    if let Some(quoted) = rest.strip_prefix('"') {
        let behind = after_quoted(quoted).map(|behind| behind.trim_start_matches(OWS));
        return match behind {
            Some(behind) if behind.is_empty() || behind.starts_with(';') => Ok(behind),
            _ => Err(MimeError::Unquoted { name: name.to_owned() }),
        };
    }
    let (value, behind) = rest.split_at(rest.find(';').unwrap_or(rest.len()));
    let value = if behind.is_empty() { value } else { value.trim_end_matches(OWS) };
    if is_token(value) {
        return Ok(behind);
    }
    Err(if value.is_empty() {
        MimeError::NoValue { name: name.to_owned() }
    } else {
        MimeError::Value { name: name.to_owned(), found: value.to_owned() }
    })
}

/// The text after the closing quote of a quoted-string, RFC 9110 section 5.6.4, if it is well formed.
fn after_quoted(text: &str) -> Option<&str> {
    let mut characters = text.char_indices();
    loop {
        match characters.next()? {
            (position, '"') => return Some(&text[position + 1..]),
            (_, '\\') => characters.next().filter(|&(_, c)| is_text(c))?,
            (_, character) if is_text(character) => continue,
            _ => return None,
        };
    }
}

fn is_text(character: char) -> bool {
    matches!(character, '\t' | ' '..='~')
}

/// The MIME type that a single word probably means.
fn example(word: &str) -> &'static str {
    match word.to_ascii_lowercase().as_str() {
        "html" => "text/html",
        "jpeg" | "jpg" => "image/jpeg",
        "json" => "application/json",
        "markdown" | "md" => "text/markdown",
        "pdf" => "application/pdf",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "xml" => "application/xml",
        _ => "text/plain",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(mime: &str, expected: &str) {
        let found = check_mime(mime).map_or_else(|error| error.to_string(), |()| "ok".to_owned());
        assert_eq!(found, expected, "{mime:?}");
    }

    #[test]
    fn accepts_the_grammar() {
        for mime in [
            "text/plain",
            "image/svg+xml",
            "application/vnd.api+json",
            "Text/HTML",
            "text/plain;charset=utf-8",
            "text/plain ; charset=utf-8 ;\tformat=flowed",
            "text/html;profile=mcp-app",
            "a/b;q=\"\"",
            r#"a/b;q="a \"b\" ; c=d\\" ; r=1"#,
            "a/b;",
            "a/b; ;;q=1;",
        ] {
            check(mime, "ok");
        }
    }

    #[test]
    fn every_error_has_a_remedy() {
        const TOKEN: &str = "use letters, digits and any of `!#$%&'*+-.^_`|~`";
        const QUOTED: &str = "end it with `\"`, put `\\` before `\"` and `\\`, and keep to ASCII";
        check("", "is empty: write it as in `text/plain`");
        check("text", "has no subtype: write it as in `text/plain`");
        check("md", "has no subtype: write it as in `text/markdown`");
        check("*/*", "is a range: `*` stands for many types, write one");
        check("text/*; q=1", "is a range: `*` stands for many types, write one");
        check(" text/plain", &format!("has a bad type ` text`: {TOKEN}"));
        check("/plain", &format!("has a bad type ``: {TOKEN}"));
        check("text/", &format!("has a bad subtype ``: {TOKEN}"));
        check("text/plain ", &format!("has a bad subtype `plain `: {TOKEN}"));
        check("text/a/b", &format!("has a bad subtype `a/b`: {TOKEN}"));
        check("text/é\n", &format!("has a bad subtype `é\\n`: {TOKEN}"));
        check("a/b;c", "has no value for its parameter `c`: write `c=…` or leave it out");
        check("a/b;c=;d=e", "has no value for its parameter `c`: write `c=…` or leave it out");
        check("a/b;c =d", &format!("has a bad parameter name `c `: {TOKEN}"));
        check("a/b;=d", &format!("has a bad parameter name ``: {TOKEN}"));
        check("a/b;c=d e", "has a bad value `d e` for `c`: put it in double quotes");
        check("a/b;c=d ", "has a bad value `d ` for `c`: put it in double quotes");
        for mime in ["a/b;c=\"d", "a/b;c=\"d\"e", "a/b;c=\"\\", "a/b;c=\"\\\u{1}\"", "a/b;c=\"é\""] {
            check(mime, &format!("has a bad quoted value for `c`: {QUOTED}"));
        }
    }
}
