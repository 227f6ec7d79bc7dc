//! An issuer to try the example with: a key of its own, the two documents that a server looks for, and tokens for `alice`.
//!
//! It is no authorization server: users cannot sign in, and clients cannot register or request a token. **Any code that calls
//! [`LocalIssuer::token`] gets a valid token.** The key is made at the start, and lost at the end.

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use axum::Router;
use axum::routing::get;
use base64_simd::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use tokio::net::TcpListener;

const KEY_ID: &str = "local";
const TOKEN_SECONDS: u64 = 60 * 60;

pub(crate) struct LocalIssuer {
    pub(crate) url: String,
    key: Ed25519KeyPair,
}

impl LocalIssuer {
    /// Publishes a new key at a free port of this machine, while the program runs.
    pub(crate) async fn start() -> io::Result<Self> {
        let key = Ed25519KeyPair::generate().map_err(io::Error::other)?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let public = base64(key.public_key());
        let metadata = json!({ "issuer": url, "jwks_uri": format!("{url}/keys") });
        let keys = json!({ "keys": [{ "kid": KEY_ID, "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "x": public }] });
        let app = Router::new()
            .route("/.well-known/oauth-authorization-server", get(document(&metadata)))
            .route("/keys", get(document(&keys)));
        tokio::spawn(async move { axum::serve(listener, app).await });
        Ok(Self { url, key })
    }

    /// A token for `alice`, valid for this resource only.
    pub(crate) fn token(&self, resource: &str, scopes: &str) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let header = json!({ "alg": "EdDSA", "kid": KEY_ID, "typ": "at+jwt" });
        let claims = json!({
            "iss": self.url, "sub": "alice", "aud": resource, "scope": scopes, "iat": now, "exp": now + TOKEN_SECONDS,
        });
        let signed = format!("{}.{}", base64(header.to_string()), base64(claims.to_string()));
        let signature = base64(self.key.sign(signed.as_bytes()));
        format!("{signed}.{signature}")
    }
}

fn base64(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode_to_string(bytes)
}

/// A fixed response.
fn document(value: &Value) -> ([(&'static str, &'static str); 1], String) {
    ([("content-type", "application/json")], value.to_string())
}
