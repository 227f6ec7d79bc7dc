//! The head of a request: the names of its headers and their look-up, the media types that it has and accepts, and what the engine sees
//! of it.
//!
//! Media types (`Content-Type`; `Accept`, by RFC 9110 section 12.5.1) are read leniently where the grammar permits it, and strictly where
//! leniency would be a security hole: an odd `Accept` element is ignored, but only `application/json` is ever a body, since a browser
//! sends a preflight before it. Not here: the checks that depend on settings (`check/`).

use std::cell::OnceCell;
use std::sync::Arc;

use grange_core::{Clock, Exchange, Header, Lookup};
use http::Version;
use http::header::{ACCEPT, AsHeaderName, CONTENT_ENCODING, CONTENT_TYPE, HOST, HeaderMap, HeaderName, ORIGIN};
use http::request::Parts;
use tokio::time::Instant;

use crate::excerpt;
use crate::principal::Principal;
use crate::rejection::Rejection;
use crate::sessions::store::{Found, SessionGuard, Sessions};

pub(crate) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
pub(crate) const METHOD: HeaderName = HeaderName::from_static("mcp-method");
pub(crate) const NAME: HeaderName = HeaderName::from_static("mcp-name");
pub(crate) const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub(crate) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
/// What the headers begin with that mirror a tool's arguments.
pub(crate) const PARAMETER_PREFIX: &str = "mcp-param-";

pub(crate) const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
pub(crate) const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
/// Keeps a proxy from collecting an event stream before it passes it on.
pub(crate) const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The lines of several headers, found in one pass over all headers of the request.
#[inline]
pub(crate) fn find<'a, const N: usize>(headers: &'a HeaderMap, names: &[HeaderName; N]) -> [Header<'a>; N] {
    let mut found = [Header::Absent; N];
    for (name, value) in headers {
        for (wanted, found) in names.iter().zip(&mut found) {
            if name == wanted {
                *found = if *found == Header::Absent { Header::One(value.as_bytes()) } else { Header::Many };
            }
        }
    }
    found
}

/// What the checks of a head look at, found in one pass, beside `Accept`, which may come in several lines.
pub(crate) struct Inspected<'a> {
    pub(crate) host: Header<'a>,
    pub(crate) origin: Header<'a>,
    /// The media types of the body, then those that the client accepts.
    pub(crate) media: Result<Accepts, Rejection>,
}

pub(crate) fn inspect(headers: &HeaderMap) -> Inspected<'_> {
    static HEAD: [HeaderName; 4] = [HOST, ORIGIN, CONTENT_TYPE, CONTENT_ENCODING];
    let [host, origin, content_type, encoding] = find(headers, &HEAD);
    let media = check_content(content_type, encoding).and_then(|()| Accepts::of(headers));
    Inspected { host, origin, media }
}

/// The lines of one header.
pub(crate) fn lines(headers: &HeaderMap, name: impl AsHeaderName) -> Header<'_> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Header::Absent,
        (Some(value), None) => Header::One(value.as_bytes()),
        (Some(_), Some(_)) => Header::Many,
    }
}

/// About how much memory a request takes that waits, beside its body and its connection.
pub(crate) fn head_size(head: &Parts) -> usize {
    /// The entry of a field in the map: a hash, a name, a value, links.
    const FIELD: usize = 128;
    /// A stream of HTTP/2 and its task.
    const STREAM: usize = 4 * 1024;
    let fields = head.headers.iter().map(|(name, value)| name.as_str().len() + value.len());
    let bytes = head.uri.path().len() + fields.sum::<usize>();
    let entries = (1 + head.headers.len()) * FIELD;
    // h2 decodes a field into buffers of its own, which are up to two and a half times as long.
    if head.version == Version::HTTP_2 { STREAM + entries + bytes * 5 / 2 } else { entries + bytes }
}

/// The lines that name the session of a request.
pub(crate) fn session_id(head: &Parts) -> Header<'_> {
    lines(&head.headers, SESSION_ID)
}

/// The headers that every request of the newest revision has.
static MIRRORED: [HeaderName; 3] = [PROTOCOL_VERSION, METHOD, NAME];

/// The head of one request, for the engine.
pub(crate) struct HttpExchange<'a> {
    head: &'a Parts,
    accepts: Accepts,
    /// `None`: the service keeps no sessions.
    sessions: Option<&'a Arc<Sessions>>,
    mirrored: [Header<'a>; 3],
    /// Looked up once, when the engine first calls [`Exchange::session`].
    found: OnceCell<Found>,
}

impl<'a> HttpExchange<'a> {
    pub(crate) fn new(head: &'a Parts, accepts: Accepts, sessions: Option<&'a Arc<Sessions>>) -> Self {
        Self { head, accepts, sessions, mirrored: find(&head.headers, &MIRRORED), found: OnceCell::new() }
    }

    /// The session that the request belongs to.
    pub(crate) fn into_session(self) -> Option<SessionGuard> {
        match self.found.into_inner() {
            Some(Found::Known(session)) => Some(session),
            Some(Found::Missing | Found::Unknown) | None => None,
        }
    }
}

impl Exchange for HttpExchange<'_> {
    fn header(&self, name: &str) -> Header<'_> {
        match MIRRORED.iter().position(|known| known.as_str() == name) {
            Some(place) => self.mirrored[place],
            None => lines(&self.head.headers, name),
        }
    }

    fn takes_stream(&self) -> bool {
        self.accepts.stream
    }

    fn clock(&self) -> Option<Clock> {
        Some(|| Instant::now().into_std())
    }

    fn principal(&self) -> Option<&str> {
        self.head.extensions.get::<Principal>().map(Principal::name)
    }

    fn session(&self) -> Lookup {
        let Some(sessions) = self.sessions else { return Lookup::NotKept };
        self.found.get_or_init(|| sessions.find(session_id(self.head), self.head.extensions.get())).lookup()
    }
}

/// The kinds of response that a client accepts; at least one of them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Accepts {
    pub(crate) json: bool,
    pub(crate) stream: bool,
}

impl Accepts {
    pub(crate) const ALL: Self = Self { json: true, stream: true };

    /// What the `Accept` lines allow. None, or only empty ones, allow everything.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Rejection> {
        let mut ranges = Ranges::default();
        for line in headers.get_all(ACCEPT) {
            match line.as_bytes() {
                // What nearly every client sends.
                b"application/json, text/event-stream" => return Ok(Self::ALL),
                line => elements(line, b',').for_each(|element| ranges.note(element)),
            }
        }
        let accepts = ranges.accepts();
        if accepts.json || accepts.stream {
            Ok(accepts)
        } else {
            Err(Rejection::NotAcceptable(excerpt::copy_of(lines(headers, ACCEPT))))
        }
    }
}

/// The body is JSON, as it is.
fn check_content(content_type: Header<'_>, encoding: Header<'_>) -> Result<(), Rejection> {
    if encoding != Header::Absent && !is_identity(encoding) {
        return Err(Rejection::ContentEncoding(excerpt::copy_of(encoding)));
    }
    let rejected = || Rejection::ContentType(excerpt::copy_of(content_type));
    let Header::One(value) = content_type else { return Err(rejected()) };
    // What nearly every client sends.
    if value == b"application/json" {
        return Ok(());
    }
    let essence = elements(value, b';').next().unwrap_or_default();
    if essence.eq_ignore_ascii_case(b"application/json") { Ok(()) } else { Err(rejected()) }
}

/// Whether a `Content-Encoding` means that the body is not encoded: `identity` alone in any case (RFC 9110 section 8.4.1), or a list with no
/// element, which names no coding (section 5.6.1). Named twice, or in several lines, it is rejected: some parser would see two codings.
fn is_identity(encoding: Header<'_>) -> bool {
    let Header::One(value) = encoding else { return false };
    let mut codings = elements(value, b',').filter(|coding| !coding.is_empty());
    codings.next().is_none_or(|coding| coding.eq_ignore_ascii_case(b"identity")) && codings.next().is_none()
}

/// Whether each range that concerns us was there, and with a weight above zero. The most specific one decides.
#[derive(Default)]
struct Ranges {
    seen: bool,
    json: Option<bool>,
    stream: Option<bool>,
    any_application: Option<bool>,
    any_text: Option<bool>,
    any: Option<bool>,
}

impl Ranges {
    fn note(&mut self, element: &[u8]) {
        let mut parts = elements(element, b';');
        let range = parts.next().unwrap_or_default();
        self.seen |= !range.is_empty();
        let slot = match range.to_ascii_lowercase().as_slice() {
            b"application/json" => &mut self.json,
            b"text/event-stream" => &mut self.stream,
            b"application/*" => &mut self.any_application,
            b"text/*" => &mut self.any_text,
            b"*/*" => &mut self.any,
            _ => return,
        };
        // Said twice, the kinder weight counts.
        *slot = Some(slot.unwrap_or(false) || !parts.any(is_zero_weight));
    }

    fn accepts(&self) -> Accepts {
        if !self.seen {
            return Accepts::ALL;
        }
        let decide = |ranges: [Option<bool>; 3]| ranges.into_iter().flatten().next().unwrap_or(false);
        Accepts {
            json: decide([self.json, self.any_application, self.any]),
            stream: decide([self.stream, self.any_text, self.any]),
        }
    }
}

/// `q=0`, `q=0.000`. A malformed weight is none.
fn is_zero_weight(parameter: &[u8]) -> bool {
    let Some((b'q' | b'Q', rest)) = parameter.split_first() else { return false };
    let Some((b'=', digits)) = rest.trim_ascii_start().split_first() else { return false };
    match digits.trim_ascii_start() {
        [b'0'] => true,
        [b'0', b'.', zeros @ ..] => zeros.iter().all(|digit| *digit == b'0'),
        _ => false,
    }
}

/// The parts between separators that are not inside quotes, trimmed.
fn elements(line: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let mut quoted = false;
    let mut escaped = false;
    line.split(move |&byte| {
        if escaped {
            escaped = false;
        } else if quoted && byte == b'\\' {
            escaped = true;
        } else if byte == b'"' {
            quoted = !quoted;
        }
        byte == separator && !quoted
    })
    .map(<[u8]>::trim_ascii)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    fn headers(name: &http::HeaderName, lines: &[Vec<u8>]) -> HeaderMap {
        let lines = lines.iter().filter_map(|line| HeaderValue::from_bytes(line).ok());
        lines.map(|line| (name.clone(), line)).collect()
    }

    proptest! {
        #[test]
        fn no_value_breaks_the_parsers(lines in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..40), 0..3)) {
            let _ = (Accepts::of(&headers(&ACCEPT, &lines)), check_content(find(&headers(&CONTENT_TYPE, &lines), &[CONTENT_TYPE])[0], Header::Absent));
        }

        /// Neither the order of the ranges nor how they are spread over lines matters.
        #[test]
        fn order_and_lines_do_not_matter(
            ranges in proptest::collection::vec(
                prop::sample::select(vec!["application/json", "text/event-stream;q=0", "*/*;q=0", "application/*", "text/*;q=0.1"]),
                1..5,
            ),
        ) {
            let joined = headers(&ACCEPT, &[ranges.join(",").into_bytes()]);
            let reversed: Vec<_> = ranges.iter().rev().map(|range| range.as_bytes().to_vec()).collect();
            prop_assert_eq!(Accepts::of(&joined).ok(), Accepts::of(&headers(&ACCEPT, &reversed)).ok());
        }
    }
}
