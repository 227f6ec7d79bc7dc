//! What the transport tells whoever watches: that it refused a request, why and what it saw, and how much is open. What a request
//! was and what came of it is the engine's to tell.
//!
//! **What a client sent gets into a log only as an [`Excerpt`]**: short, on one line, printable ASCII. No token and no session id is
//! ever among it. The counting is by the `metrics` facade, and nothing without the feature `metrics`; no label is a client's.

use std::fmt;

use grange_core::Header;

/// Tells that the door was closed, why, and what of the request it was closed to.
pub(crate) fn refused(reason: &'static str, status: u16, seen: Option<&Seen<'_>>) {
    #[cfg(feature = "metrics")]
    metrics::counter!(REFUSALS, "reason" => reason, "code" => "").increment(1);
    // As a string, which what writes logs puts into quotes: nothing in it looks like another field.
    let shown = seen.map(|seen| (seen.field, seen.excerpt.to_string()));
    let of = |field: Field| shown.as_ref().filter(|shown| shown.0 == field).map(|shown| shown.1.as_str());
    tracing::info!(
        target: "grange",
        reason,
        status,
        host = of(Field::Host),
        origin = of(Field::Origin),
        method = of(Field::Method),
        path = of(Field::Path),
        content_type = of(Field::ContentType),
        content_encoding = of(Field::ContentEncoding),
        accept = of(Field::Accept),
        forwarded = of(Field::Forwarded),
        sessions = of(Field::Sessions),
        "refused a request"
    );
}

/// The part of a request that was refused, under the name that an operator finds it by.
pub(crate) struct Seen<'a> {
    pub(crate) field: Field,
    pub(crate) excerpt: Excerpt<'a>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Field {
    Accept,
    ContentEncoding,
    ContentType,
    Forwarded,
    Host,
    Method,
    Origin,
    Path,
    Sessions,
}

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

/// A header as it is kept for the log; `None` if there is none.
pub(crate) fn kept(header: Header<'_>) -> Option<Box<[u8]>> {
    match header {
        Header::Absent => None,
        Header::One(value) => Some(value.get(..=Excerpt::LENGTH).unwrap_or(value).into()),
        Header::Many => Some(b"several lines".as_slice().into()),
    }
}

#[cfg(any(feature = "metrics", feature = "serve"))]
pub(crate) const CONNECTIONS: &str = "grange_http_connections";
pub(crate) const REQUESTS: &str = "grange_http_requests_in_flight";
pub(crate) const SESSIONS: &str = "grange_http_sessions";
pub(crate) const STREAMS: &str = "grange_http_streams";
#[cfg(feature = "metrics")]
const REFUSALS: &str = "grange_refusals_total";

/// Something that is counted as open until it is dropped.
#[derive(Debug)]
pub(crate) struct Open(#[cfg(feature = "metrics")] &'static str);

#[cfg(feature = "metrics")]
impl Open {
    pub(crate) fn new(gauge: &'static str) -> Self {
        metrics::gauge!(gauge).increment(1.0);
        Self(gauge)
    }
}

#[cfg(feature = "metrics")]
impl Drop for Open {
    fn drop(&mut self) {
        metrics::gauge!(self.0).decrement(1.0);
    }
}

#[cfg(not(feature = "metrics"))]
impl Open {
    pub(crate) fn new(_: &'static str) -> Self {
        Self()
    }
}

/// Gives the recorder that is installed the units and descriptions of what the transport counts.
#[cfg(feature = "metrics")]
pub fn describe_metrics() {
    use metrics::{Unit, describe_counter, describe_gauge};

    describe_counter!(REFUSALS, Unit::Count, "What was refused before it was a request to anything, by reason");
    describe_gauge!(CONNECTIONS, Unit::Count, "Connections that are open");
    describe_gauge!(REQUESTS, Unit::Count, "Requests that are worked on, held streams not among them");
    describe_gauge!(SESSIONS, Unit::Count, "Sessions that are kept");
    describe_gauge!(STREAMS, Unit::Count, "Event streams that are held");
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
