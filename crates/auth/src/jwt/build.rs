//! From settings to an authenticator: every mistake is found here, at once, and without the network.

use std::fmt;
use std::sync::Arc;

use super::settings::{Jwt, KeysFrom};
use crate::address::Address;
use crate::authenticator::{JwtAuthenticator, JwtSettings};
use crate::challenge::Challenges;
use crate::error::ConfigError;
use crate::fetch::Fetcher;
use crate::key_set::KeySet;
use crate::keys::{Cache, Keys};
use crate::metadata;
use crate::rules::Rules;
use crate::scope;
use crate::source::{Discovered, KeySource, Published};

impl Jwt {
    /// The authenticator with these settings. No key is fetched yet.
    ///
    /// # Errors
    /// All mistakes in the settings, each with its remedy.
    pub fn build(self) -> Result<JwtAuthenticator, ConfigError> {
        let mut problems = Vec::new();
        let issuer = named("issuer", Address::parse_name(&self.issuer), &self.issuer, &mut problems);
        let resource = named("resource", Address::parse_name(&self.resource), &self.resource, &mut problems);
        problems.extend(self.problems());
        let keys = issuer.as_ref().and_then(|issuer| noted(self.keys(issuer), &mut problems));
        match (issuer, resource, keys) {
            (Some(issuer), Some(resource), Some(keys)) if problems.is_empty() => {
                Ok(self.assemble(&issuer, &resource, keys))
            }
            _ => Err(ConfigError::new(problems)),
        }
    }

    /// The problems of the settings other than URLs and keys.
    fn problems(&self) -> Vec<String> {
        let scopes = self.required.iter().chain(&self.supported).chain(self.hierarchy.scopes());
        let mut problems = scope::problems(scopes);
        if self.algorithms.is_empty() {
            problems.push("no algorithm is accepted: name one, or leave `.algorithms(…)` out".to_owned());
        }
        if self.audiences.iter().any(String::is_empty) {
            problems.push("an audience is empty: name it, or leave `.audience(…)` out".to_owned());
        }
        if self.parties.iter().any(String::is_empty) {
            problems.push("an authorized party is empty: name it, or leave `.authorized_party(…)` out".to_owned());
        }
        if self.is_clerk && self.parties.is_empty() && self.audiences.is_empty() {
            let remedy = "name the origins of your applications with `.authorized_party(\"https://app.example.com\")`";
            problems.push(format!("tokens of any application of the instance would be accepted: {remedy}"));
        }
        problems
    }

    fn keys(&self, issuer: &Address) -> Result<Keys, String> {
        let source: Arc<dyn KeySource> = match &self.keys {
            KeysFrom::Given(json) => {
                let set = KeySet::read(json.as_bytes(), &self.algorithms);
                return set.map(|set| Keys::Fixed(Arc::new(set))).map_err(|problem| format!("the JWK set {problem}"));
            }
            KeysFrom::Source(source) => source.clone(),
            KeysFrom::Url(url) => {
                let address = Address::parse(url).map_err(|problem| format!("JWKS URL `{url}` {problem}"))?;
                let fetcher = if address.is_https() { Fetcher::new() } else { Fetcher::plain() }?;
                Arc::new(Published { fetcher, address })
            }
            KeysFrom::Discovery => {
                let fetcher = if issuer.is_https() { Fetcher::new() } else { Fetcher::plain() }?;
                Arc::new(Discovered { fetcher, issuer: issuer.clone() })
            }
        };
        Ok(Keys::Fetched(Cache::new(source, &self.algorithms, self.clock.clone(), self.ages)))
    }

    fn assemble(self, issuer: &Address, resource: &Address, keys: Keys) -> JwtAuthenticator {
        let supported = if self.supported.is_empty() { &self.required } else { &self.supported };
        let metadata = metadata::document(resource, issuer, supported);
        let challenges = Challenges::new(Some(metadata::url(resource)), &self.required);
        let audience_may_lack = self.is_clerk && self.audiences.is_empty();
        let audiences = if self.audiences.is_empty() { vec![self.resource] } else { self.audiences };
        let rules = Rules {
            issuer: self.issuer.into(),
            audiences,
            audience_may_lack,
            parties: self.parties,
            has_session_status: self.is_clerk,
            leeway: self.leeway,
            required: self.required,
            hierarchy: self.hierarchy,
        };
        JwtAuthenticator::new(JwtSettings {
            rules,
            keys,
            algorithms: self.algorithms,
            clock: self.clock,
            challenges,
            metadata,
        })
    }
}

/// The settings hold no secret, but a source of keys may.
impl fmt::Debug for Jwt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jwt").field("issuer", &self.issuer).field("resource", &self.resource).finish_non_exhaustive()
    }
}

fn named(what: &str, parsed: Result<Address, String>, text: &str, problems: &mut Vec<String>) -> Option<Address> {
    noted(parsed.map_err(|problem| format!("{what} `{text}` {problem}")), problems)
}

fn noted<T>(outcome: Result<T, String>, problems: &mut Vec<String>) -> Option<T> {
    outcome.map_err(|problem| problems.push(problem)).ok()
}
