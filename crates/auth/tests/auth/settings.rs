//! Mistakes in the settings, which `build()` reports.

use grange_auth::{ApiKeys, Jwt};
use serde_json::{Value, json};

use super::signer::{EC, ED, ISSUER, RESOURCE, RSA, accepting, base64};

#[track_caller]
fn refused(settings: Jwt, words: &str) {
    let error = settings.build().expect_err(words);
    assert!(error.problems().iter().any(|problem| problem.contains(words)), "{words}: {error}");
}

#[test]
fn every_mistake_is_reported_at_once() {
    let settings = Jwt::new("issuer.example.com", "https://mcp.example.com/mcp#top")
        .algorithms([])
        .require_scopes(["docs read"])
        .scopes_supported(["offline_access"])
        .audience("")
        .authorized_party("")
        .jwks("{}");
    let error = settings.build().unwrap_err();
    let words = [
        "issuer `",
        "resource `",
        "scope `docs read`",
        "`offline_access`",
        "no algorithm",
        "audience is empty",
        "party is empty",
    ];
    assert_eq!(error.problems().len(), words.len(), "{error}");
    for (problem, word) in error.problems().iter().zip(words) {
        assert!(problem.contains(word) && problem.contains(": "), "{problem}");
    }
    assert_eq!(error.to_string().matches("; ").count(), words.len() - 1);
}

#[test]
fn urls_are_checked() {
    for issuer in ["", "http://issuer.example.com", "https://issuer.example.com?a", "https://u@issuer.example.com"] {
        refused(Jwt::new(issuer, RESOURCE), "issuer `");
    }
    refused(Jwt::new(ISSUER, "https://mcp.example.com/mcp#a"), "has a fragment: leave");
    refused(Jwt::new(ISSUER, "https://mcp.example.com/mcp?a"), "has a query: leave");
    refused(Jwt::new(ISSUER, RESOURCE).jwks_url("http://issuer.example.com/keys"), "JWKS URL `http://issuer");
    assert!(Jwt::new(ISSUER, RESOURCE).jwks_url("https://issuer.example.com/keys?p=1").build().is_ok());
    assert!(Jwt::new("http://127.0.0.1:3000", "http://localhost:8787/mcp").build().is_ok());
}

#[test]
fn given_keys_are_checked() {
    let with = |keys: &Value| Jwt::new(ISSUER, RESOURCE).jwks(keys.to_string());
    refused(Jwt::new(ISSUER, RESOURCE).jwks("-----BEGIN PUBLIC KEY-----"), "the JWK set is not JSON");
    refused(with(&ED.jwk()), "no list `keys`");
    refused(with(&json!({ "keys": [] })), "no key to verify RS256, ES256, EdDSA");
    let mut small = RSA.jwk();
    small["n"] = json!(&small["n"].as_str().unwrap()[..168]);
    let mut outside = ED.jwk();
    outside["crv"] = json!("Ed448");
    let mut odd = ED.jwk();
    odd["x"] = json!("AQ");
    let point = |name: &str| base64_simd::URL_SAFE_NO_PAD.decode_to_vec(EC.jwk()[name].as_str().unwrap()).unwrap();
    let mut mixed = EC.jwk();
    mixed["kty"] = json!("OKP");
    mixed["x"] = json!(base64([&[4], &*point("x"), &*point("y")].concat()));
    for key in [small, outside, odd, mixed, json!(5), json!({ "kty": "EC", "crv": "P-256", "x": "AQ", "y": "AQ" })] {
        refused(with(&json!({ "keys": [key] })), "no key to verify");
    }
    assert!(accepting(&[&ED]).build().is_ok());
}

#[test]
fn clerk_needs_an_authorized_party() {
    refused(Jwt::clerk(ISSUER, RESOURCE), ".authorized_party(");
    assert!(Jwt::clerk(ISSUER, RESOURCE).authorized_party("https://app.example.com").build().is_ok());
    assert!(Jwt::clerk(ISSUER, RESOURCE).audience("docs").build().is_ok());
}

#[test]
fn api_keys_are_checked() {
    let key = "0123456789abcdef";
    let check = |settings: ApiKeys, words: &str| {
        let error = settings.build().expect_err(words);
        assert!(error.problems().iter().any(|problem| problem.contains(words)), "{words}: {error}");
        assert!(!error.to_string().contains("0123456789"), "{error}");
    };
    check(ApiKeys::new(), "there is no key");
    check(ApiKeys::new().key("0123456789abcde", "alice"), "shorter than 16 characters");
    check(ApiKeys::new().key("0123456789 abcdef", "alice"), "visible ASCII");
    check(ApiKeys::new().key(key, ""), "no principal");
    check(ApiKeys::new().key(key, "alice").key(key, "bob"), "a key of `bob` is there already");
    check(ApiKeys::new().key_with_scopes(key, "alice", ["a b"]), "scope `a b`");
    check(ApiKeys::new().key(key, "alice").header("x api key"), "no legal name");
    check(ApiKeys::new().key(key, "alice").header("Authorization"), "leave `.header(…)` out");
    assert!(ApiKeys::new().key(key, "alice").key("fedcba9876543210", "alice").header("X-Api-Key").build().is_ok());
    let shown = format!("{:?}", ApiKeys::new().key(key, "alice"));
    assert!(!shown.contains(key), "{shown}");
}
