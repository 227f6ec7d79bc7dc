//! How URL libraries rewrite valid URIs, and the spelling that all of them keep.
//!
//! The rules are those of the WHATWG URL parser (browsers, Node, pydantic, the `url` crate), which changes URIs of all
//! schemes a little and those of its "special" schemes a lot. One rule comes from other libraries: Python and Go remove an
//! empty query or fragment. [`Pieces::canonical`] writes the
//! spelling that all keep, [`check`] finds the first piece that differs from it. Both use the same functions, one per
//! piece.
//!
//! Not checked, since the rewriting is rare and the spelling legitimate: the case of hexadecimal digits (`%c3`),
//! escapes of characters that need none (`%7E`), and an empty host under a scheme that is not special (`demo:///x`,
//! which older Pythons shorten to `demo:/x`). Nor an upper-case host under such a scheme, as in `ui://Panel`: only .NET lower-cases it, and
//! names of an author's own are in that place.

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

use iri_string::types::UriStr;

use super::error::UriError;
use super::syntax::{Subject, escape_length};

/// Rejects a spelling that some library changes.
pub(super) fn check(subject: Subject<'_>, uri: &UriStr) -> Result<(), UriError> {
    let pieces = Pieces::of(uri);
    if pieces.scheme != pieces.lower_scheme {
        return Err(UriError::UpperCaseScheme { suggestion: subject.suggestion() });
    }
    match &pieces.authority {
        Some(authority) if pieces.is_file() => authority.check_file(subject, pieces.path)?,
        Some(authority) => authority.check(subject, pieces.special)?,
        None if pieces.special.is_some() => {
            let scheme = pieces.lower_scheme;
            return Err(UriError::NoAuthority { scheme, suggestion: subject.suggestion() });
        }
        None => {}
    }
    if pieces.special.is_some() && pieces.path.is_empty() {
        return Err(UriError::NoPath { suggestion: subject.suggestion() });
    }
    if pieces.is_file() && pieces.path.starts_with("//") {
        return Err(UriError::FileSlashes { suggestion: subject.suggestion() });
    }
    if let Some(segment) = pieces.path.split('/').find(|segment| dots(segment) > 0) {
        return Err(UriError::DotSegment { segment: segment.to_owned(), suggestion: subject.suggestion() });
    }
    if pieces.query == Some("") || pieces.fragment == Some("") {
        return Err(UriError::EmptyTail { suggestion: subject.suggestion() });
    }
    if pieces.special.is_some() && pieces.query.is_some_and(|query| query.contains('\'')) {
        return Err(UriError::QuoteInQuery { suggestion: subject.suggestion() });
    }
    Ok(())
}

/// The schemes that WHATWG calls special, by their extra rules.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Special {
    File,
    Web { default_port: &'static str },
}

impl Special {
    pub(super) fn of(lower_scheme: &str) -> Option<Self> {
        match lower_scheme {
            "file" => Some(Self::File),
            "ftp" => Some(Self::Web { default_port: "21" }),
            "http" | "ws" => Some(Self::Web { default_port: "80" }),
            "https" | "wss" => Some(Self::Web { default_port: "443" }),
            _ => None,
        }
    }
}

/// The parts of a parsed URI.
pub(super) struct Pieces<'a> {
    scheme: &'a str,
    lower_scheme: String,
    special: Option<Special>,
    authority: Option<Authority<'a>>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

impl<'a> Pieces<'a> {
    pub(super) fn of(uri: &'a UriStr) -> Self {
        let lower_scheme = uri.scheme_str().to_ascii_lowercase();
        let authority = uri.authority_components().map(|parts| Authority {
            userinfo: parts.userinfo(),
            host: parts.host(),
            port: parts.port(),
        });
        Self {
            scheme: uri.scheme_str(),
            special: Special::of(&lower_scheme),
            lower_scheme,
            authority,
            path: uri.path_str(),
            query: uri.query_str(),
            fragment: uri.fragment().map(iri_string::types::UriFragmentStr::as_str),
        }
    }

    /// The spelling that all libraries keep, if there is one for the same resource.
    pub(super) fn canonical(&self) -> Option<String> {
        let mut uri = format!("{}:", self.lower_scheme);
        let mut path = without_dots(self.path)?;
        match &self.authority {
            Some(authority) if self.is_file() => {
                let (host, drive) = authority.canonical_file(&path);
                uri.push_str("//");
                uri.push_str(&host);
                path = Cow::Owned(format!("{drive}/{}", path.trim_start_matches('/')));
            }
            Some(authority) => {
                uri.push_str("//");
                uri.push_str(&authority.canonical(self.special));
            }
            // Without an authority, a path that starts with `//` would be parsed as one.
            None if path.starts_with("//") => return None,
            None => {}
        }
        uri.push_str(if path.is_empty() && self.special.is_some() { "/" } else { &path });
        if let Some(query) = self.query.filter(|query| !query.is_empty()) {
            uri.push('?');
            uri.push_str(&if self.special.is_some() { query.replace('\'', "%27") } else { query.to_owned() });
        }
        if let Some(fragment) = self.fragment.filter(|fragment| !fragment.is_empty()) {
            uri.push('#');
            uri.push_str(fragment);
        }
        Some(uri)
    }

    fn is_file(&self) -> bool {
        self.special == Some(Special::File)
    }
}

struct Authority<'a> {
    userinfo: Option<&'a str>,
    host: &'a str,
    port: Option<&'a str>,
}

impl Authority<'_> {
    fn check(&self, subject: Subject<'_>, special: Option<Special>) -> Result<(), UriError> {
        if let Some(userinfo) = self.userinfo
            && canonical_userinfo(userinfo).as_deref() != Some(userinfo)
        {
            return Err(UriError::Userinfo { userinfo: userinfo.to_owned(), suggestion: subject.suggestion() });
        }
        if self.host.is_empty() && (special.is_some() || self.userinfo.is_some() || self.port.is_some()) {
            return Err(UriError::NoHost);
        }
        check_host(subject, self.host, special)?;
        let Some(port) = self.port else { return Ok(()) };
        if matches!(special, Some(Special::Web { default_port }) if default_port == port) {
            return Err(UriError::DefaultPort { port: port.to_owned(), suggestion: subject.suggestion() });
        }
        if canonical_port(port, None).as_deref() != Some(port) || port.parse::<u16>().is_err() {
            return Err(UriError::Port { port: port.to_owned(), suggestion: subject.suggestion() });
        }
        Ok(())
    }

    /// A file URI may have a host and nothing else. Libraries remove `localhost`, and any host before a drive letter.
    fn check_file(&self, subject: Subject<'_>, path: &str) -> Result<(), UriError> {
        let is_dropped = self.host == "localhost" || !self.host.is_empty() && begins_with_drive(path);
        if self.userinfo.is_none() && self.port.is_none() && !is_dropped {
            return check_host(subject, self.host, Some(Special::File));
        }
        let user = self.userinfo.map(|userinfo| format!("{userinfo}@")).unwrap_or_default();
        let port = self.port.map(|port| format!(":{port}")).unwrap_or_default();
        let authority = format!("{user}{}{port}", self.host);
        Err(UriError::FileAuthority { authority, suggestion: subject.suggestion() })
    }

    fn canonical(&self, special: Option<Special>) -> String {
        let user = self.userinfo.and_then(canonical_userinfo).map(|userinfo| userinfo + "@");
        let port = self.port.and_then(|port| canonical_port(port, special)).map(|port| format!(":{port}"));
        user.unwrap_or_default() + &canonical_host(self.host, special) + &port.unwrap_or_default()
    }

    /// The host and the start of the path: in `file://c:/a` the drive letter is in the place of the host.
    fn canonical_file(&self, path: &str) -> (String, String) {
        match (canonical_host(self.host, Some(Special::File)), self.port) {
            (host, _) if host == "localhost" || begins_with_drive(path) => (String::new(), String::new()),
            (host, Some("")) if host.len() == 1 => (String::new(), format!("/{}:", self.host)),
            (host, _) => (host, String::new()),
        }
    }
}

fn begins_with_drive(path: &str) -> bool {
    match path.as_bytes() {
        [b'/', letter, b':'] | [b'/', letter, b':', b'/', ..] => letter.is_ascii_alphabetic(),
        _ => false,
    }
}

fn check_host(subject: Subject<'_>, host: &str, special: Option<Special>) -> Result<(), UriError> {
    if is_lowered(host, special) && lower_host(host) != host {
        return Err(UriError::UpperCaseHost { suggestion: subject.suggestion() });
    }
    if special.is_some() && host.contains('%') {
        return Err(UriError::EscapedHost { host: host.to_owned() });
    }
    // Only an IP address can differ from the canonical spelling when it is in lower case.
    if host.starts_with('[') && canonical_host(host, special) != host || is_odd_literal(host, special) {
        return Err(UriError::IpHost { host: host.to_owned(), suggestion: subject.suggestion() });
    }
    Ok(())
}

/// Whether libraries lower-case a host: that of a special scheme, and an address.
fn is_lowered(host: &str, special: Option<Special>) -> bool {
    special.is_some() || host.starts_with('[')
}

/// `host` in lower case where libraries lower-case it, with an IPv6 address in its shortest form.
fn canonical_host(host: &str, special: Option<Special>) -> String {
    let lower = if is_lowered(host, special) { lower_host(host) } else { host.to_owned() };
    match lower.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map(str::parse::<Ipv6Addr>) {
        // Rust prints a mapped address with a dotted tail; WHATWG does not.
        Some(Ok(address)) => match address.segments() {
            [0, 0, 0, 0, 0, 0xffff, high, low] => format!("[::ffff:{high:x}:{low:x}]"),
            _ => format!("[{address}]"),
        },
        _ => lower,
    }
}

/// A bracketed literal of a future version, or, under a special scheme, a number that is parsed as an IPv4 address but
/// is not in the usual form: `127.1`, `0x7f.0.0.1`, `1.2.3.4.`.
fn is_odd_literal(host: &str, special: Option<Special>) -> bool {
    if host.starts_with('[') {
        return host.starts_with("[v");
    }
    let last = host.strip_suffix('.').unwrap_or(host).rsplit('.').next().unwrap_or_default();
    let is_number = match last.strip_prefix("0x") {
        Some(digits) => digits.bytes().all(|digit| digit.is_ascii_hexdigit()),
        None => !last.is_empty() && last.bytes().all(|digit| digit.is_ascii_digit()),
    };
    special.is_some() && is_number && host.parse::<Ipv4Addr>().is_err()
}

/// Converts to lower case, except the hexadecimal digits of percent escapes, whose case libraries keep.
fn lower_host(host: &str) -> String {
    let mut lower = host.to_ascii_lowercase();
    for (position, _) in host.match_indices('%') {
        if let Some(length) = escape_length(&host.as_bytes()[position..]) {
            let escape = position..position + length;
            lower.replace_range(escape.clone(), &host[escape]);
        }
    }
    lower
}

/// `user` or `user:password` with `;`, `=` and further `:` escaped; `None` if it is empty. Keeps the case.
fn canonical_userinfo(userinfo: &str) -> Option<String> {
    let escape = |text: &str| text.replace(';', "%3B").replace('=', "%3D").replace(':', "%3A");
    match userinfo.split_once(':').unwrap_or((userinfo, "")) {
        ("", "") => None,
        (user, "") => Some(escape(user)),
        (user, password) => Some(format!("{}:{}", escape(user), escape(password))),
    }
}

/// The port without leading zeros; `None` if it should be omitted.
fn canonical_port(port: &str, special: Option<Special>) -> Option<String> {
    let trimmed = port.trim_start_matches('0');
    let port = if trimmed.is_empty() && !port.is_empty() { "0" } else { trimmed };
    let is_default = matches!(special, Some(Special::Web { default_port }) if default_port == port);
    (!port.is_empty() && !is_default).then(|| port.to_owned())
}

/// 1 for a `.` segment, 2 for `..`, 0 for any other; an escaped dot counts as a dot.
fn dots(segment: &str) -> usize {
    if !segment.starts_with(['.', '%']) {
        return 0;
    }
    match segment.to_ascii_lowercase().replace("%2e", ".").as_str() {
        "." => 1,
        ".." => 2,
        _ => 0,
    }
}

/// The path with dot segments resolved; `None` if that is not possible.
fn without_dots(path: &str) -> Option<Cow<'_, str>> {
    if path.split('/').all(|segment| dots(segment) == 0) {
        return Some(Cow::Borrowed(path));
    }
    let mut kept = Vec::new();
    let mut ends_in_dots = false;
    for segment in path.strip_prefix('/')?.split('/') {
        ends_in_dots = dots(segment) > 0;
        match dots(segment) {
            0 => kept.push(segment),
            1 => {}
            _ => drop(kept.pop()),
        }
    }
    if ends_in_dots {
        kept.push("");
    }
    Some(Cow::Owned(format!("/{}", kept.join("/"))))
}
