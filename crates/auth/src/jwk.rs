//! One key of a JWK set (RFC 7517), and the algorithms that it may verify.
//!
//! **A key verifies only with the algorithms that its own members allow.** They are found here, once, from `kty`, `crv`, `alg`, `use` and
//! `key_ops`; a token can only choose among them. Keys that cannot be used are skipped, as RFC 7517 section 5 requires, since issuers
//! also publish keys for other purposes.

use std::ops::RangeInclusive;

use aws_lc_rs::signature::ParsedPublicKey;
use base64_simd::URL_SAFE_NO_PAD;
use serde_json::Value;

use crate::algorithm::Algorithm;

type Uses = Vec<(Algorithm, ParsedPublicKey)>;

/// A key for signatures, parsed for each algorithm that it may be used with.
pub(crate) struct Jwk {
    pub(crate) id: Option<String>,
    uses: Uses,
}

impl Jwk {
    /// Reads a key; the error is a predicate.
    pub(crate) fn read(jwk: &Value, allowed: &[Algorithm]) -> Result<Self, &'static str> {
        check_purpose(jwk)?;
        let named = jwk.get("alg").map(|name| name.as_str().and_then(Algorithm::named));
        let fits = |algorithm: &Algorithm| named.is_none_or(|named| named == Some(*algorithm));
        let allowed: Vec<Algorithm> = allowed.iter().copied().filter(fits).collect();
        let uses = match text(jwk, "kty") {
            Some("RSA") => rsa(jwk, &allowed)?,
            Some("EC") => elliptic(jwk, &allowed)?,
            Some("OKP") => edwards(jwk, &allowed)?,
            _ => return Err("is of no kind that verifies signatures"),
        };
        Ok(Self { id: text(jwk, "kid").map(str::to_owned), uses })
    }

    /// The key, parsed for an algorithm.
    pub(crate) fn fit_for(&self, algorithm: Algorithm) -> Option<&ParsedPublicKey> {
        self.uses.iter().find(|(fit, _)| *fit == algorithm).map(|(_, key)| key)
    }

    pub(crate) fn is_of_use(&self) -> bool {
        !self.uses.is_empty()
    }
}

fn check_purpose(jwk: &Value) -> Result<(), &'static str> {
    if jwk.get("d").is_some() {
        return Err("holds its private half, which is therefore no secret: publish another key");
    }
    let for_signatures = jwk.get("use").is_none_or(|purpose| purpose == "sig");
    let verifies = |operations: &Value| operations.as_array().is_some_and(|all| all.iter().any(|one| one == "verify"));
    if for_signatures && jwk.get("key_ops").is_none_or(verifies) {
        return Ok(());
    }
    Err("is for another purpose than to verify signatures")
}

/// From 2048 to 8192 bits. The library checks the exact number of bits.
const RSA_BYTES: RangeInclusive<usize> = 256..=1024;

fn rsa(jwk: &Value, allowed: &[Algorithm]) -> Result<Uses, &'static str> {
    let (n, e) = (number(jwk, "n")?, number(jwk, "e")?);
    if !RSA_BYTES.contains(&n.len()) {
        return Err("has less than 2048 or more than 8192 bits");
    }
    Ok(made(allowed, |algorithm| algorithm.rsa_key(&n, &e)))
}

fn elliptic(jwk: &Value, allowed: &[Algorithm]) -> Result<Uses, &'static str> {
    let curve = text(jwk, "crv").unwrap_or_default();
    let (x, y) = (octets(jwk, "x")?, octets(jwk, "y")?);
    if x.len() != y.len() {
        return Err("has coordinates of different lengths");
    }
    let point = [&[4], &*x, &*y].concat();
    Ok(made(allowed, |algorithm| algorithm.curve_key(curve, &point)))
}

fn edwards(jwk: &Value, allowed: &[Algorithm]) -> Result<Uses, &'static str> {
    let curve = text(jwk, "crv").unwrap_or_default();
    let x = octets(jwk, "x")?;
    Ok(made(allowed, |algorithm| algorithm.curve_key(curve, &x).filter(|_| algorithm == Algorithm::EdDsa)))
}

/// The key for each algorithm that takes it.
fn made(allowed: &[Algorithm], make: impl Fn(Algorithm) -> Option<ParsedPublicKey>) -> Uses {
    allowed.iter().filter_map(|algorithm| Some((*algorithm, make(*algorithm)?))).collect()
}

fn text<'a>(jwk: &'a Value, name: &str) -> Option<&'a str> {
    jwk.get(name)?.as_str()
}

fn octets(jwk: &Value, name: &str) -> Result<Vec<u8>, &'static str> {
    let text = text(jwk, name).ok_or("lacks a member of its kind")?;
    URL_SAFE_NO_PAD.decode_to_vec(text).map_err(|_| "has a member that is not base64url")
}

/// A number, without the zeros that some issuers put before it.
fn number(jwk: &Value, name: &str) -> Result<Vec<u8>, &'static str> {
    let octets = octets(jwk, name)?;
    let zeros = octets.iter().take_while(|octet| **octet == 0).count();
    Ok(octets.split_at(zeros).1.to_vec())
}
