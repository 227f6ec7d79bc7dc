//! The form of a token, its signature, and the key that it may be verified with.

use aws_lc_rs::hmac;
use grange_auth::{Algorithm, Jwt, TokenError};
use serde_json::{Value, json};

use super::signer::{EC, ED, ISSUER, NOW, RESOURCE, RSA, Signer, accepting, at, base64, good};

async fn outcome(settings: Jwt, token: &str) -> Result<(), TokenError> {
    settings.build().unwrap().verify(token).await.map(|_| ())
}

/// Accepts the keys of this set.
fn with_keys(keys: &[Value]) -> Jwt {
    Jwt::new(ISSUER, RESOURCE).jwks(json!({ "keys": keys }).to_string()).clock(|| at(NOW))
}

#[tokio::test]
async fn every_algorithm_verifies_its_own_tokens() {
    let rsa =
        [Algorithm::Rs256, Algorithm::Rs384, Algorithm::Rs512, Algorithm::Ps256, Algorithm::Ps384, Algorithm::Ps512];
    let curves = [Algorithm::Es256, Algorithm::Es384, Algorithm::Es512, Algorithm::EdDsa];
    for algorithm in rsa.into_iter().chain(curves) {
        let (signer, other) = (Signer::new("key", algorithm), Signer::new("key", algorithm));
        let settings = || accepting(&[&signer]).algorithms([algorithm]);
        assert_eq!(outcome(settings(), &signer.token(&good())).await, Ok(()), "{algorithm:?}");
        assert_eq!(outcome(settings(), &other.token(&good())).await, Err(TokenError::Signature), "{algorithm:?}");
    }
    let header = json!({ "alg": "Ed25519", "kid": ED.id });
    assert_eq!(outcome(accepting(&[&ED]), &ED.sign(&header, &good())).await, Ok(()));
}

#[tokio::test]
async fn an_unsigned_token_is_refused() {
    for name in ["none", "None", "NONE", "", "HS256", "RS1"] {
        let unsigned = format!("{}.{}.", base64(json!({ "alg": name }).to_string()), base64(good().to_string()));
        assert_eq!(outcome(accepting(&[&ED]), &unsigned).await, Err(TokenError::Algorithm), "{name}");
    }
    let mut token = ED.token(&good());
    token.truncate(token.rfind('.').unwrap() + 1);
    assert_eq!(outcome(accepting(&[&ED]), &token).await, Err(TokenError::Signature));
}

/// The forger uses the public key, which everybody knows, as the secret.
#[tokio::test]
async fn a_public_key_is_no_shared_secret() {
    let jwk = RSA.jwk();
    for secret in [jwk["n"].as_str().unwrap(), &jwk.to_string()] {
        let header = json!({ "alg": "HS256", "kid": RSA.id });
        let signed = format!("{}.{}", base64(header.to_string()), base64(good().to_string()));
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), signed.as_bytes());
        let forged = format!("{signed}.{}", base64(tag));
        assert_eq!(outcome(accepting(&[&RSA]), &forged).await, Err(TokenError::Algorithm));
    }
}

#[tokio::test]
async fn a_key_serves_only_what_it_is_for() {
    let all = [Algorithm::Rs256, Algorithm::Rs512, Algorithm::Es256, Algorithm::EdDsa];
    let changed = |name: &str, value: Value| {
        let mut jwk = RSA.jwk();
        jwk[name] = value;
        with_keys(&[jwk, ED.jwk()]).algorithms(all)
    };
    let token = RSA.token(&good());
    assert_eq!(outcome(changed("use", json!("sig")), &token).await, Ok(()));
    assert_eq!(outcome(changed("key_ops", json!(["verify"])), &token).await, Ok(()));
    assert_eq!(outcome(changed("alg", json!("RS512")), &token).await, Err(TokenError::KeyUse));
    assert_eq!(outcome(changed("alg", json!("HS256")), &token).await, Err(TokenError::KeyUse));
    for (name, value) in
        [("use", json!("enc")), ("key_ops", json!(["encrypt"])), ("kty", json!("oct")), ("d", json!("AQ"))]
    {
        assert_eq!(outcome(changed(name, value), &token).await, Err(TokenError::UnknownKey), "{name}");
    }
    let header = json!({ "alg": "RS256", "kid": EC.id });
    assert_eq!(outcome(accepting(&[&EC, &RSA]), &RSA.sign(&header, &good())).await, Err(TokenError::KeyUse));
    let allowed = accepting(&[&RSA, &ED]).algorithms([Algorithm::EdDsa]);
    assert_eq!(outcome(allowed, &token).await, Err(TokenError::Algorithm));
}

#[tokio::test]
async fn a_key_without_alg_verifies_with_every_algorithm_of_its_kind() {
    let bare = || with_keys(&[RSA.bare_jwk(), EC.bare_jwk(), ED.bare_jwk()]);
    for signer in [&*RSA, &*EC, &*ED] {
        assert_eq!(outcome(bare(), &signer.token(&good())).await, Ok(()), "{}", signer.id);
    }
    let mut padded = RSA.bare_jwk();
    let n = base64_simd::URL_SAFE_NO_PAD.decode_to_vec(padded["n"].as_str().unwrap()).unwrap();
    padded["n"] = json!(base64([&[0], &*n].concat()));
    assert_eq!(outcome(with_keys(&[padded]), &RSA.token(&good())).await, Ok(()));
}

#[tokio::test]
async fn a_token_without_a_key_id_needs_the_only_key() {
    let token = |signer: &Signer| signer.sign(&json!({ "alg": signer.algorithm.name() }), &good());
    let other = Signer::new("other", Algorithm::EdDsa);
    assert_eq!(outcome(accepting(&[&ED, &RSA]), &token(&ED)).await, Ok(()));
    assert_eq!(outcome(accepting(&[&ED, &other]), &token(&ED)).await, Err(TokenError::UnknownKey));
    assert_eq!(outcome(accepting(&[&RSA]), &token(&ED)).await, Err(TokenError::UnknownKey));
}

#[tokio::test]
async fn the_header_brings_no_key_and_no_extension() {
    let forger = Signer::new("forger", Algorithm::EdDsa);
    let with = |name: &str, value: Value| {
        let mut header = ED.header();
        header[name] = value;
        header
    };
    let own = forger.sign(&with("jwk", forger.jwk()), &good());
    assert_eq!(outcome(accepting(&[&ED]), &own).await, Err(TokenError::Signature));
    let check = async |header: Value, expected: Result<(), TokenError>| {
        assert_eq!(outcome(accepting(&[&ED]), &ED.sign(&header, &good())).await, expected, "{header}");
    };
    check(with("crit", json!(["b64"])), Err(TokenError::Critical)).await;
    check(with("crit", json!([])), Err(TokenError::Critical)).await;
    check(with("kid", json!("unknown")), Err(TokenError::UnknownKey)).await;
    check(with("kid", json!(1)), Err(TokenError::Malformed)).await;
    check(json!({ "kid": ED.id }), Err(TokenError::Algorithm)).await;
    for accepted in ["JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt"] {
        check(with("typ", json!(accepted)), Ok(())).await;
    }
    for purpose in ["dpop+jwt", "logout+jwt", "secevent+jwt", ""] {
        check(with("typ", json!(purpose)), Err(TokenError::Type)).await;
    }
    check(with("typ", json!(7)), Err(TokenError::Malformed)).await;
}

#[tokio::test]
async fn text_that_is_no_token_is_malformed() {
    let token = ED.token(&good());
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let (header, _) = signed.split_once('.').unwrap();
    for junk in [
        String::new(),
        ".".to_owned(),
        "..".to_owned(),
        "a.b".to_owned(),
        "undefined".to_owned(),
        signed.to_owned(),
        format!("{token}.{signature}"),
        format!("{token}.a.b"),
        format!("{signed}.{signature}="),
        format!("{signed}.{}", &signature[1..]),
        format!("{}.e30.a", base64("[]")),
        format!("{}.e30.a", base64("{\"alg\":\"EdDSA\"")),
        token.replace(header, "e30x"),
    ] {
        assert_eq!(outcome(accepting(&[&ED]), &junk).await, Err(TokenError::Malformed), "{junk}");
    }
    let changed = token.replacen(signed.split_once('.').unwrap().1, &base64("{\"sub\":\"eve\"}"), 1);
    assert_eq!(outcome(accepting(&[&ED]), &changed).await, Err(TokenError::Signature));
    let list = ED.token(&json!([good()]));
    assert_eq!(outcome(accepting(&[&ED]), &list).await, Err(TokenError::Malformed));
}

/// A signature has one encoding: with another, a token on a list of revoked tokens would be accepted.
#[tokio::test]
async fn base64url_is_strict() {
    let token = ED.token(&good());
    let last = token.chars().next_back().unwrap();
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let at = alphabet.find(last).unwrap();
    // 64 bytes leave four bits of the last character unused.
    let same_bytes = alphabet.as_bytes()[(at & !15) | ((at + 1) & 15)] as char;
    let respelled = format!("{}{same_bytes}", &token[..token.len() - 1]);
    assert_eq!(outcome(accepting(&[&ED]), &respelled).await, Err(TokenError::Malformed));
}
