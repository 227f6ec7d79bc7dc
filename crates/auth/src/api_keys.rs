//! Static keys, for a server without an issuer: a few secrets that the author gives to callers.
//!
//! **A key is hashed, and the hashes are compared in constant time, with all of them**: the time of a response does not show how much
//! of a key was right, how long it is, or which one it is similar to. The keys themselves are not kept.

use std::fmt;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{Digest, SHA256, digest};
use grange_http::{AuthRejection, Authenticator, Identity};
use http::HeaderMap;
use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use http::request::Parts;

use crate::challenge::Challenges;
use crate::claims::{Claims, Values};
use crate::credentials;
use crate::error::ConfigError;
use crate::scope;
use crate::token_error::TokenError;

/// Shorter keys can be guessed.
const LEAST_BYTES: usize = 16;

/// Accepts static keys, in `Authorization: Bearer …` or in a header of their own.
///
/// ```
/// use grange_auth::ApiKeys;
///
/// # fn main() -> Result<(), grange_auth::ConfigError> {
/// # let (alice, ci) = ("0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210");
/// let keys = ApiKeys::new()
///     .key(alice, "alice")
///     .key_with_scopes(ci, "ci", ["docs:read"])
///     .build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
#[must_use = "settings do nothing until they are built"]
pub struct ApiKeys {
    keys: Vec<Key>,
    header: Option<String>,
    problems: Vec<String>,
}

struct Key {
    digest: Digest,
    claims: Claims,
}

impl ApiKeys {
    /// No keys yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Accepts a key of a principal. One principal may have several, such as an old and a new one.
    pub fn key(self, key: impl AsRef<str>, principal: impl AsRef<str>) -> Self {
        self.key_with_scopes(key, principal, [""; 0])
    }

    /// Accepts a key of a principal, which has these scopes.
    pub fn key_with_scopes<S: Into<String>>(
        mut self,
        key: impl AsRef<str>,
        principal: impl AsRef<str>,
        scopes: impl IntoIterator<Item = S>,
    ) -> Self {
        let (key, principal) = (key.as_ref(), principal.as_ref());
        let scopes: Vec<String> = scopes.into_iter().map(Into::into).collect();
        self.problems.extend(problem(key, principal));
        self.problems.extend(scope::problems(&scopes));
        let digest = digest(&SHA256, key.as_bytes());
        if self.keys.iter().any(|other| other.digest.as_ref() == digest.as_ref()) {
            self.problems.push(format!("a key of `{principal}` is there already: give each principal its own"));
        }
        self.keys.push(Key { digest, claims: known(principal, &scopes) });
        self
    }

    /// Takes keys from this header instead of `Authorization`, as in `x-api-key`.
    pub fn header(mut self, name: impl Into<String>) -> Self {
        self.header = Some(name.into());
        self
    }

    /// The authenticator with these keys.
    ///
    /// # Errors
    /// All mistakes in the settings, each with its remedy.
    pub fn build(mut self) -> Result<ApiKeyAuthenticator, ConfigError> {
        if self.keys.is_empty() {
            self.problems
                .push("there is no key, so that every request would be rejected: add one with `.key(…)`".to_owned());
        }
        let header = self.header.map(|name| checked_header(&name)).transpose();
        let header = header.map_err(|problem| self.problems.push(problem)).unwrap_or_default();
        if !self.problems.is_empty() {
            return Err(ConfigError::new(self.problems));
        }
        let challenges = Challenges::new(None, &[]);
        Ok(ApiKeyAuthenticator { inner: Arc::new(Inner { keys: self.keys, header, challenges }) })
    }
}

/// The number of keys, and no key.
impl fmt::Debug for ApiKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiKeys").field("keys", &self.keys.len()).field("header", &self.header).finish_non_exhaustive()
    }
}

fn known(principal: &str, scopes: &[String]) -> Claims {
    let (issuer, subject, scopes) = ("api-key".into(), principal.to_owned(), scopes.join(" "));
    Claims::new(Values { issuer, subject, scopes, expiry: None, json: Vec::new(), all: OnceLock::new() })
}

fn problem(key: &str, principal: &str) -> Option<String> {
    if principal.is_empty() {
        return Some("a key has no principal: name one".to_owned());
    }
    if key.len() < LEAST_BYTES {
        let remedy = "make one with `openssl rand -hex 32`";
        return Some(format!("a key of `{principal}` is shorter than {LEAST_BYTES} characters: {remedy}"));
    }
    let sendable = key.bytes().all(|byte| byte.is_ascii_graphic());
    (!sendable).then(|| format!("a key of `{principal}` cannot be sent in a header: use visible ASCII without spaces"))
}

fn checked_header(name: &str) -> Result<HeaderName, String> {
    let parsed = HeaderName::try_from(name);
    let parsed = parsed.map_err(|_| format!("header `{name}` has no legal name: write it as in `x-api-key`"))?;
    if parsed == AUTHORIZATION {
        return Err("header `authorization` holds a scheme too: leave `.header(…)` out to use it".to_owned());
    }
    Ok(parsed)
}

/// Accepts static keys; made by [`ApiKeys::build`]. Cheap to clone.
///
/// ```
/// use grange_auth::ApiKeys;
/// use grange_core::Server;
/// use grange_http::HttpService;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let alice = "0123456789abcdef0123456789abcdef";
/// let server = Server::builder("documentation", "1.0.0").build()?;
/// let keys = ApiKeys::new().key(alice, "alice").build()?;
/// let service = HttpService::builder(server).authenticator(keys).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ApiKeyAuthenticator {
    inner: Arc<Inner>,
}

struct Inner {
    keys: Vec<Key>,
    header: Option<HeaderName>,
    challenges: Challenges,
}

impl ApiKeyAuthenticator {
    fn verify(&self, headers: &HeaderMap) -> Result<Claims, TokenError> {
        let key = match &self.inner.header {
            Some(name) => credentials::bare(headers, name),
            None => credentials::bearer(headers),
        }?;
        let digest = digest(&SHA256, key.as_bytes());
        let mut found = None;
        for known in &self.inner.keys {
            if verify_slices_are_equal(known.digest.as_ref(), digest.as_ref()).is_ok() {
                found = Some(&known.claims);
            }
        }
        found.cloned().ok_or(TokenError::ForeignKey)
    }

    fn deny(&self, error: TokenError) -> AuthRejection {
        tracing::debug!(%error, "denied a request");
        match &self.inner.header {
            None => self.inner.challenges.deny(error),
            Some(name) => deny_without(name, error),
        }
    }
}

/// The rejection of a request without a valid key in the header of that name.
fn deny_without(name: &HeaderName, error: TokenError) -> AuthRejection {
    let challenge = own_challenge(name);
    match error {
        TokenError::Several => {
            AuthRejection::bad_request(challenge, format!("send your key as `{name}: …`, in one line"))
        }
        _ => AuthRejection::unauthorized(challenge, format!("send your key as `{name}: …`: {error}")),
    }
}

/// A 401 must have a challenge, and no registered scheme is for a header of another name.
fn own_challenge(name: &HeaderName) -> HeaderValue {
    let text = format!("ApiKey header=\"{name}\"");
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("ApiKey"))
}

#[async_trait]
impl Authenticator for ApiKeyAuthenticator {
    async fn authenticate(&self, head: &Parts) -> Result<Identity, AuthRejection> {
        let claims = self.verify(&head.headers).map_err(|error| self.deny(error))?;
        Ok(Identity::new(claims.subject().to_owned()).with(claims))
    }

    fn step_up(&self, scopes: &str) -> HeaderValue {
        match &self.inner.header {
            None => self.inner.challenges.step_up(scopes),
            Some(name) => own_challenge(name),
        }
    }

    fn header(&self) -> HeaderName {
        self.inner.header.clone().unwrap_or(AUTHORIZATION)
    }
}

impl fmt::Debug for ApiKeyAuthenticator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiKeyAuthenticator").field("keys", &self.inner.keys.len()).finish_non_exhaustive()
    }
}
