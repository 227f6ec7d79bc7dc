//! The claims of a verified token. Nothing is verified here: [`Claims`] come from an authenticator.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use serde_json::{Map, Value};

/// The claims of a verified token, or of an API key. Cheap to clone.
///
/// ```
/// use grange_auth::Claims;
///
/// fn may_edit(claims: &Claims) -> bool {
///     let team = claims.get("team").and_then(|team| team.as_str());
///     claims.has_scope("files:write") && team == Some("docs")
/// }
/// ```
#[derive(Clone)]
pub struct Claims {
    values: Arc<Values>,
}

/// The parts of [`Claims`].
pub(crate) struct Values {
    pub(crate) issuer: Arc<str>,
    pub(crate) subject: String,
    /// Separated by spaces.
    pub(crate) scopes: String,
    pub(crate) expiry: Option<SystemTime>,
    /// The object, which is known to be JSON; empty for an API key.
    pub(crate) json: Vec<u8>,
    /// Its members, parsed when [`Claims::get`] is first called.
    pub(crate) all: OnceLock<Map<String, Value>>,
}

impl Claims {
    pub(crate) fn new(values: Values) -> Self {
        Self { values: Arc::new(values) }
    }

    /// Who issued the token (`iss`), byte for byte as configured; `api-key` for an API key.
    pub fn issuer(&self) -> &str {
        &self.values.issuer
    }

    /// Who the token was issued for (`sub`); the principal of an API key. It is unique only together with the issuer.
    pub fn subject(&self) -> &str {
        &self.values.subject
    }

    /// The audiences of the token (`aud`).
    pub fn audience(&self) -> impl Iterator<Item = &str> {
        listed(self.get("aud"))
    }

    /// The scopes of the token (`scope` or `scp`), and those that they imply.
    pub fn scopes(&self) -> impl Iterator<Item = &str> {
        self.values.scopes.split(' ').filter(|scope| !scope.is_empty())
    }

    /// Whether it has a scope, or one that implies it.
    pub fn has_scope(&self, scope: &str) -> bool {
        self.scopes().any(|granted| granted == scope)
    }

    /// When it expires (`exp`); an API key does not.
    pub fn expiry(&self) -> Option<SystemTime> {
        self.values.expiry
    }

    /// Any claim by its name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let read = || serde_json::from_slice(&self.values.json).unwrap_or_default();
        self.values.all.get_or_init(read).get(name)
    }
}

/// Issuer and subject only: other claims may be private.
impl fmt::Debug for Claims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (issuer, subject) = (self.issuer(), self.subject());
        f.debug_struct("Claims").field("issuer", &issuer).field("subject", &subject).finish_non_exhaustive()
    }
}

/// The strings of a claim that is one string or a list of them.
pub(crate) fn listed(claim: Option<&Value>) -> impl Iterator<Item = &str> {
    let several = claim.and_then(Value::as_array).into_iter().flatten();
    claim.into_iter().chain(several).filter_map(Value::as_str)
}
