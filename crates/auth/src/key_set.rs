//! The keys of an issuer (a JWK set, RFC 7517), and which of them a token is signed with. The cache of them is in `keys.rs`.

use aws_lc_rs::signature::ParsedPublicKey;
use serde_json::Value;

use crate::algorithm::Algorithm;
use crate::jwk::Jwk;

/// The key that a token names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
    pub(crate) key_id: Option<&'a str>,
    pub(crate) algorithm: Algorithm,
}

/// The result of looking for a token's key in a set.
pub(crate) enum Match<'a> {
    Found(&'a ParsedPublicKey),
    /// The set has the key that the token names, but it is for other algorithms.
    OtherAlgorithm,
    /// The token names no key, and several would fit.
    Several,
    Unknown,
}

/// Keys that verify signatures.
pub(crate) struct KeySet {
    keys: Vec<Jwk>,
}

impl KeySet {
    /// Reads `{"keys": […]}`. At least one key must be for an allowed algorithm. The error is a predicate with its remedy.
    pub(crate) fn read(json: &[u8], allowed: &[Algorithm]) -> Result<Self, String> {
        let set: Value = serde_json::from_slice(json).map_err(|_| "is not JSON: give a JWK set".to_owned())?;
        let listed = set.get("keys").and_then(Value::as_array);
        let listed = listed.ok_or("has no list `keys`: give a JWK set, as in `{\"keys\": […]}`")?;
        let mut keys = Vec::new();
        for jwk in listed {
            match Jwk::read(jwk, allowed) {
                Ok(key) => keys.push(key),
                Err(problem) => tracing::debug!(key = ?jwk.get("kid"), "skipped a key of the issuer: it {problem}"),
            }
        }
        if keys.iter().any(Jwk::is_of_use) {
            return Ok(Self { keys });
        }
        let names: Vec<&str> = allowed.iter().map(|algorithm| algorithm.name()).collect();
        Err(format!("has no key to verify {}: publish one, or allow its algorithm", names.join(", ")))
    }

    /// The key that a token is signed with.
    pub(crate) fn find(&self, wanted: Wanted<'_>) -> Match<'_> {
        match wanted.key_id {
            Some(id) => self.named(id, wanted.algorithm),
            None => self.only(wanted.algorithm),
        }
    }

    /// Keys of different kinds may share an id.
    fn named(&self, id: &str, algorithm: Algorithm) -> Match<'_> {
        let mut named = self.keys.iter().filter(|key| key.id.as_deref() == Some(id)).peekable();
        if named.peek().is_none() {
            return Match::Unknown;
        }
        named.find_map(|key| key.fit_for(algorithm)).map_or(Match::OtherAlgorithm, Match::Found)
    }

    /// Without an id, a key must be the only one that fits: trying them in turn would make a set as weak as its weakest key.
    fn only(&self, algorithm: Algorithm) -> Match<'_> {
        let mut fitting = self.keys.iter().filter_map(|key| key.fit_for(algorithm));
        match (fitting.next(), fitting.next()) {
            (Some(key), None) => Match::Found(key),
            (Some(_), Some(_)) => Match::Several,
            (None, _) => Match::Unknown,
        }
    }
}
