//! Tokens in requests, claims of tokens that the issuer signed, and key sets of an issuer: only valid tokens are
//! accepted, and a denial repeats no input.

use std::pin::pin;
use std::sync::LazyLock;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, UNIX_EPOCH};

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use grange_auth::{Jwt, JwtAuthenticator};
use grange_http::Authenticator;
use http::Request;
use http::header::{AUTHORIZATION, HeaderValue};
use serde_json::{Value, json};

const NOW: u32 = 1_800_000_000;
const LEEWAY: u32 = 60;
const ISSUER: &str = "https://issuer.example.com";
const RESOURCE: &str = "https://mcp.example.com/mcp";

/// A constant key, so that seeds can have tokens with its signature.
static KEY: LazyLock<Ed25519KeyPair> =
    LazyLock::new(|| Ed25519KeyPair::from_seed_unchecked(&[7; 32]).expect("a seed of 32 bytes"));
static TOKENS: LazyLock<JwtAuthenticator> =
    LazyLock::new(|| accepting(json!({ "keys": [public_half()] }).to_string()).build().expect("settings"));

fn public_half() -> Value {
    json!({ "kid": "ed", "kty": "OKP", "crv": "Ed25519", "x": base64(KEY.public_key().as_ref()) })
}

fn accepting(keys: String) -> Jwt {
    let now = UNIX_EPOCH + Duration::from_secs(NOW.into());
    Jwt::new(ISSUER, RESOURCE).jwks(keys).leeway(Duration::from_secs(LEEWAY.into())).clock(move || now)
}

fn base64(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Reads the data as `h` and a header, `c` and the claims of a signed token, or `k` and a set of keys.
pub fn token(data: &[u8]) {
    match data.split_first() {
        Some((b'h', header)) => of_anybody(header),
        Some((b'c', claims)) => of_the_issuer(claims),
        Some((b'k', keys)) => of_a_key_set(keys),
        _ => (),
    }
}

fn of_anybody(header: &[u8]) {
    let Ok(value) = HeaderValue::from_bytes(header) else { return };
    if is_admitted(&value) {
        let text = value.to_str().expect("a token is ASCII").trim();
        let (scheme, token) = text.split_once(' ').expect("a scheme");
        assert!(scheme.eq_ignore_ascii_case("bearer"), "{text}");
        let [head, claims, _] = token.trim_start().split('.').collect::<Vec<_>>()[..] else { panic!("{text}") };
        let ours = signed(&format!("{head}.{claims}"));
        assert_eq!(token.trim_start(), ours, "the signature has two spellings, or was not verified");
    }
}

fn of_the_issuer(claims: &[u8]) {
    let header = base64(br#"{"alg":"EdDSA","kid":"ed","typ":"at+jwt"}"#);
    let token = signed(&format!("{header}.{}", base64(claims)));
    let Ok(value) = HeaderValue::try_from(format!("Bearer {token}")) else { return };
    if is_admitted(&value) {
        let claims: Value = serde_json::from_slice(claims).expect("the claims are JSON");
        let is_good = claims["iss"] == ISSUER
            && (claims["aud"] == RESOURCE
                || claims["aud"].as_array().is_some_and(|all| all.iter().any(|one| one == RESOURCE)))
            && claims["exp"].as_f64().is_some_and(|end| end > f64::from(NOW - LEEWAY))
            && claims["sub"].as_str().is_some_and(|subject| !subject.is_empty())
            && claims.get("cnf").is_none();
        assert!(is_good, "accepted with {claims}");
    }
}

/// A set may have anything beside a valid key; a set without a valid key is an error of the author.
fn of_a_key_set(keys: &[u8]) {
    // The result does not matter: it must not panic.
    let _ = accepting(String::from_utf8_lossy(keys).into_owned()).build();
    let Ok(mut set) = serde_json::from_slice::<Value>(keys) else { return };
    let Some(others) = set.get_mut("keys").and_then(Value::as_array_mut) else { return };
    others.push(public_half());
    assert!(accepting(set.to_string()).build().is_ok(), "a valid key is ignored in {set}");
}

/// Signs the text with the constant key; the same text has the same signature.
fn signed(text: &str) -> String {
    format!("{text}.{}", base64(KEY.sign(text.as_bytes()).as_ref()))
}

/// Whether the token is accepted. The keys are given, so the check does not wait.
fn is_admitted(value: &HeaderValue) -> bool {
    let (head, ()) = Request::post("/").header(AUTHORIZATION, value).body(()).expect("a request").into_parts();
    match pin!(TOKENS.authenticate(&head)).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome.is_ok(),
        Poll::Pending => panic!("it waits, although the keys are given"),
    }
}
