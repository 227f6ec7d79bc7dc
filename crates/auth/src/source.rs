//! Where the keys of an issuer come from: the interface between their cache (`keys.rs`) and the network.

use std::error::Error;

use async_trait::async_trait;
use bytes::Bytes;
use serde_json::Value;

use crate::address::Address;
use crate::fetch::{Failure, Fetcher};

/// Fetches the keys of an issuer. The settings of [`Jwt`](crate::Jwt) make the usual sources; this is for others, such as an HTTP client
/// that goes through a proxy.
///
/// [`fetch`](Self::fetch) is called rarely, never twice at once, and is given up after 15 seconds. The least time between two calls is
/// [`Jwt::refresh_floor`](crate::Jwt::refresh_floor).
///
/// ```
/// use std::error::Error;
/// use std::path::PathBuf;
///
/// use bytes::Bytes;
/// use grange_auth::{KeySource, async_trait};
///
/// struct File(PathBuf);
///
/// #[async_trait]
/// impl KeySource for File {
///     async fn fetch(&self) -> Result<Bytes, Box<dyn Error + Send + Sync>> {
///         Ok(std::fs::read(&self.0)?.into())
///     }
/// }
/// ```
#[async_trait]
pub trait KeySource: Send + Sync + 'static {
    /// The JWK set, as JSON.
    ///
    /// # Errors
    /// Why the keys could not be fetched. It goes to the log, never to a client.
    async fn fetch(&self) -> Result<Bytes, Box<dyn Error + Send + Sync>>;
}

/// A JWK set at a URL of the settings.
pub(crate) struct Published {
    pub(crate) fetcher: Fetcher,
    pub(crate) address: Address,
}

#[async_trait]
impl KeySource for Published {
    async fn fetch(&self) -> Result<Bytes, Box<dyn Error + Send + Sync>> {
        Ok(read(&self.fetcher, &self.address).await?)
    }
}

/// A JWK set whose URL is in the issuer's metadata (RFC 8414, `OpenID` Connect Discovery).
pub(crate) struct Discovered {
    pub(crate) fetcher: Fetcher,
    pub(crate) issuer: Address,
}

#[async_trait]
impl KeySource for Discovered {
    async fn fetch(&self) -> Result<Bytes, Box<dyn Error + Send + Sync>> {
        let address = discover(&self.fetcher, &self.issuer).await?;
        Ok(read(&self.fetcher, &address).await?)
    }
}

async fn read(fetcher: &Fetcher, address: &Address) -> Result<Bytes, String> {
    fetcher.get(address).await.map_err(|failure| format!("{} {failure}", address.as_str()))
}

/// Finds the URL of the keys. A place that answers with something else is skipped; a host that does not answer is not tried again.
async fn discover(fetcher: &Fetcher, issuer: &Address) -> Result<Address, String> {
    let mut tried = Vec::new();
    for place in places(issuer) {
        let address = Address::parse(&place).map_err(|problem| format!("{place} {problem}"))?;
        let outcome = match fetcher.get(&address).await {
            Ok(document) => keys_of(&document, issuer),
            Err(failure @ Failure::Status(_)) => Err(failure.to_string()),
            Err(failure) => return Err(format!("{place} {failure}")),
        };
        match outcome {
            Ok(keys) => return Ok(keys),
            Err(problem) => tried.push(format!("{place} {problem}")),
        }
    }
    Err(format!("no metadata of the issuer was found: {}", tried.join("; ")))
}

/// The places of the metadata, in the order of the specification. A slash at the end of the issuer is left out of them.
fn places(issuer: &Address) -> Vec<String> {
    let path = issuer.path().trim_end_matches('/');
    let mut places = vec![
        issuer.at(&format!("/.well-known/oauth-authorization-server{path}")),
        issuer.at(&format!("/.well-known/openid-configuration{path}")),
    ];
    if !path.is_empty() {
        places.push(issuer.at(&format!("{path}/.well-known/openid-configuration")));
    }
    places
}

/// Reads `jwks_uri`, if the document names this issuer: anybody can publish one that names another.
fn keys_of(document: &[u8], issuer: &Address) -> Result<Address, String> {
    let document: Value = serde_json::from_slice(document).map_err(|_| "is not JSON")?;
    if document.get("issuer").and_then(Value::as_str) != Some(issuer.as_str()) {
        return Err(format!("is the metadata of another issuer: expected exactly `{}`", issuer.as_str()));
    }
    let keys = document.get("jwks_uri").and_then(Value::as_str).ok_or("has no `jwks_uri`")?;
    let address = Address::parse(keys).map_err(|problem| format!("has a `jwks_uri` that {problem}"))?;
    if issuer.is_https() && !address.is_https() {
        return Err("has a `jwks_uri` without TLS, though the issuer has it".to_owned());
    }
    Ok(address)
}

#[cfg(test)]
mod tests {
    use super::{keys_of, places};
    use crate::address::Address;

    fn issuer(text: &str) -> Address {
        Address::parse_name(text).expect(text)
    }

    #[test]
    fn metadata_is_looked_for_at_each_place_of_the_specification() {
        let host = "https://auth.example.com";
        for root in [host.to_owned(), format!("{host}/")] {
            let expected = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]
                .map(|at| format!("{host}{at}"));
            assert_eq!(places(&issuer(&root)), expected);
        }
        for tenant in [format!("{host}/tenant1"), format!("{host}/tenant1/")] {
            let expected = [
                "/.well-known/oauth-authorization-server/tenant1",
                "/.well-known/openid-configuration/tenant1",
                "/tenant1/.well-known/openid-configuration",
            ];
            assert_eq!(places(&issuer(&tenant)), expected.map(|at| format!("{host}{at}")));
        }
    }

    #[test]
    fn metadata_must_be_the_issuers_own() {
        let issuer = issuer("https://auth.example.com");
        let check = |document: &str| keys_of(document.as_bytes(), &issuer);
        let good = r#"{"issuer": "https://auth.example.com", "jwks_uri": "https://keys.example.com/a?b=c"}"#;
        assert_eq!(check(good).expect("good").as_str(), "https://keys.example.com/a?b=c");
        for (document, words) in [
            (r#"{"issuer": "https://auth.example.com/", "jwks_uri": "https://a.example.com"}"#, "another issuer"),
            (r#"{"jwks_uri": "https://a.example.com"}"#, "another issuer"),
            (r#"{"issuer": "https://auth.example.com"}"#, "no `jwks_uri`"),
            (r#"{"issuer": "https://auth.example.com", "jwks_uri": "http://a.example.com"}"#, "not `https`"),
            (r#"{"issuer": "https://auth.example.com", "jwks_uri": "http://localhost/k"}"#, "without TLS"),
            ("[]", "another issuer"),
            ("<html>", "not JSON"),
        ] {
            let problem = check(document).expect_err(document);
            assert!(problem.contains(words), "{document}: {problem}");
        }
    }
}
