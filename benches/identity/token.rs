//! A token for each kind of key, the public keys as an issuer publishes them, and the bare verification.

use std::time::{SystemTime, UNIX_EPOCH};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, ED25519, EcdsaKeyPair, Ed25519KeyPair, KeyPair,
    ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair,
};
use base64_simd::URL_SAFE_NO_PAD;
use bytes::Bytes;
use grange_core::Revision;
use http::HeaderMap;
use serde_json::{Value, json};

pub(crate) const ISSUER: &str = "https://issuer.example.com";
pub(crate) const RESOURCE: &str = "https://mcp.example.com/mcp";

/// A signed token, with all data for a read.
pub(crate) struct Signed {
    pub(crate) name: &'static str,
    /// The public keys, as the issuer publishes them.
    pub(crate) keys: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    key: ParsedPublicKey,
    message: String,
    signature: Vec<u8>,
}

impl Signed {
    /// A token for each kind of key, with new keys.
    pub(crate) fn each() -> [Self; 3] {
        [rsa(), ec(), ed()]
    }

    /// Verifies only the signature.
    pub(crate) fn verifies(&self) -> bool {
        self.key.verify_sig(self.message.as_bytes(), &self.signature).is_ok()
    }

    fn new(name: &'static str, mut jwk: Value, key: ParsedPublicKey, sign: impl FnOnce(&[u8]) -> Vec<u8>) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let header = json!({ "alg": name, "kid": "key", "typ": "at+jwt" });
        let claims = json!({
            "iss": ISSUER, "sub": "alice", "aud": RESOURCE, "exp": now + 86_400, "iat": now, "scope": "docs:read docs:list",
        });
        let message = format!("{}.{}", base64(header.to_string()), base64(claims.to_string()));
        let signature = sign(message.as_bytes());
        jwk["kid"] = json!("key");
        jwk["alg"] = json!(name);
        let headers = crate::headers(&format!("{message}.{}", base64(&signature)));
        let body = grange_benches::request(Revision::V2026_07_28, "resources/read", Some(crate::URI)).into();
        let signed = Self { name, keys: json!({ "keys": [jwk] }).to_string(), headers, body, key, message, signature };
        assert!(signed.verifies(), "a wrong signature would be rejected earlier");
        signed
    }
}

fn rsa() -> Signed {
    let pair = RsaKeyPair::generate(KeySize::Rsa2048).expect("a key");
    let public = pair.public_key();
    let n = base64(public.modulus().big_endian_without_leading_zero());
    let e = base64(public.exponent().big_endian_without_leading_zero());
    let key = ParsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, public.as_ref()).expect("its own key");
    Signed::new("RS256", json!({ "kty": "RSA", "n": n, "e": e }), key, |message| {
        let mut signature = vec![0; pair.public_modulus_len()];
        pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature).expect("a signature");
        signature
    })
}

fn ec() -> Signed {
    let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).expect("a key");
    let point = pair.public_key().as_ref();
    let (x, y) = point.get(1..).unwrap_or_default().split_at(32);
    let jwk = json!({ "kty": "EC", "crv": "P-256", "x": base64(x), "y": base64(y) });
    let key = ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).expect("its own key");
    Signed::new("ES256", jwk, key, |message| {
        pair.sign(&SystemRandom::new(), message).expect("a signature").as_ref().to_vec()
    })
}

fn ed() -> Signed {
    let pair = Ed25519KeyPair::generate().expect("a key");
    let public = pair.public_key().as_ref();
    let jwk = json!({ "kty": "OKP", "crv": "Ed25519", "x": base64(public) });
    let key = ParsedPublicKey::new(&ED25519, public).expect("its own key");
    Signed::new("EdDSA", jwk, key, |message| pair.sign(message).as_ref().to_vec())
}

fn base64(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode_to_string(bytes)
}
