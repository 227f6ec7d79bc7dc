//! The request headers that a well-behaved HTTP client derives from the bodies it posts.

use grange_core::Revision;
use serde_json::Value;

const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// The `mcp-*` headers of one HTTP client without a session.
///
/// A message that carries its own metadata, or belongs to a revision without a handshake, gets the mirrored headers
/// (2026-07-28 streamable-http, "Request metadata"). Any other gets the version header alone, once `initialize` was
/// sent and if its revision has one.
///
/// ```
/// use grange_core::Revision;
/// use grange_testkit::ClientHeaders;
/// let mut headers = ClientHeaders::new(Revision::V2026_07_28);
/// let body = br#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs://a"}}"#;
/// let headers = headers.of(body);
/// assert_eq!(headers[1], ("mcp-method", "resources/read".to_owned()));
/// assert_eq!(headers[2], ("mcp-name", "docs://a".to_owned()));
/// ```
#[derive(Clone, Debug)]
pub struct ClientHeaders {
    revision: Revision,
    opened: bool,
}

impl ClientHeaders {
    /// The headers of a client that has sent nothing yet.
    pub fn new(revision: Revision) -> Self {
        Self { revision, opened: false }
    }

    /// The headers for the body that is sent next, each with its lower-case name. What is no JSON gets them as if it were
    /// a message.
    pub fn of(&mut self, body: &[u8]) -> Vec<(&'static str, String)> {
        let message: Value = serde_json::from_slice(body).unwrap_or_default();
        let marked = message["params"]["_meta"][PROTOCOL_VERSION].as_str();
        if self.revision.has_handshake() && marked.is_none() {
            return self.unmarked(message["method"] == "initialize");
        }
        let mut headers = vec![("mcp-protocol-version", marked.unwrap_or(self.revision.name()).to_owned())];
        headers.extend(message["method"].as_str().map(|method| ("mcp-method", field_value(method))));
        headers.extend(named(&message).map(|name| ("mcp-name", field_value(name))));
        headers
    }

    fn unmarked(&mut self, opens: bool) -> Vec<(&'static str, String)> {
        let says_so = self.opened && !opens && self.revision.has_version_header();
        let version = says_so.then(|| ("mcp-protocol-version", self.revision.name().to_owned()));
        self.opened |= opens;
        version.into_iter().collect()
    }
}

/// What `Mcp-Name` mirrors: the thing that a method of this name is about.
fn named(message: &Value) -> Option<&str> {
    match message["method"].as_str()? {
        "resources/read" => message["params"]["uri"].as_str(),
        "tools/call" | "prompts/get" => message["params"]["name"].as_str(),
        _ => None,
    }
}

/// A value as a header can carry it: literal where that is unambiguous, else base64 between markers.
fn field_value(value: &str) -> String {
    let visible = value.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let trimmed = value.trim_matches(' ').len() == value.len();
    let encoded = value.starts_with("=?base64?") && value.ends_with("?=");
    if visible && trimmed && !encoded { value.to_owned() } else { format!("=?base64?{}?=", base64(value.as_bytes())) }
}

/// Standard base64 with padding. Written out: a test of the server's decoder should not share its crate.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().chain([&0; 2]).take(3).fold(0_usize, |group, byte| group << 8 | usize::from(*byte));
        let digits = (0..=chunk.len()).map(|index| char::from(ALPHABET[group >> (18 - 6 * index) & 63]));
        out.extend(digits);
        out.push_str(&"=="[..3 - chunk.len()]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_a_header_cannot_carry_are_encoded() {
        for (value, expected) in [
            ("docs://a b", "docs://a b"),
            ("demo://café", "=?base64?ZGVtbzovL2NhZsOp?="),
            (" a", "=?base64?IGE=?="),
            ("a\n", "=?base64?YQo=?="),
            ("=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="),
            ("", ""),
        ] {
            assert_eq!(field_value(value), expected);
        }
    }

    #[test]
    fn the_version_header_comes_only_after_the_handshake() {
        let mut headers = ClientHeaders::new(Revision::V2025_11_25);
        let mut of = |method| headers.of(format!(r#"{{"method":"{method}"}}"#).as_bytes());
        assert_eq!([of("ping"), of("initialize")], [vec![], vec![]]);
        assert_eq!(of("ping"), [("mcp-protocol-version", "2025-11-25".to_owned())]);
    }

    #[test]
    fn a_marked_message_is_mirrored_on_any_revision() {
        let body = format!(r#"{{"method":"server/discover","params":{{"_meta":{{"{PROTOCOL_VERSION}":"v999"}}}}}}"#);
        let headers = ClientHeaders::new(Revision::V2025_11_25).of(body.as_bytes());
        assert_eq!(headers[0].1, "v999");
        assert_eq!(headers[1].1, "server/discover");
    }
}
