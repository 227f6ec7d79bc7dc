//! The signature algorithms of tokens, and which kind of key each of them takes.
//!
//! **Only algorithms with public keys are here.** `none` and those with a shared secret (`HS256` and others) are not in the list, so that
//! no setting and no token can choose them.

use aws_lc_rs::rsa::PublicKeyComponents;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ECDSA_P521_SHA512_FIXED, ED25519, ParsedPublicKey,
    RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256,
    RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512, RsaParameters, VerificationAlgorithm,
};

/// An algorithm that tokens may be signed with.
///
/// ```
/// use grange_auth::Algorithm;
/// assert_eq!(Algorithm::Es256.name(), "ES256");
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Algorithm {
    /// Edwards curve 25519; tokens name it `EdDSA` or `Ed25519`.
    EdDsa,
    /// ECDSA, P-256, SHA-256.
    Es256,
    /// ECDSA, P-384, SHA-384.
    Es384,
    /// ECDSA, P-521, SHA-512.
    Es512,
    /// RSASSA-PSS, SHA-256.
    Ps256,
    /// RSASSA-PSS, SHA-384.
    Ps384,
    /// RSASSA-PSS, SHA-512.
    Ps512,
    /// RSASSA-PKCS1-v1_5, SHA-256.
    Rs256,
    /// RSASSA-PKCS1-v1_5, SHA-384.
    Rs384,
    /// RSASSA-PKCS1-v1_5, SHA-512.
    Rs512,
}

impl Algorithm {
    /// Those that are accepted by default.
    pub(crate) const DEFAULT: [Self; 3] = [Self::Rs256, Self::Es256, Self::EdDsa];

    const ALL: [Self; 10] = [
        Self::EdDsa,
        Self::Es256,
        Self::Es384,
        Self::Es512,
        Self::Ps256,
        Self::Ps384,
        Self::Ps512,
        Self::Rs256,
        Self::Rs384,
        Self::Rs512,
    ];

    /// Its name in the header of a token.
    pub fn name(self) -> &'static str {
        match self {
            Self::EdDsa => "EdDSA",
            Self::Es256 => "ES256",
            Self::Es384 => "ES384",
            Self::Es512 => "ES512",
            Self::Ps256 => "PS256",
            Self::Ps384 => "PS384",
            Self::Ps512 => "PS512",
            Self::Rs256 => "RS256",
            Self::Rs384 => "RS384",
            Self::Rs512 => "RS512",
        }
    }

    /// The algorithm that a token or a key names. RFC 9864 gives `EdDSA` with this curve a name of its own.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let name = if name == "Ed25519" { "EdDSA" } else { name };
        Self::ALL.into_iter().find(|algorithm| algorithm.name() == name)
    }

    /// Makes a key of this algorithm from RSA's parts; `None` if it takes no RSA key, or not this one.
    pub(crate) fn rsa_key(self, n: &[u8], e: &[u8]) -> Option<ParsedPublicKey> {
        PublicKeyComponents { n, e }.to_parsed_public_key(self.rsa()?).ok()
    }

    /// Makes a key of this algorithm from a point of a curve; `None` if it takes no such curve, or not this point.
    pub(crate) fn curve_key(self, curve: &str, point: &[u8]) -> Option<ParsedPublicKey> {
        let (its_curve, verification) = self.curve()?;
        ParsedPublicKey::new(verification, point).ok().filter(|_| its_curve == curve)
    }

    fn rsa(self) -> Option<&'static RsaParameters> {
        match self {
            Self::Ps256 => Some(&RSA_PSS_2048_8192_SHA256),
            Self::Ps384 => Some(&RSA_PSS_2048_8192_SHA384),
            Self::Ps512 => Some(&RSA_PSS_2048_8192_SHA512),
            Self::Rs256 => Some(&RSA_PKCS1_2048_8192_SHA256),
            Self::Rs384 => Some(&RSA_PKCS1_2048_8192_SHA384),
            Self::Rs512 => Some(&RSA_PKCS1_2048_8192_SHA512),
            Self::EdDsa | Self::Es256 | Self::Es384 | Self::Es512 => None,
        }
    }

    fn curve(self) -> Option<(&'static str, &'static dyn VerificationAlgorithm)> {
        match self {
            Self::EdDsa => Some(("Ed25519", &ED25519)),
            Self::Es256 => Some(("P-256", &ECDSA_P256_SHA256_FIXED)),
            Self::Es384 => Some(("P-384", &ECDSA_P384_SHA384_FIXED)),
            Self::Es512 => Some(("P-521", &ECDSA_P521_SHA512_FIXED)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Algorithm;

    #[test]
    fn only_public_key_algorithms_have_names() {
        for algorithm in Algorithm::ALL {
            assert_eq!(Algorithm::named(algorithm.name()), Some(algorithm));
            assert_ne!(algorithm.rsa().is_some(), algorithm.curve().is_some(), "one kind of key each");
        }
        assert_eq!(Algorithm::named("Ed25519"), Some(Algorithm::EdDsa));
        for name in ["none", "None", "HS256", "HS384", "HS512", "rs256", "RS1", "ES256K", ""] {
            assert_eq!(Algorithm::named(name), None, "{name}");
        }
    }
}
