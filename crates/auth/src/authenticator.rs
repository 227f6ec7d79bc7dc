//! Authentication of one request by its token: the head of a request in, an identity or a rejection out.
//!
//! If the key is cached, as it nearly always is, a token is verified at once; only a request whose key must be fetched waits. **Nothing
//! that is logged contains a token**, or a claim.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use grange_http::{AuthRejection, Authenticator, Identity, ResourceMetadata};
use http::header::HeaderValue;
use http::request;
use tokio::sync::watch;

use crate::algorithm::Algorithm;
use crate::challenge::Challenges;
use crate::claims::Claims;
use crate::clock::Clock;
use crate::credentials;
use crate::key_set::{KeySet, Match};
use crate::keys::{Keys, Look};
use crate::rules::Rules;
use crate::token::Token;
use crate::token_error::TokenError;

/// Accepts JSON Web Tokens; made by [`Jwt::build`](crate::Jwt::build). Cheap to clone.
///
/// ```
/// use grange_auth::Jwt;
/// use grange_core::Server;
/// use grange_http::HttpService;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder("documentation", "1.0.0").build()?;
/// let tokens = Jwt::new("https://issuer.example.com", "https://mcp.example.com/mcp").build()?;
/// let service = HttpService::builder(server).public_hosts(["mcp.example.com"]).authenticator(tokens).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct JwtAuthenticator {
    parts: Arc<JwtSettings>,
}

/// The parts of an authenticator.
pub(crate) struct JwtSettings {
    pub(crate) rules: Rules,
    pub(crate) keys: Keys,
    pub(crate) algorithms: Vec<Algorithm>,
    pub(crate) clock: Clock,
    pub(crate) challenges: Challenges,
    pub(crate) metadata: ResourceMetadata,
}

/// The result for a token, if it is known without waiting.
enum Outcome {
    Settled(Result<Claims, TokenError>),
    Wait(watch::Receiver<()>),
}

impl JwtAuthenticator {
    pub(crate) fn new(parts: JwtSettings) -> Self {
        Self { parts: Arc::new(parts) }
    }

    /// Verifies a token that did not come in the header of a request, such as one that a middleware of the application has.
    ///
    /// ```
    /// # async fn run(tokens: grange_auth::JwtAuthenticator) -> Result<(), grange_auth::TokenError> {
    /// let claims = tokens.verify("eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl").await?;
    /// println!("{} may read", claims.subject());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn verify(&self, token: &str) -> Result<Claims, TokenError> {
        match self.parts.begin(token) {
            Outcome::Settled(verified) => verified,
            Outcome::Wait(fetched) => self.parts.finish(token, fetched).await,
        }
    }

    /// The identity or the rejection that the result of the verification leads to.
    fn admit(&self, verified: Result<Claims, TokenError>) -> Result<Identity, AuthRejection> {
        match verified {
            Ok(claims) => {
                let principal = [claims.issuer(), "|", claims.subject()].concat();
                Ok(Identity::new(principal).with(claims))
            }
            Err(error) => {
                tracing::debug!(%error, "denied a request");
                Err(self.parts.challenges.deny(error))
            }
        }
    }
}

impl JwtSettings {
    fn begin(&self, token: &str) -> Outcome {
        let read = Token::read(token, &self.algorithms);
        let read = match read {
            Ok(read) => read,
            Err(error) => return Outcome::Settled(Err(error)),
        };
        match self.keys.look(read.wanted()) {
            Look::Found(set) => Outcome::Settled(self.open(&read, &set)),
            Look::Rejected(error) => Outcome::Settled(Err(error)),
            Look::Wait(fetched) => Outcome::Wait(fetched),
        }
    }

    async fn finish(&self, token: &str, mut fetched: watch::Receiver<()>) -> Result<Claims, TokenError> {
        // Nothing is ever sent: the sender is dropped when the fetch is over, even if that was aborted.
        let _ = fetched.changed().await;
        let read = Token::read(token, &self.algorithms)?;
        match self.keys.settled(read.wanted()) {
            Look::Found(set) => self.open(&read, &set),
            Look::Rejected(error) => Err(error),
            Look::Wait(_) => Err(TokenError::Unreachable),
        }
    }

    fn open(&self, token: &Token<'_>, set: &KeySet) -> Result<Claims, TokenError> {
        let Match::Found(key) = set.find(token.wanted()) else { return Err(TokenError::UnknownKey) };
        let claims = token.open(key)?;
        self.rules.check(claims, self.clock.now())
    }
}

#[async_trait]
impl Authenticator for JwtAuthenticator {
    async fn authenticate(&self, head: &request::Parts) -> Result<Identity, AuthRejection> {
        let verified = match credentials::bearer(&head.headers) {
            Ok(token) => self.verify(token).await,
            Err(error) => Err(error),
        };
        self.admit(verified)
    }

    fn step_up(&self, scopes: &str) -> HeaderValue {
        self.parts.challenges.step_up(scopes)
    }

    fn metadata(&self) -> Option<ResourceMetadata> {
        Some(self.parts.metadata.clone())
    }
}

impl fmt::Debug for JwtAuthenticator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules { issuer, audiences, .. } = &self.parts.rules;
        let mut shown = f.debug_struct("JwtAuthenticator");
        shown.field("issuer", issuer).field("audiences", audiences).finish_non_exhaustive()
    }
}
