//! The `WWW-Authenticate` header, which tells a client which token it needs (RFC 6750 section 3, RFC 9728 section 5.1).
//!
//! Every value is a quoted string of characters that need no escape: scopes and URLs are checked when they are configured, and
//! descriptions are the sentences of `token_error.rs`, with the quotes in them replaced.

use grange_http::AuthRejection;
use http::header::HeaderValue;

use crate::scope;
use crate::token_error::TokenError;

/// The parts that all challenges of a server have in common.
#[derive(Clone, Debug)]
pub(crate) struct Challenges {
    /// Where the metadata of the resource is, if it has any.
    metadata: Option<String>,
    /// The scopes that every request needs, separated by spaces.
    required: String,
}

impl Challenges {
    pub(crate) fn new(metadata: Option<String>, required: &[String]) -> Self {
        Self { metadata, required: scope::join(required.iter().map(String::as_str)) }
    }

    /// The rejection of a request whose token is not accepted.
    pub(crate) fn deny(&self, error: TokenError) -> AuthRejection {
        let message = error.to_string();
        match error {
            TokenError::Unreachable => AuthRejection::unavailable(message),
            TokenError::MissingScopes => AuthRejection::forbidden(self.write(error, &self.required), message),
            TokenError::Several => AuthRejection::bad_request(self.write(error, &self.required), message),
            _ => AuthRejection::unauthorized(self.write(error, &self.required), message),
        }
    }

    /// The challenge to a request that needs more scopes, separated by spaces. It also names the scopes that every request needs:
    /// a client requests exactly the scopes that the challenge names, and a token without those would be rejected.
    pub(crate) fn step_up(&self, scopes: &str) -> HeaderValue {
        let required = || self.required.split(' ');
        let more = scopes.split(' ').filter(|scope| !required().any(|known| known == *scope));
        self.write(TokenError::MissingScopes, &scope::join(required().chain(more)))
    }

    fn write(&self, error: TokenError, scopes: &str) -> HeaderValue {
        let code = error.code();
        let description = code.map(|_| describe(error));
        let parameters = [
            ("resource_metadata", self.metadata.as_deref()),
            ("scope", Some(scopes).filter(|scopes| !scopes.is_empty())),
            ("error", code),
            ("error_description", description.as_deref()),
        ];
        let written = parameters.iter().filter_map(|(name, value)| Some(format!("{name}=\"{}\"", (*value)?)));
        let text = format!("Bearer {}", written.collect::<Vec<_>>().join(", "));
        HeaderValue::try_from(text.trim_end()).unwrap_or(HeaderValue::from_static("Bearer"))
    }
}

/// ASCII without quotes and backslashes, as RFC 6750 has it.
fn describe(error: TokenError) -> String {
    error.to_string().replace('`', "'").replace('…', "...")
}

#[cfg(test)]
mod tests {
    use super::{Challenges, describe};
    use crate::token_error::TokenError;

    fn challenge(challenges: &Challenges, error: TokenError) -> String {
        challenges.write(error, &challenges.required).to_str().expect("ASCII").to_owned()
    }

    fn challenges() -> Challenges {
        let metadata = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp".to_owned();
        Challenges::new(Some(metadata), &["files:read".to_owned(), "files:list".to_owned()])
    }

    #[test]
    fn a_challenge_without_a_token_has_the_metadata_and_no_error() {
        assert_eq!(
            challenge(&challenges(), TokenError::Absent),
            "Bearer resource_metadata=\"https://mcp.example.com/.well-known/oauth-protected-resource/mcp\", \
             scope=\"files:read files:list\"",
        );
        assert_eq!(challenge(&Challenges::new(None, &[]), TokenError::Absent), "Bearer");
    }

    #[test]
    fn a_challenge_for_an_invalid_token_has_the_error() {
        assert_eq!(
            challenge(&challenges(), TokenError::Expired),
            "Bearer resource_metadata=\"https://mcp.example.com/.well-known/oauth-protected-resource/mcp\", \
             scope=\"files:read files:list\", error=\"invalid_token\", \
             error_description=\"the token has expired: get a new one\"",
        );
    }

    #[test]
    fn a_step_up_names_all_that_the_request_needs() {
        let value = challenges().step_up("files:write files:list bad\"scope  files:own");
        let value = value.to_str().expect("ASCII");
        let scopes = "scope=\"files:read files:list files:write files:own\"";
        assert!(value.contains(&format!("{scopes}, error=\"insufficient_scope\"")), "{value}");
        assert!(value.contains("resource_metadata="), "{value}");
    }

    #[test]
    fn descriptions_need_no_escape() {
        for error in [TokenError::Absent, TokenError::Several, TokenError::Claim("exp"), TokenError::MissingScopes] {
            let text = describe(error);
            assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\'), "{text}");
        }
    }
}
