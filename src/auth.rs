//! Bearer tokens and API keys for HTTP: authenticators, and what a reader or tool learns of its caller.
//!
//! ```
//! use grange::auth::{Jwt, auth, require_scope};
//! use grange::{Context, ReadError};
//!
//! async fn notes(cx: Context) -> Result<String, ReadError> {
//!     require_scope(&cx, "notes:read")?;
//!     Ok(format!("# Notes of {}", auth(&cx).map_or("an unknown caller", |claims| claims.subject())))
//! }
//!
//! # fn main() -> grange::Result<()> {
//! let tokens = Jwt::new("https://issuer.example.com", "https://mcp.example.com/mcp").build()?;
//! // http("0.0.0.0:8787").public_hosts(["mcp.example.com"]).authenticator(tokens)
//! # Ok(())
//! # }
//! ```

pub use grange_auth::{
    Algorithm, ApiKeyAuthenticator, ApiKeys, Claims, ConfigError, Jwt, JwtAuthenticator, KeySource, TokenError, auth,
    require_scope,
};
