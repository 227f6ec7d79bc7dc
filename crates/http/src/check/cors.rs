//! CORS: which pages of other origins may read the answers (Fetch standard, "CORS protocol").
//!
//! Off unless origins are named. **It grants reading, never asking**: whether a request may come at all is the `Origin` check's to
//! say, which runs first and knows the same origins.

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, ORIGIN, VARY,
};
use http::request::Parts;
use http::{Method, Response};

use crate::body::ResponseBody;
use crate::rejection;

/// The headers of requests that pages may set.
const HEADERS: &str =
    "content-type, authorization, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, last-event-id";
/// The headers of answers that pages may read, beside those that they always may.
const EXPOSED: &str = "mcp-session-id, www-authenticate";
/// How long a browser may keep what a preflight said: what most of them allow at most.
const MAX_AGE: &str = "7200";

/// The origins whose pages may read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cors {
    origins: Vec<String>,
}

/// What one request is granted, for its answer, whatever that is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grant {
    /// The origin is one of ours.
    origin: Option<HeaderValue>,
    /// Whether the answer depends on the origin at all.
    varies: bool,
}

impl Cors {
    pub(crate) fn add(&mut self, origin: &str) {
        self.origins.push(origin.to_owned());
    }

    fn is_on(&self) -> bool {
        !self.origins.is_empty()
    }

    pub(crate) fn grant(&self, headers: &HeaderMap) -> Grant {
        if !self.is_on() {
            return Grant::default();
        }
        let origin = headers
            .get(ORIGIN)
            .filter(|origin| self.origins.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(origin.as_bytes())));
        Grant { origin: origin.cloned(), varies: true }
    }

    /// The answer to a browser that asks before it sends; `None` for a request that is no such question.
    ///
    /// `credentials` is the header that they come in, if any are asked for.
    pub(crate) fn preflight(
        &self,
        head: &Parts,
        methods: &'static str,
        credentials: Option<&HeaderName>,
    ) -> Option<Response<ResponseBody>> {
        let asks = head.method == Method::OPTIONS && head.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
        if !self.is_on() || !asks {
            return None;
        }
        Some(preflight(&head.headers, methods, credentials))
    }
}

/// An answer that allows these methods and our headers; whose page it is for is the grant's to say.
pub(crate) fn preflight(
    asked: &HeaderMap,
    methods: &'static str,
    credentials: Option<&HeaderName>,
) -> Response<ResponseBody> {
    let mut response = rejection::ended();
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(methods));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, allowed_headers(asked, credentials));
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE));
    headers.append(VARY, HeaderValue::from_static("access-control-request-method, access-control-request-headers"));
    response
}

/// Ours, the one with the credentials, and those of a tool's mirrored arguments that are asked for.
fn allowed_headers(asked: &HeaderMap, credentials: Option<&HeaderName>) -> HeaderValue {
    /// Of a legitimate page there are few.
    const MOST: usize = 64;
    let lines = asked.get_all(ACCESS_CONTROL_REQUEST_HEADERS).iter().filter_map(|line| line.to_str().ok());
    let names = lines.flat_map(|line| line.split(',')).map(|name| name.trim().to_ascii_lowercase());
    let mirrored = names.filter(|name| {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        name.starts_with("mcp-param-") && name.bytes().all(is_name)
    });
    let own = credentials.filter(|name| **name != AUTHORIZATION).map(ToString::to_string);
    let allowed = own.into_iter().chain(mirrored.take(MOST)).fold(HEADERS.to_owned(), |all, name| all + ", " + &name);
    HeaderValue::try_from(allowed).unwrap_or(HeaderValue::from_static(HEADERS))
}

impl Grant {
    /// Lets every page read.
    pub(crate) fn anybody() -> Self {
        Self { origin: Some(HeaderValue::from_static("*")), varies: false }
    }

    pub(crate) fn enter(&self, response: &mut Response<ResponseBody>) {
        let headers = response.headers_mut();
        if self.varies {
            headers.append(VARY, HeaderValue::from_static("origin"));
        }
        if let Some(origin) = &self.origin {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
        }
    }
}
