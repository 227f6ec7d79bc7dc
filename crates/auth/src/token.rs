//! The form of a token: three parts (RFC 7515, compact form), a header that names a key, a signature. The rules for its claims are in
//! `rules.rs`.
//!
//! **The header can only choose among what is allowed**: keys that a token contains or points to (`jwk`, `jku`, `x5c`, `x5u`) are never
//! used, a token that requires an extension (`crit`) is not accepted, and claims are not read before the signature is verified.

use aws_lc_rs::signature::ParsedPublicKey;
use base64_simd::URL_SAFE_NO_PAD;

use crate::algorithm::Algorithm;
use crate::key_set::Wanted;
use crate::members::{self, Member};
use crate::token_error::TokenError;

/// A token whose signature is still to be verified.
pub(crate) struct Token<'a> {
    signed: &'a str,
    payload: &'a str,
    signature: &'a str,
    algorithm: Algorithm,
    key_id: Option<String>,
}

impl<'a> Token<'a> {
    /// Splits a token and reads its header.
    pub(crate) fn read(text: &'a str, allowed: &[Algorithm]) -> Result<Self, TokenError> {
        let (signed, signature) = text.rsplit_once('.').ok_or(TokenError::Malformed)?;
        let (header, payload) = signed.split_once('.').ok_or(TokenError::Malformed)?;
        if payload.contains('.') {
            return Err(TokenError::Malformed);
        }
        let header = decoded(header)?;
        let members = members::read(&header, &["alg", "kid", "typ", "crit"]);
        let [algorithm, key_id, purpose, critical] = members.ok_or(TokenError::Malformed)?;
        let named = algorithm.as_ref().and_then(Member::text).and_then(Algorithm::named);
        let algorithm = named.filter(|named| allowed.contains(named)).ok_or(TokenError::Algorithm)?;
        if critical.is_some() {
            return Err(TokenError::Critical);
        }
        check_purpose(purpose.as_ref())?;
        let key_id = match key_id {
            None => None,
            Some(Member::Text(id)) => Some(id.into_owned()),
            Some(_) => return Err(TokenError::Malformed),
        };
        Ok(Self { signed, payload, signature, algorithm, key_id })
    }

    /// The key that its header names.
    pub(crate) fn wanted(&self) -> Wanted<'_> {
        Wanted { key_id: self.key_id.as_deref(), algorithm: self.algorithm }
    }

    /// The claims as JSON, once the signature is verified.
    pub(crate) fn open(&self, key: &ParsedPublicKey) -> Result<Vec<u8>, TokenError> {
        let signature = decoded(self.signature)?;
        key.verify_sig(self.signed.as_bytes(), &signature).map_err(|_| TokenError::Signature)?;
        decoded(self.payload)
    }
}

/// A token that names its type must be an access token: issuers sign proofs of possession and logout notices with the same keys.
fn check_purpose(stated: Option<&Member<'_>>) -> Result<(), TokenError> {
    let Some(stated) = stated else { return Ok(()) };
    let stated = stated.text().ok_or(TokenError::Malformed)?;
    let is = |name: &str| stated.eq_ignore_ascii_case(name);
    if ["JWT", "at+jwt", "application/at+jwt", "application/jwt"].into_iter().any(is) {
        return Ok(());
    }
    Err(TokenError::Type)
}

fn decoded(part: &str) -> Result<Vec<u8>, TokenError> {
    URL_SAFE_NO_PAD.decode_to_vec(part).map_err(|_| TokenError::Malformed)
}
