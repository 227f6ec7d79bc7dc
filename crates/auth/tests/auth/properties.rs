//! Holds for every header: nothing panics, and no unsigned token is accepted.

use std::pin::pin;
use std::sync::LazyLock;
use std::task::{Context, Poll, Waker};

use grange_auth::{ApiKeys, JwtAuthenticator};
use grange_http::{AuthRejection, Authenticator, Identity};
use http::Request;
use http::header::{AUTHORIZATION, HeaderValue};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::signer::{ED, RSA, accepting, base64};

static TOKENS: LazyLock<JwtAuthenticator> = LazyLock::new(|| {
    accepting(&[&ED, &RSA]).require_scopes(["docs:read"]).implies("docs:all", "docs:read").build().unwrap()
});

/// Authenticates a header; with fixed keys that never waits.
fn authenticate(authenticator: &impl Authenticator, value: HeaderValue) -> Result<Identity, AuthRejection> {
    let (head, ()) = Request::post("/").header(AUTHORIZATION, value).body(()).unwrap().into_parts();
    match pin!(authenticator.authenticate(&head)).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => panic!("it waits, though the keys are given"),
    }
}

/// Bytes, text, and texts that look enough like a token to pass the first checks.
fn header() -> impl Strategy<Value = Vec<u8>> {
    let part = || {
        prop_oneof![
            "[A-Za-z0-9_-]{0,12}",
            json_value().prop_map(|value| base64(value.to_string())),
            Just(base64(ED.header().to_string()))
        ]
    };
    let token =
        prop::collection::vec(part(), 0..5).prop_map(|parts| format!("Bearer {}", parts.join(".")).into_bytes());
    prop_oneof![prop::collection::vec(any::<u8>(), 0..64), "(?i:bearer) ?.{0,24}".prop_map(String::into_bytes), token]
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z: ]{0,8}".prop_map(Value::from),
    ];
    let names = "alg|kid|typ|crit|iss|sub|aud|exp|nbf|iat|scope|scp|cnf|[a-z]{1,3}";
    leaf.prop_recursive(3, 16, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(names, inner, 0..4).prop_map(|members| json!(members)),
        ]
    })
}

/// Claims that are good but for one or two.
fn claims() -> impl Strategy<Value = Value> {
    let name = prop_oneof![
        Just("iss"),
        Just("sub"),
        Just("aud"),
        Just("exp"),
        Just("nbf"),
        Just("iat"),
        Just("scope"),
        Just("scp")
    ];
    prop::collection::vec((name, json_value()), 1..3).prop_map(|changes| {
        let mut claims = super::signer::good();
        for (name, value) in changes {
            claims[name] = value;
        }
        claims
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_header_panics_or_is_accepted(bytes in header()) {
        if let Ok(value) = HeaderValue::from_bytes(&bytes) {
            prop_assert!(authenticate(&*TOKENS, value.clone()).is_err());
            let keys = ApiKeys::new().key("0123456789abcdef", "alice").build().unwrap();
            prop_assert!(authenticate(&keys, value).is_err());
        }
    }

    #[test]
    fn no_signed_claims_panic(claims in claims()) {
        let value = HeaderValue::try_from(format!("Bearer {}", ED.token(&claims))).unwrap();
        let _ = authenticate(&*TOKENS, value);
    }

    #[test]
    fn no_key_set_panics(keys in json_value()) {
        let settings = accepting(&[]).jwks(json!({ "keys": [keys, ED.jwk()] }).to_string());
        prop_assert!(settings.build().is_ok());
    }

    #[test]
    fn no_settings_panic(issuer in ".{0,24}", resource in "(https?://)?[a-z.:/@?#\\[\\]]{0,24}", scope in ".{0,8}") {
        let _ = grange_auth::Jwt::new(issuer, resource).jwks("{}").require_scopes([scope]).build();
    }
}
