//! Keys that sign tokens, their public halves, and a valid token for tests to change.

use std::sync::LazyLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, ECDSA_P521_SHA512_FIXED_SIGNING, EcdsaKeyPair,
    Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256, RSA_PKCS1_SHA384, RSA_PKCS1_SHA512, RSA_PSS_SHA256, RSA_PSS_SHA384,
    RSA_PSS_SHA512, RsaEncoding, RsaKeyPair,
};
use base64_simd::URL_SAFE_NO_PAD;
use grange_auth::{Algorithm, Jwt};
use serde_json::{Value, json};

/// The time in tests.
pub(crate) const NOW: u64 = 1_800_000_000;
pub(crate) const ISSUER: &str = "https://issuer.example.com";
pub(crate) const RESOURCE: &str = "https://mcp.example.com/mcp";

/// Made once, since an RSA key takes long.
pub(crate) static RSA: LazyLock<Signer> = LazyLock::new(|| Signer::new("rsa", Algorithm::Rs256));
pub(crate) static ED: LazyLock<Signer> = LazyLock::new(|| Signer::new("ed", Algorithm::EdDsa));
pub(crate) static EC: LazyLock<Signer> = LazyLock::new(|| Signer::new("ec", Algorithm::Es256));

pub(crate) fn at(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds)
}

pub(crate) fn base64(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode_to_string(bytes)
}

/// The claims of a valid token.
pub(crate) fn good() -> Value {
    json!({
        "iss": ISSUER, "sub": "alice", "aud": RESOURCE, "exp": NOW + 300, "iat": NOW - 10, "nbf": NOW - 10,
        "scope": "docs:read docs:list", "team": "docs",
    })
}

/// Accepts the tokens of these keys at [`NOW`], without any network.
pub(crate) fn accepting(signers: &[&Signer]) -> Jwt {
    let keys: Vec<Value> = signers.iter().map(|signer| signer.jwk()).collect();
    Jwt::new(ISSUER, RESOURCE).jwks(json!({ "keys": keys }).to_string()).clock(|| at(NOW))
}

pub(crate) struct Signer {
    pub(crate) id: &'static str,
    pub(crate) algorithm: Algorithm,
    secret: Secret,
}

enum Secret {
    Rsa(RsaKeyPair),
    Ec(EcdsaKeyPair),
    Ed(Ed25519KeyPair),
}

impl Signer {
    pub(crate) fn new(id: &'static str, algorithm: Algorithm) -> Self {
        let secret = match algorithm {
            Algorithm::EdDsa => Secret::Ed(Ed25519KeyPair::generate().unwrap()),
            Algorithm::Es256 => Secret::Ec(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap()),
            Algorithm::Es384 => Secret::Ec(EcdsaKeyPair::generate(&ECDSA_P384_SHA384_FIXED_SIGNING).unwrap()),
            Algorithm::Es512 => Secret::Ec(EcdsaKeyPair::generate(&ECDSA_P521_SHA512_FIXED_SIGNING).unwrap()),
            _ => Secret::Rsa(RsaKeyPair::generate(KeySize::Rsa2048).unwrap()),
        };
        Self { id, algorithm, secret }
    }

    /// The public half, with all members that issuers add.
    pub(crate) fn jwk(&self) -> Value {
        let mut jwk = self.bare_jwk();
        jwk["alg"] = json!(self.algorithm.name());
        jwk["use"] = json!("sig");
        jwk
    }

    /// The public half, with its id alone.
    pub(crate) fn bare_jwk(&self) -> Value {
        match &self.secret {
            Secret::Rsa(pair) => {
                let public = pair.public_key();
                let n = base64(public.modulus().big_endian_without_leading_zero());
                let e = base64(public.exponent().big_endian_without_leading_zero());
                json!({ "kid": self.id, "kty": "RSA", "n": n, "e": e })
            }
            Secret::Ec(pair) => {
                let point = &pair.public_key().as_ref()[1..];
                let (x, y) = point.split_at(point.len() / 2);
                let curve = match x.len() {
                    32 => "P-256",
                    48 => "P-384",
                    _ => "P-521",
                };
                json!({ "kid": self.id, "kty": "EC", "crv": curve, "x": base64(x), "y": base64(y) })
            }
            Secret::Ed(pair) => {
                json!({ "kid": self.id, "kty": "OKP", "crv": "Ed25519", "x": base64(pair.public_key().as_ref()) })
            }
        }
    }

    /// The header of a valid token.
    pub(crate) fn header(&self) -> Value {
        json!({ "alg": self.algorithm.name(), "kid": self.id, "typ": "at+jwt" })
    }

    /// A token with the valid header.
    pub(crate) fn token(&self, claims: &Value) -> String {
        self.sign(&self.header(), claims)
    }

    pub(crate) fn sign(&self, header: &Value, claims: &Value) -> String {
        let signed = format!("{}.{}", base64(header.to_string()), base64(claims.to_string()));
        let signature = base64(self.signature(signed.as_bytes()));
        format!("{signed}.{signature}")
    }

    fn signature(&self, signed: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match &self.secret {
            Secret::Rsa(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(self.encoding(), &random, signed, &mut signature).unwrap();
                signature
            }
            Secret::Ec(pair) => pair.sign(&random, signed).unwrap().as_ref().to_vec(),
            Secret::Ed(pair) => pair.sign(signed).as_ref().to_vec(),
        }
    }

    fn encoding(&self) -> &'static dyn RsaEncoding {
        match self.algorithm {
            Algorithm::Ps256 => &RSA_PSS_SHA256,
            Algorithm::Ps384 => &RSA_PSS_SHA384,
            Algorithm::Ps512 => &RSA_PSS_SHA512,
            Algorithm::Rs384 => &RSA_PKCS1_SHA384,
            Algorithm::Rs512 => &RSA_PKCS1_SHA512,
            _ => &RSA_PKCS1_SHA256,
        }
    }
}
