//! Bearer tokens for Grange's HTTP transport: JSON Web Tokens of an issuer ([`Jwt`]), or static keys ([`ApiKeys`]).
//!
//! Either makes an authenticator for the transport. It rejects a request without a valid token before anything else of the request is
//! read, with the challenge and the metadata (RFC 6750, RFC 9728) by which clients of MCP find the issuer. Readers and tools then see
//! who the caller is:
//!
//! ```
//! use grange_auth::{Jwt, auth, require_scope};
//! use grange_core::{Context, ReadError, Resource};
//!
//! async fn notes(cx: Context) -> Result<String, ReadError> {
//!     require_scope(&cx, "notes:read")?;
//!     let caller = auth(&cx).map_or("an unknown caller", |claims| claims.subject());
//!     Ok(format!("# Notes of {caller}"))
//! }
//!
//! # fn main() -> Result<(), grange_auth::ConfigError> {
//! let tokens = Jwt::new("https://issuer.example.com", "https://mcp.example.com/mcp").build()?;
//! # Ok(())
//! # }
//! ```
//!
//! # What is where
//!
//! `jwt` and `api_keys` hold the settings. A request goes through `credentials` (where a token may be), `token` (its form and
//! signature), `keys` (which key, and whether it is cached) and `rules` (the rules for the claims). A problem with a token is a
//! [`TokenError`], from which `challenge` makes the response. Keys are fetched by `source` and `fetch`, and read by `key_set`, `jwk` and
//! `algorithm`.
//!
//! Not here: issuing tokens, users beyond the claims, and TLS for the server, which a proxy in front provides.

mod address;
mod clock;
mod error;
mod members;
mod scope;

mod algorithm;
mod jwk;
mod key_set;

mod fetch;
mod keys;
mod source;
mod token_error;

mod claims;
mod rules;
mod token;

mod api_keys;
mod authenticator;
mod challenge;
mod credentials;
mod jwt;
mod metadata;

mod access;
mod step_up;

pub use crate::access::auth;
pub use crate::algorithm::Algorithm;
pub use crate::api_keys::{ApiKeyAuthenticator, ApiKeys};
pub use crate::authenticator::JwtAuthenticator;
pub use crate::claims::Claims;
pub use crate::error::ConfigError;
pub use crate::jwt::Jwt;
pub use crate::source::KeySource;
pub use crate::step_up::require_scope;
pub use crate::token_error::TokenError;
pub use async_trait::async_trait;
