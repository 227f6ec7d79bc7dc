//! Why a token is not accepted: the error code and the text that its client gets. How the challenge is written, and which status goes
//! with it, is in `challenge.rs`.
//!
//! **No text repeats a part of a token**, or an error of a library: a client gets one of the sentences below.

use std::error::Error;
use std::fmt;

/// Why a token was not accepted.
///
/// ```
/// use grange_auth::TokenError;
/// assert_eq!(TokenError::Expired.to_string(), "the token has expired: get a new one");
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum TokenError {
    /// The request has no token.
    Absent,
    /// Its algorithm is not accepted.
    Algorithm,
    /// `aud` does not name this server.
    Audience,
    /// `azp` or `client_id` is not one that is accepted.
    AuthorizedParty,
    /// It is bound to a key of its client (`cnf`), which is not verified here.
    Bound,
    /// This claim is missing, or has the wrong type.
    Claim(&'static str),
    /// Its header requires an extension (`crit`).
    Critical,
    /// `exp` is in the past.
    Expired,
    /// The API key is not one of the server's.
    ForeignKey,
    /// `iat` is in the future.
    IssuedLater,
    /// `iss` is another issuer.
    Issuer,
    /// Its key is known, and is for another algorithm or purpose.
    KeyUse,
    /// It does not have the form of a JWT: three parts of base64url with JSON in them.
    Malformed,
    /// It lacks scopes that the server requires for every request.
    MissingScopes,
    /// `nbf` is in the future.
    NotYetValid,
    /// It is longer than 16 KiB.
    Oversized,
    /// Its session is not complete: the user has not finished signing in.
    Pending,
    /// The request has several headers with credentials.
    Several,
    /// The signature is not the issuer's.
    Signature,
    /// Its type (`typ`) is for another purpose.
    Type,
    /// The issuer has no such key.
    UnknownKey,
    /// The keys of the issuer cannot be fetched, so it cannot be verified.
    Unreachable,
}

impl TokenError {
    /// The error code of RFC 6750; `None` where a challenge must not have one, and where there is none.
    pub(crate) fn code(self) -> Option<&'static str> {
        match self {
            Self::Absent | Self::Unreachable => None,
            Self::MissingScopes => Some("insufficient_scope"),
            Self::Several => Some("invalid_request"),
            _ => Some("invalid_token"),
        }
    }

    fn message(self) -> &'static str {
        match self {
            Self::Absent => "a token is required: send it as `Authorization: Bearer …`",
            Self::Algorithm => "the token is signed with an algorithm that is not accepted here",
            Self::Audience => "the token is for another audience: get one for this resource",
            Self::AuthorizedParty => "the token was issued to a client that is not accepted here",
            Self::Bound => "the token is bound to a key of its client: get a bearer token",
            Self::Claim(_) => "the token lacks a claim, or has one of the wrong type",
            Self::Critical => "the token demands an extension that is not known here",
            Self::Expired => "the token has expired: get a new one",
            Self::ForeignKey => "the key is none of this server's",
            Self::IssuedLater => "the token was issued in the future: compare the clocks",
            Self::Issuer => "the token is of another issuer",
            Self::KeyUse => "the key of the token is not for its algorithm",
            Self::Malformed => "the token is no JWT: expected three parts of base64url",
            Self::MissingScopes => "the token lacks scopes: get one with those of the challenge",
            Self::NotYetValid => "the token is not valid yet: compare the clocks",
            Self::Oversized => "the token is too large",
            Self::Pending => "the session of the token is not complete: finish signing in",
            Self::Several => "there are several credentials: send exactly one `Authorization` header",
            Self::Signature => "the signature of the token does not match",
            Self::Type => "the token is of another type: send an access token",
            Self::UnknownKey => "the key of the token is unknown: get a new one",
            Self::Unreachable => "the keys that verify tokens are out of reach: try again later",
        }
    }
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())?;
        if let Self::Claim(name) = self {
            write!(f, ": expected `{name}`")?;
        }
        Ok(())
    }
}

impl Error for TokenError {}
