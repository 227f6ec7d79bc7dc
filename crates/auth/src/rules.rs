//! The rules for the claims of a token whose signature is verified (RFC 7519, RFC 8725, RFC 9068).

use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::claims::{Claims, Values};
use crate::members::{self, Member};
use crate::scope::Hierarchy;
use crate::token_error::TokenError;

/// The rules of one server.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) issuer: Arc<str>,
    /// `aud` must have one of them.
    pub(crate) audiences: Vec<String>,
    /// Whether a token without `aud` is accepted. One with other audiences is not.
    pub(crate) audience_may_lack: bool,
    /// `azp`, or `client_id` where there is no `azp`, must be one of them. Empty: any client.
    pub(crate) parties: Vec<String>,
    /// Whether `sts` is the status of the session, as in tokens of Clerk.
    pub(crate) has_session_status: bool,
    /// How far the clocks of issuer and server may differ.
    pub(crate) leeway: Duration,
    pub(crate) required: Vec<String>,
    pub(crate) hierarchy: Hierarchy,
}

/// The claims that the rules check.
struct Stated<'a> {
    issuer: Option<Member<'a>>,
    subject: Option<Member<'a>>,
    audience: Option<Member<'a>>,
    expiry: Option<Member<'a>>,
    start: Option<Member<'a>>,
    birth: Option<Member<'a>>,
    party: Option<Member<'a>>,
    key: Option<Member<'a>>,
    session: Option<Member<'a>>,
    /// Issuers write scopes as one string or as a list, under either name.
    scopes: [Option<Member<'a>>; 2],
}

impl<'a> Stated<'a> {
    fn read(json: &'a [u8]) -> Option<Self> {
        let names = ["iss", "sub", "aud", "exp", "nbf", "iat", "azp", "client_id", "cnf", "sts", "scope", "scp"];
        let [issuer, subject, audience, expiry, start, birth, azp, client, key, session, scope, scp] =
            members::read(json, &names)?;
        let (party, scopes) = (azp.or(client), [scope, scp]);
        Some(Self { issuer, subject, audience, expiry, start, birth, party, key, session, scopes })
    }
}

impl Rules {
    /// The claims, if they pass all rules at the time `now`.
    pub(crate) fn check(&self, json: Vec<u8>, now: SystemTime) -> Result<Claims, TokenError> {
        let stated = Stated::read(&json).ok_or(TokenError::Malformed)?;
        if text(stated.issuer.as_ref()) != Some(&*self.issuer) {
            return Err(TokenError::Issuer);
        }
        let expiry = self.check_time(&stated, now)?;
        self.check_audience(stated.audience.as_ref())?;
        self.check_party(stated.party.as_ref())?;
        if stated.key.is_some() {
            return Err(TokenError::Bound);
        }
        if self.has_session_status && text(stated.session.as_ref()) == Some("pending") {
            return Err(TokenError::Pending);
        }
        let subject = text(stated.subject.as_ref()).filter(|subject| !subject.is_empty());
        let subject = subject.ok_or(TokenError::Claim("sub"))?.to_owned();
        let scopes = self.granted(&stated.scopes);
        let values =
            Values { issuer: self.issuer.clone(), subject, scopes, expiry: Some(expiry), json, all: OnceLock::new() };
        let claims = Claims::new(values);
        if !self.required.iter().all(|scope| claims.has_scope(scope)) {
            return Err(TokenError::MissingScopes);
        }
        Ok(claims)
    }

    /// The time at which the token expires.
    fn check_time(&self, stated: &Stated<'_>, now: SystemTime) -> Result<SystemTime, TokenError> {
        let now = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        let leeway = self.leeway.as_secs_f64();
        let expiry = date(stated.expiry.as_ref(), "exp")?.ok_or(TokenError::Claim("exp"))?;
        if now >= expiry + leeway {
            return Err(TokenError::Expired);
        }
        if date(stated.start.as_ref(), "nbf")?.is_some_and(|start| start > now + leeway) {
            return Err(TokenError::NotYetValid);
        }
        if date(stated.birth.as_ref(), "iat")?.is_some_and(|issued| issued > now + leeway) {
            return Err(TokenError::IssuedLater);
        }
        let expiry = Duration::try_from_secs_f64(expiry).ok().and_then(|since| UNIX_EPOCH.checked_add(since));
        expiry.ok_or(TokenError::Claim("exp"))
    }

    fn check_audience(&self, stated: Option<&Member<'_>>) -> Result<(), TokenError> {
        let ours = |audience: &str| self.audiences.iter().any(|our| our == audience);
        let may_lack = stated.is_none() && self.audience_may_lack;
        if may_lack || stated.is_some_and(|stated| stated.listed().any(ours)) {
            Ok(())
        } else {
            Err(TokenError::Audience)
        }
    }

    fn check_party(&self, stated: Option<&Member<'_>>) -> Result<(), TokenError> {
        let allowed = |party: &str| self.parties.iter().any(|allowed| allowed == party);
        if self.parties.is_empty() || text(stated).is_some_and(allowed) {
            Ok(())
        } else {
            Err(TokenError::AuthorizedParty)
        }
    }

    fn granted(&self, stated: &[Option<Member<'_>>; 2]) -> String {
        let mut granted = String::new();
        for list in stated.iter().flatten().flat_map(Member::listed) {
            if !granted.is_empty() {
                granted.push(' ');
            }
            granted.push_str(list);
        }
        self.hierarchy.widen(&mut granted);
        granted
    }
}

fn text<'a>(claim: Option<&'a Member<'_>>) -> Option<&'a str> {
    claim?.text()
}

/// Seconds since 1970, with a fraction or without.
fn date(claim: Option<&Member<'_>>, name: &'static str) -> Result<Option<f64>, TokenError> {
    claim.map(|value| value.number().ok_or(TokenError::Claim(name))).transpose()
}
