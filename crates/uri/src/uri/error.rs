//! The errors of the URI checks and their texts.
//!
//! A variant is one cause, with the data for its text. A `suggestion` is present only if a corrected spelling was found
//! that passes the check that failed.

use std::error::Error;
use std::fmt;

/// Why a URI is invalid.
///
/// Its `Display` follows the quoted URI: "uri `demo://a b` has a space: write `demo://a%20b`".
///
/// ```
/// use grange_uri::{UriError, check_resource};
///
/// let error = check_resource("demo://a b").unwrap_err();
/// assert!(matches!(error, UriError::Space { .. }));
/// assert_eq!(error.suggestion(), Some("demo://a%20b"));
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum UriError {
    /// The part after `//` is not `userinfo@host:port`.
    Authority {
        /// The part as written.
        authority: String,
    },
    /// The URI has a `\`, which some libraries read as `/`.
    Backslash {
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// The URI has an ASCII character that RFC 3986 does not allow there.
    Character {
        /// The first such character.
        character: char,
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// The URI has a control character.
    Control {
        /// The first such character.
        character: char,
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// The URI has the default port of its scheme.
    DefaultPort {
        /// The port.
        port: String,
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// The path has a `.` or `..` segment, maybe escaped as `%2e`.
    DotSegment {
        /// The first such segment.
        segment: String,
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// The URI is empty or only white space.
    Empty,
    /// The URI has an empty query or fragment: a `?` or `#` with nothing after it.
    EmptyTail {
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// A `%` is not followed by two hexadecimal digits.
    Escape {
        /// The `%` and up to two characters after it.
        escape: String,
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// The host of a web URI has a percent escape, which libraries convert to Punycode.
    EscapedHost {
        /// The host as written.
        host: String,
    },
    /// A `file:` URI has more than a plain host: a user, a port, a drive letter or `localhost`.
    FileAuthority {
        /// The part between `//` and the path.
        authority: String,
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// The path of a `file:` URI begins with more than one slash.
    FileSlashes {
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// The host is an IP address in a spelling that libraries change or do not support.
    IpHost {
        /// The host as written.
        host: String,
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// A web or file scheme is not followed by `//`.
    NoAuthority {
        /// The scheme.
        scheme: String,
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// The host is missing: a web scheme, a user or a port needs one.
    NoHost,
    /// A web or file URI has no `/` after the host.
    NoPath {
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// The URI has a character outside ASCII.
    NotAscii {
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// The port is empty, has leading zeros, or is over 65535.
    Port {
        /// The digits as written.
        port: String,
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// The query of a web or file URI has a `'`.
    QuoteInQuery {
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// The URI has no scheme.
    Relative {
        /// An absolute URI that the author may have meant: an example, not a corrected spelling.
        example: String,
    },
    /// The text before the first `:` is not a valid scheme.
    Scheme {
        /// The part as written.
        scheme: String,
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// The URI has a space.
    Space {
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// The URI has a `{…}` expression, so it is a URI template.
    Template {
        /// The first expression, braces included.
        expression: String,
    },
    /// The host has an upper-case letter.
    UpperCaseHost {
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// The scheme has an upper-case letter.
    UpperCaseScheme {
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
    /// The part before `@` is in a spelling that libraries change.
    Userinfo {
        /// The part as written, without the `@`.
        userinfo: String,
        /// A corrected spelling that passes the check.
        suggestion: Option<String>,
    },
}

impl UriError {
    /// A corrected spelling that passes the check that failed, if one was found.
    pub fn suggestion(&self) -> Option<&str> {
        match self {
            Self::Authority { .. }
            | Self::Empty
            | Self::EscapedHost { .. }
            | Self::NoHost
            | Self::Relative { .. }
            | Self::Template { .. } => None,
            Self::Backslash { suggestion }
            | Self::Character { suggestion, .. }
            | Self::Control { suggestion, .. }
            | Self::DefaultPort { suggestion, .. }
            | Self::DotSegment { suggestion, .. }
            | Self::EmptyTail { suggestion }
            | Self::Escape { suggestion, .. }
            | Self::FileAuthority { suggestion, .. }
            | Self::FileSlashes { suggestion }
            | Self::IpHost { suggestion, .. }
            | Self::NoAuthority { suggestion, .. }
            | Self::NoPath { suggestion }
            | Self::NotAscii { suggestion }
            | Self::Port { suggestion, .. }
            | Self::QuoteInQuery { suggestion }
            | Self::Scheme { suggestion, .. }
            | Self::Space { suggestion }
            | Self::UpperCaseHost { suggestion }
            | Self::UpperCaseScheme { suggestion }
            | Self::Userinfo { suggestion, .. } => suggestion.as_deref(),
        }
    }

    /// The remedy if there is no suggestion.
    fn remedy(&self) -> &'static str {
        match self {
            Self::Authority { .. } => "write `host`, `host:port` or `[ipv6]:port` after `//`",
            Self::Backslash { .. } => "write `/`, or `%5C` for the character itself",
            Self::Character { .. } | Self::Control { .. } => "remove it, or write it as a percent escape",
            Self::DefaultPort { .. } | Self::EmptyTail { .. } => "leave it out",
            Self::DotSegment { .. } => "write the path that it leads to",
            Self::Empty => "write one, as in `docs://readme`",
            Self::Escape { .. } => "write two hex digits after `%`, or `%25` for the sign itself",
            Self::EscapedHost { .. } => "write the host in Punycode, as in `xn--caf-dma.example`",
            Self::FileAuthority { .. } | Self::FileSlashes { .. } => "write `file:///` and the path",
            Self::IpHost { .. } => "write `127.0.0.1` with four decimal numbers, or `[::1]` in shortest form",
            Self::NoAuthority { .. } => "write `//` and a host after the scheme",
            Self::NoHost => "write one after `//`",
            Self::NoPath { .. } => "add a `/`",
            Self::NotAscii { .. } => "percent-encode its UTF-8 bytes",
            Self::Port { .. } => "write 0 to 65535 without leading zeros, or leave out the `:`",
            Self::QuoteInQuery { .. } => "write `%27`",
            Self::Relative { .. } => "start it with a scheme",
            Self::Scheme { .. } => "begin with a letter, then use letters, digits, `+`, `-` and `.`",
            Self::Space { .. } => "write `%20`",
            Self::Template { .. } => "declare it with `template!`, or write braces as `%7B` and `%7D`",
            Self::UpperCaseHost { .. } | Self::UpperCaseScheme { .. } => "write it in lower case",
            Self::Userinfo { .. } => "write `user@` or `user:password@`, any further sign as an escape",
        }
    }
}

impl fmt::Display for UriError {
    #[expect(clippy::too_many_lines, reason = "one arm for each error")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Authority { authority } => write!(f, "has a bad authority `{}`", authority.escape_debug()),
            Self::Backslash { .. } => write!(f, "has a backslash"),
            Self::Character { character, .. } => write!(f, "has a raw `{character}`"),
            Self::Control { character, .. } => {
                write!(f, "has a control character U+{:04X}", u32::from(*character))
            }
            Self::DefaultPort { port, .. } => write!(f, "has the default port {port}, which clients drop"),
            Self::DotSegment { segment, .. } => {
                write!(f, "has a path segment `{segment}`, which clients resolve")
            }
            Self::Empty => write!(f, "is empty"),
            Self::EmptyTail { .. } => {
                write!(f, "has a `?` or `#` with nothing behind it, which clients drop")
            }
            Self::Escape { escape, .. } => write!(f, "has a bad percent escape `{}`", escape.escape_debug()),
            Self::EscapedHost { host } => {
                write!(f, "has a percent escape in its host `{host}`, which clients turn into Punycode")
            }
            Self::FileAuthority { authority, .. } => {
                write!(f, "has `{authority}` between `file://` and its path, which clients drop or refuse")
            }
            Self::FileSlashes { .. } => write!(f, "has a path that begins with `//`, which clients shorten"),
            Self::IpHost { host, .. } => {
                write!(f, "has an IP address `{host}` as host, which clients rewrite or refuse")
            }
            Self::NoAuthority { scheme, .. } => {
                write!(f, "has no `//` after `{scheme}:`, which clients add")
            }
            Self::NoHost => write!(f, "has no host"),
            Self::NoPath { .. } => write!(f, "has no `/` after its host, which clients add"),
            Self::NotAscii { .. } => write!(f, "is not ASCII"),
            Self::Port { port, .. } => write!(f, "has a port `{port}`, which clients rewrite or refuse"),
            Self::QuoteInQuery { .. } => write!(f, "has a `'` in its query, which clients escape"),
            Self::Relative { example } => {
                return write!(f, "is relative: {}, as in `{example}`", self.remedy());
            }
            Self::Scheme { scheme, .. } => write!(f, "has a bad scheme `{}`", scheme.escape_debug()),
            Self::Space { .. } => write!(f, "has a space"),
            Self::Template { expression } => {
                let expression = expression.escape_debug();
                return write!(f, "is a template: `{expression}` stands for a variable; {}", self.remedy());
            }
            Self::UpperCaseHost { .. } => write!(f, "has an upper-case host, which clients lower-case"),
            Self::UpperCaseScheme { .. } => write!(f, "has an upper-case scheme"),
            Self::Userinfo { userinfo, .. } => {
                write!(f, "has `{userinfo}` before `@`, which clients respell")
            }
        }?;
        match (self, self.suggestion()) {
            (Self::Escape { .. }, Some(suggestion)) => {
                write!(f, ": write two hex digits after `%`, or `{suggestion}` for a literal percent sign")
            }
            (_, Some(suggestion)) => write!(f, ": write `{suggestion}`"),
            (_, None) => write!(f, ": {}", self.remedy()),
        }
    }
}

impl Error for UriError {}
