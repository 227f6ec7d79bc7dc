//! Keys that are found through the issuer's metadata.

use grange_auth::{Jwt, TokenError};
use serde_json::json;

use super::issuer::{Clock, Issuer};
use super::signer::{ED, RESOURCE, good};

/// The result for a token of an issuer at that path, where the metadata is at one place and names that issuer.
async fn verify(path: &str, place: &str, said: impl Fn(&str) -> String) -> (Result<(), TokenError>, usize) {
    let issuer = Issuer::start().await;
    let name = format!("{}{path}", issuer.url);
    issuer.publish_keys(&[&ED]);
    issuer.publish(place, json!({ "issuer": said(&name), "jwks_uri": issuer.keys_url() }).to_string());
    let tokens = Jwt::new(&name, RESOURCE).clock(Clock::new().hands()).build().unwrap();
    let mut claims = good();
    claims["iss"] = json!(name);
    (tokens.verify(&ED.token(&claims)).await.map(|_| ()), issuer.asked())
}

#[tokio::test]
async fn keys_are_found_by_either_kind_of_metadata() {
    for (path, place, asked) in [
        ("", "/.well-known/oauth-authorization-server", 2),
        ("", "/.well-known/openid-configuration", 3),
        ("/", "/.well-known/openid-configuration", 3),
        ("/tenant", "/.well-known/oauth-authorization-server/tenant", 2),
        ("/tenant", "/.well-known/openid-configuration/tenant", 3),
        ("/tenant", "/tenant/.well-known/openid-configuration", 4),
        ("/tenant/", "/tenant/.well-known/openid-configuration", 4),
    ] {
        assert_eq!(verify(path, place, str::to_owned).await, (Ok(()), asked), "{path} {place}");
    }
}

#[tokio::test]
async fn metadata_of_another_issuer_is_not_used() {
    let place = "/.well-known/openid-configuration";
    for said in [|name: &str| format!("{name}/"), |name: &str| name.to_uppercase(), |_: &str| String::new()] {
        assert_eq!(verify("", place, said).await, (Err(TokenError::Unreachable), 2));
    }
}

#[tokio::test]
async fn an_issuer_without_metadata_has_no_keys() {
    let (outcome, asked) = verify("/tenant", "/elsewhere", str::to_owned).await;
    assert_eq!((outcome, asked), (Err(TokenError::Unreachable), 3));
}

#[tokio::test]
async fn an_issuer_that_does_not_answer_is_unreachable() {
    let issuer = Issuer::start().await;
    let name = issuer.url.clone();
    drop(issuer);
    let tokens = Jwt::new(&name, RESOURCE).clock(Clock::new().hands()).build().unwrap();
    assert_eq!(tokens.verify(&ED.token(&good())).await.unwrap_err(), TokenError::Unreachable);
}
