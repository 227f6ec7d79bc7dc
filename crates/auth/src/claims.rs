//! What a verified token says. Nothing here is verified: whoever holds [`Claims`] got them from an authenticator.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use serde_json::{Map, Value};

/// What a verified token says, or what is known of an API key. Cheap to clone.
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
    said: Arc<Said>,
}

/// The parts of [`Claims`].
pub(crate) struct Said {
    pub(crate) issuer: Arc<str>,
    pub(crate) subject: String,
    /// Separated by spaces.
    pub(crate) scopes: String,
    pub(crate) expiry: Option<SystemTime>,
    /// An object that was visited to its end; empty for an API key.
    pub(crate) json: Vec<u8>,
    /// What is in it, once somebody asked.
    pub(crate) all: OnceLock<Map<String, Value>>,
}

impl Claims {
    pub(crate) fn new(said: Said) -> Self {
        Self { said: Arc::new(said) }
    }

    /// Who issued the token (`iss`), byte for byte as configured; `api-key` for an API key.
    pub fn issuer(&self) -> &str {
        &self.said.issuer
    }

    /// Who it was issued for (`sub`); the principal of an API key. Only together with the issuer does it name somebody.
    pub fn subject(&self) -> &str {
        &self.said.subject
    }

    /// Where it is valid (`aud`).
    pub fn audience(&self) -> impl Iterator<Item = &str> {
        listed(self.get("aud"))
    }

    /// The scopes that it grants (`scope` or `scp`), and those that they imply.
    pub fn scopes(&self) -> impl Iterator<Item = &str> {
        self.said.scopes.split(' ').filter(|scope| !scope.is_empty())
    }

    /// Whether it grants a scope, by itself or by one that implies it.
    pub fn has_scope(&self, scope: &str) -> bool {
        self.scopes().any(|granted| granted == scope)
    }

    /// When it ends (`exp`); an API key does not.
    pub fn expiry(&self) -> Option<SystemTime> {
        self.said.expiry
    }

    /// Any claim by its name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let read = || serde_json::from_slice(&self.said.json).unwrap_or_default();
        self.said.all.get_or_init(read).get(name)
    }
}

/// Who it is, and nothing else that may be private.
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
