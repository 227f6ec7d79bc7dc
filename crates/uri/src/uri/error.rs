//! What can be wrong with a URI, and the words for it.
//!
//! A variant is one cause and holds what its message needs; a `suggestion` is there only when a respelling was
//! found that passes the check which failed. Nothing is decided here.

use std::error::Error;
use std::fmt;

/// Why a URI was refused.
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
    /// The part after `//` is no `userinfo@host:port`.
    Authority {
        /// The part as written.
        authority: String,
    },
    /// It has a `\`, which some libraries read as `/`.
    Backslash {
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// It has an ASCII character that RFC 3986 does not allow there.
    Character {
        /// The first such character.
        character: char,
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// It has a control character.
    Control {
        /// The first such character.
        character: char,
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// It spells out the default port of its scheme.
    DefaultPort {
        /// That port.
        port: String,
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// Its path has a `.` or `..` segment, perhaps as `%2e`.
    DotSegment {
        /// The first such segment.
        segment: String,
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// There is nothing but white space.
    Empty,
    /// It has a `?` or `#` with nothing behind it.
    EmptyTail {
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// A `%` is not followed by two hex digits.
    Escape {
        /// The `%` and up to two characters behind it.
        escape: String,
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// Its host, under a web scheme, has a percent escape: libraries turn it into Punycode.
    EscapedHost {
        /// The host as written.
        host: String,
    },
    /// A `file:` URI with more than a plain host: user, port, drive letter or `localhost`.
    FileAuthority {
        /// The part between `//` and the path.
        authority: String,
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// A `file:` URI whose path begins with more than one slash.
    FileSlashes {
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// Its host is an IP address in a spelling that libraries change or do not know.
    IpHost {
        /// The host as written.
        host: String,
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// A web or file scheme without `//`.
    NoAuthority {
        /// The scheme.
        scheme: String,
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// No host where one is needed: under a web scheme, or beside a user or port.
    NoHost,
    /// A web or file scheme and no `/` after the host.
    NoPath {
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// It has a character outside ASCII.
    NotAscii {
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// Its port is empty, has leading zeros, or is over 65535.
    Port {
        /// The digits as written.
        port: String,
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// A `'` in the query of a web or file scheme.
    QuoteInQuery {
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// It has no scheme.
    Relative {
        /// An absolute URI that could be meant; an example rather than a respelling.
        example: String,
    },
    /// What stands before the first `:` is no scheme.
    Scheme {
        /// The part as written.
        scheme: String,
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// It has a space.
    Space {
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// It has a `{…}` expression: a URI template, not a URI.
    Template {
        /// The first expression, braces included.
        expression: String,
    },
    /// Its host has an upper-case letter.
    UpperCaseHost {
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// Its scheme has an upper-case letter.
    UpperCaseScheme {
        /// A spelling that passes.
        suggestion: Option<String>,
    },
    /// The part before `@` is spelled in a way that libraries change.
    Userinfo {
        /// The part as written, without the `@`.
        userinfo: String,
        /// A spelling that passes.
        suggestion: Option<String>,
    },
}

impl UriError {
    /// A respelling that passes the check which failed, when there is one.
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

    /// The remedy in words, for when there is no suggestion.
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
            Self::Template { .. } => {
                "templates are not there yet: declare one resource for each URI, in a loop, or write braces as `%7B` and `%7D`"
            }
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
