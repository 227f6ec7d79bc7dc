//! The settings for tokens: issuer, audience, algorithms, keys. `build.rs` checks them as a whole.

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
/// A token is accepted if its signature is by a key that the issuer publishes for its algorithm, `iss` is the issuer, `aud` has the
/// resource, it has not expired (`exp`, which it must have) and is valid already (`nbf`, `iat`), it has a subject (`sub`), and it has the
/// scopes that are required. It must be a bearer token: one that is bound to a key (`cnf`) is not accepted.
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

/// Where the keys of the issuer come from.
#[derive(Clone)]
pub(super) enum KeysFrom {
    Discovery,
    Url(String),
    Given(String),
    Source(Arc<dyn KeySource>),
}

impl Jwt {
    /// Accepts tokens of that issuer whose audience is that resource: the public URL of the endpoint, exactly as clients write it.
    /// Both are compared byte for byte. The URL of the keys is read from the issuer's metadata when the first token arrives.
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
    /// is needed; a token that does name an audience must name this resource. Tokens of sessions that are still pending are not
    /// accepted.
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

    /// Accepts this audience instead of the resource, for issuers whose tokens name it differently, as in `api://docs`. Each call adds
    /// one.
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audiences.push(audience.into());
        self
    }

    /// Accepts only tokens that were issued to this client: `azp`, or `client_id` where there is no `azp`. Each call adds one.
    pub fn authorized_party(mut self, party: impl Into<String>) -> Self {
        self.parties.push(party.into());
        self
    }

    /// The signature algorithms that are accepted. Default: RS256, ES256 and `EdDSA`.
    pub fn algorithms(mut self, algorithms: impl IntoIterator<Item = Algorithm>) -> Self {
        self.algorithms = algorithms.into_iter().collect();
        self
    }

    /// Scopes that every request needs. Scopes for a single resource or tool are checked in its reader, with
    /// [`require_scope`](crate::require_scope).
    pub fn require_scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.required.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// The scopes that the metadata lists for clients. Default: those that are required.
    pub fn scopes_supported<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.supported.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// A token with the broad scope has the narrow one too.
    pub fn implies(mut self, broad: impl Into<String>, narrow: impl Into<String>) -> Self {
        self.hierarchy.add(broad.into(), narrow.into());
        self
    }

    /// How far the clocks of issuer and server may differ. Default 60 s.
    pub fn leeway(mut self, leeway: Duration) -> Self {
        self.leeway = leeway;
        self
    }

    /// The keys themselves, as a JWK set: nothing is ever fetched.
    pub fn jwks(mut self, json: impl Into<String>) -> Self {
        self.keys = KeysFrom::Given(json.into());
        self
    }

    /// The URL of the JWK set, for issuers without metadata.
    pub fn jwks_url(mut self, url: impl Into<String>) -> Self {
        self.keys = KeysFrom::Url(url.into());
        self
    }

    /// Another source of the JWK set.
    pub fn key_source(mut self, source: impl KeySource) -> Self {
        self.keys = KeysFrom::Source(Arc::new(source));
        self
    }

    /// The least time between two fetches of keys, whatever tokens arrive. Default 30 s.
    pub fn refresh_floor(mut self, time: Duration) -> Self {
        self.ages.floor = time;
        self
    }

    /// The time after which keys are fetched again, so that a key that the issuer withdrew is no longer accepted. Default 10 minutes.
    pub fn refresh_after(mut self, time: Duration) -> Self {
        self.ages.fresh = time;
        self
    }

    /// How long keys are used that cannot be fetched again, because the issuer is down. Default 24 hours.
    pub fn stale_for(mut self, time: Duration) -> Self {
        self.ages.stale = time;
        self
    }

    /// The clock, for tests. Default: the system's.
    pub fn clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.clock = Clock::new(clock);
        self
    }
}
