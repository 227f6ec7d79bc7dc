//! The settings of tokens: whose they are, for whom, signed how, with which keys. `build.rs` checks them as a whole.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::algorithm::Algorithm;
use crate::clock::Clock;
use crate::keys::Ages;
use crate::scope::Hierarchy;
use crate::source::KeySource;

/// Accepts JSON Web Tokens of one issuer, made for one resource.
///
/// ```
/// use grange_auth::Jwt;
///
/// # fn main() -> Result<(), grange_auth::ConfigError> {
/// let tokens = Jwt::new("https://issuer.example.com", "https://mcp.example.com/mcp")
///     .require_scopes(["docs:read"])
///     .scopes_supported(["docs:read", "docs:write"])
///     .implies("docs:write", "docs:read")
///     .build()?;
/// # Ok(())
/// # }
/// ```
///
/// A token is good if its signature is of a key that the issuer publishes and that is meant for it, `iss` is the issuer, `aud` has
/// the resource, it is neither over (`exp`, which it must have) nor ahead of its time (`nbf`, `iat`), it names somebody (`sub`),
/// and grants the scopes that are required. It must be a bearer's: one that is bound to a key (`cnf`) is refused.
#[derive(Clone)]
#[must_use = "settings do nothing until they are built"]
pub struct Jwt {
    pub(super) issuer: String,
    pub(super) resource: String,
    pub(super) is_clerk: bool,
    pub(super) audiences: Vec<String>,
    pub(super) parties: Vec<String>,
    pub(super) algorithms: Vec<Algorithm>,
    pub(super) required: Vec<String>,
    pub(super) supported: Vec<String>,
    pub(super) hierarchy: Hierarchy,
    pub(super) leeway: Duration,
    pub(super) keys: KeysFrom,
    pub(super) ages: Ages,
    pub(super) clock: Clock,
}

/// Where the keys of the issuer are taken from.
#[derive(Clone)]
pub(super) enum KeysFrom {
    Discovery,
    Url(String),
    Given(String),
    Source(Arc<dyn KeySource>),
}

impl Jwt {
    /// Accepts tokens of that issuer whose audience is that resource: the public URL of the endpoint, as clients are given it.
    /// Both are compared byte for byte. Where the keys are is found out from the issuer's metadata when a token first comes.
    pub fn new(issuer: impl Into<String>, resource: impl Into<String>) -> Self {
        let hour = Duration::from_secs(60 * 60);
        Self {
            issuer: issuer.into(),
            resource: resource.into(),
            is_clerk: false,
            audiences: Vec::new(),
            parties: Vec::new(),
            algorithms: Algorithm::DEFAULT.to_vec(),
            required: Vec::new(),
            supported: Vec::new(),
            hierarchy: Hierarchy::default(),
            leeway: Duration::from_secs(60),
            keys: KeysFrom::Discovery,
            ages: Ages { floor: Duration::from_secs(30), fresh: hour / 6, stale: hour * 24 },
            clock: Clock::default(),
        }
    }

    /// Accepts tokens of [Clerk](https://clerk.com): the issuer is the Frontend API URL of the instance. Its tokens name the
    /// application that they were made for instead of an audience, so at least one [`authorized_party`](Self::authorized_party)
    /// is needed; one that does name an audience must name this resource. Tokens of sessions that are still pending are refused.
    ///
    /// ```
    /// use grange_auth::Jwt;
    ///
    /// # fn main() -> Result<(), grange_auth::ConfigError> {
    /// let tokens = Jwt::clerk("https://clerk.example.com", "https://mcp.example.com/mcp")
    ///     .authorized_party("https://app.example.com")
    ///     .build()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn clerk(frontend_api: impl Into<String>, resource: impl Into<String>) -> Self {
        let issuer = frontend_api.into();
        let keys = format!("{}/.well-known/jwks.json", issuer.trim_end_matches('/'));
        let settings = Self::new(issuer, resource).jwks_url(keys).algorithms([Algorithm::Rs256]);
        Self { is_clerk: true, ..settings }
    }

    /// Accepts this audience instead of the resource, for issuers whose tokens name it otherwise, as in `api://docs`. May be
    /// said several times.
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audiences.push(audience.into());
        self
    }

    /// Accepts only tokens that were issued to this client: `azp`, or `client_id` where there is no `azp`. May be said several
    /// times.
    pub fn authorized_party(mut self, party: impl Into<String>) -> Self {
        self.parties.push(party.into());
        self
    }

    /// The algorithms that are accepted. Default: RS256, ES256 and `EdDSA`.
    pub fn algorithms(mut self, algorithms: impl IntoIterator<Item = Algorithm>) -> Self {
        self.algorithms = algorithms.into_iter().collect();
        self
    }

    /// Scopes without which no request is served. What single resources need is checked where they are read, with
    /// [`require_scope`](crate::require_scope).
    pub fn require_scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.required.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// The scopes that clients are told of in the metadata. Default: those that are required.
    pub fn scopes_supported<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.supported.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// Says that a token with the broad scope has the narrow one too.
    pub fn implies(mut self, broad: impl Into<String>, narrow: impl Into<String>) -> Self {
        self.hierarchy.add(broad.into(), narrow.into());
        self
    }

    /// How far the clocks of issuer and server may be apart. Default 60 s.
    pub fn leeway(mut self, leeway: Duration) -> Self {
        self.leeway = leeway;
        self
    }

    /// The keys themselves, as a JWK set: nothing is ever fetched.
    pub fn jwks(mut self, json: impl Into<String>) -> Self {
        self.keys = KeysFrom::Given(json.into());
        self
    }

    /// Where the JWK set is, for issuers without metadata.
    pub fn jwks_url(mut self, url: impl Into<String>) -> Self {
        self.keys = KeysFrom::Url(url.into());
        self
    }

    /// Another source of the JWK set.
    pub fn key_source(mut self, source: impl KeySource) -> Self {
        self.keys = KeysFrom::Source(Arc::new(source));
        self
    }

    /// The least time between two fetches of keys, whatever tokens ask for. Default 30 s.
    pub fn refresh_floor(mut self, time: Duration) -> Self {
        self.ages.floor = time;
        self
    }

    /// After what time keys are fetched again, so that one that the issuer withdrew is accepted no longer. Default 10 minutes.
    pub fn refresh_after(mut self, time: Duration) -> Self {
        self.ages.fresh = time;
        self
    }

    /// For how long keys serve that cannot be fetched again, because the issuer is down. Default 24 hours.
    pub fn stale_for(mut self, time: Duration) -> Self {
        self.ages.stale = time;
        self
    }

    /// What says how late it is, for tests. Default: the system's clock.
    pub fn clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.clock = Clock::new(clock);
        self
    }
}
