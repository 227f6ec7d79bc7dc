//! CORS: which pages of other origins may read responses (Fetch standard, "CORS protocol").
//!
//! Off unless origins are named. **It permits reading responses, never sending requests**: the `Origin` check decides about those; it
//! runs first and knows the same origins.

use http::Method;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, ORIGIN, VARY,
};
use http::request::Parts;

use crate::head::PARAMETER_PREFIX;

/// The headers of requests that pages may set.
const HEADERS: &str =
    "content-type, authorization, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, last-event-id";
/// The headers of responses that pages may read, in addition to those that the standard always allows.
const EXPOSED: &str = "mcp-session-id, www-authenticate";
/// How many seconds a browser may cache a preflight: the most that most of them allow.
const MAX_AGE: &str = "7200";

/// The origins whose pages may read.
#[derive(Debug, Default)]
pub(crate) struct Cors {
    origins: Vec<String>,
}

/// The CORS headers for every response to one request.
#[derive(Clone, Debug, Default)]
pub(crate) struct CorsHeaders {
    /// The origin whose pages may read it.
    origin: Option<HeaderValue>,
    /// Whether the response depends on the origin at all.
    varies: bool,
}

impl Cors {
    pub(crate) fn add(&mut self, origin: &str) {
        self.origins.push(origin.to_owned());
    }

    fn is_on(&self) -> bool {
        !self.origins.is_empty()
    }

    pub(crate) fn headers_for(&self, request: &HeaderMap) -> CorsHeaders {
        if !self.is_on() {
            return CorsHeaders::default();
        }
        let origin = request
            .get(ORIGIN)
            .filter(|origin| self.origins.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(origin.as_bytes())));
        CorsHeaders { origin: origin.cloned(), varies: true }
    }

    /// The headers that answer a CORS preflight; `None` if the request is none.
    ///
    /// `credentials` is the header that an authenticator reads, if there is one.
    pub(crate) fn preflight(
        &self,
        head: &Parts,
        methods: &'static str,
        credentials: Option<&HeaderName>,
    ) -> Option<HeaderMap> {
        let is_preflight = head.method == Method::OPTIONS && head.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
        if !self.is_on() || !is_preflight {
            return None;
        }
        Some(preflight(&head.headers, methods, credentials))
    }
}

/// Headers that allow these methods and our request headers. The origin is not among them: see [`CorsHeaders`].
pub(crate) fn preflight(request: &HeaderMap, methods: &'static str, credentials: Option<&HeaderName>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(methods));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, allowed_headers(request, credentials));
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE));
    headers.append(VARY, HeaderValue::from_static("access-control-request-method, access-control-request-headers"));
    headers
}

/// Our request headers, the one with the credentials, and the requested ones that mirror a tool's arguments.
fn allowed_headers(request: &HeaderMap, credentials: Option<&HeaderName>) -> HeaderValue {
    /// A legitimate page requests few.
    const MOST: usize = 64;
    let lines = request.get_all(ACCESS_CONTROL_REQUEST_HEADERS).iter().filter_map(|line| line.to_str().ok());
    let names = lines.flat_map(|line| line.split(',')).map(|name| name.trim().to_ascii_lowercase());
    let mirrored = names.filter(|name| {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        name.starts_with(PARAMETER_PREFIX) && name.bytes().all(is_name)
    });
    let own = credentials.filter(|name| **name != AUTHORIZATION).map(ToString::to_string);
    let allowed = own.into_iter().chain(mirrored.take(MOST)).fold(HEADERS.to_owned(), |all, name| all + ", " + &name);
    HeaderValue::try_from(allowed).unwrap_or(HeaderValue::from_static(HEADERS))
}

impl CorsHeaders {
    /// Every page may read the response.
    pub(crate) fn for_every_page() -> Self {
        Self { origin: Some(HeaderValue::from_static("*")), varies: false }
    }

    /// Adds them to those of the response.
    pub(crate) fn add_to(&self, headers: &mut HeaderMap) {
        if self.varies {
            headers.append(VARY, HeaderValue::from_static("origin"));
        }
        if let Some(origin) = &self.origin {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{LAST_EVENT_ID, METHOD, NAME, PROTOCOL_VERSION, SESSION_ID};

    #[test]
    fn pages_may_set_and_read_the_headers_of_the_protocol() {
        let list = |text: &'static str| text.split(", ").collect::<Vec<_>>();
        for name in [LAST_EVENT_ID, METHOD, NAME, PROTOCOL_VERSION, SESSION_ID] {
            assert!(list(HEADERS).contains(&name.as_str()), "{name}");
        }
        assert!(list(EXPOSED).contains(&SESSION_ID.as_str()));
    }
}
