//! What the claims of a token must say.

use std::time::Duration;

use grange_auth::{Claims, Jwt, TokenError};
use serde_json::{Value, json};

use super::signer::{ED, ISSUER, NOW, RESOURCE, accepting, at, good};

async fn verify(settings: Jwt, claims: &Value) -> Result<Claims, TokenError> {
    settings.build().unwrap().verify(&ED.token(claims)).await
}

fn with(name: &str, value: Value) -> Value {
    let mut claims = good();
    claims[name] = value;
    claims
}

fn without(name: &str) -> Value {
    let mut claims = good();
    claims.as_object_mut().unwrap().remove(name);
    claims
}

#[track_caller]
fn assert_outcome(claims: &Value, outcome: &Result<Claims, TokenError>, expected: Result<(), TokenError>) {
    assert_eq!(outcome.as_ref().map(|_| ()).map_err(|error| *error), expected, "{claims}");
}

async fn check_with(settings: Jwt, claims: Value, expected: Result<(), TokenError>) {
    let outcome = verify(settings, &claims).await;
    assert_outcome(&claims, &outcome, expected);
}

async fn check(claims: Value, expected: Result<(), TokenError>) {
    check_with(accepting(&[&ED]), claims, expected).await;
}

#[tokio::test]
async fn a_valid_token_has_claims() {
    let claims = verify(accepting(&[&ED]), &good()).await.unwrap();
    assert_eq!((claims.issuer(), claims.subject()), (ISSUER, "alice"));
    assert_eq!(claims.audience().collect::<Vec<_>>(), [RESOURCE]);
    assert_eq!(claims.scopes().collect::<Vec<_>>(), ["docs:read", "docs:list"]);
    assert!(claims.has_scope("docs:read") && !claims.has_scope("docs"));
    assert_eq!(claims.expiry(), Some(at(NOW + 300)));
    assert_eq!((claims.get("team"), claims.get("none")), (Some(&json!("docs")), None));
    assert_eq!(format!("{claims:?}"), "Claims { issuer: \"https://issuer.example.com\", subject: \"alice\", .. }");
}

#[tokio::test]
async fn a_token_is_good_for_its_time() {
    check(with("exp", json!(NOW - 59)), Ok(())).await;
    check(with("exp", json!(NOW - 60)), Err(TokenError::Expired)).await;
    check(with("exp", json!(0)), Err(TokenError::Expired)).await;
    check(with("exp", json!(-1.5e300)), Err(TokenError::Expired)).await;
    check(without("exp"), Err(TokenError::Claim("exp"))).await;
    for odd in [json!("1900000000"), json!(null), json!([NOW + 1]), json!(1.5e300)] {
        check(with("exp", odd), Err(TokenError::Claim("exp"))).await;
    }
    check(with("exp", json!(1_800_000_000.5)), Ok(())).await;
    check(with("nbf", json!(NOW + 60)), Ok(())).await;
    check(with("nbf", json!(NOW + 61)), Err(TokenError::NotYetValid)).await;
    check(with("nbf", json!("soon")), Err(TokenError::Claim("nbf"))).await;
    check(with("iat", json!(NOW + 61)), Err(TokenError::IssuedLater)).await;
    check(with("iat", json!({})), Err(TokenError::Claim("iat"))).await;
    check(without("nbf"), Ok(())).await;
    check(without("iat"), Ok(())).await;
    let exact = || accepting(&[&ED]).leeway(Duration::ZERO);
    check_with(exact(), with("exp", json!(NOW)), Err(TokenError::Expired)).await;
    check_with(exact(), with("exp", json!(NOW + 1)), Ok(())).await;
    check_with(exact(), with("nbf", json!(NOW + 1)), Err(TokenError::NotYetValid)).await;
}

#[tokio::test]
async fn issuer_and_audience_are_exact() {
    for issuer in [json!("https://issuer.example.com/"), json!("https://ISSUER.example.com"), json!([ISSUER]), json!(1)]
    {
        check(with("iss", issuer), Err(TokenError::Issuer)).await;
    }
    check(without("iss"), Err(TokenError::Issuer)).await;
    for audience in [json!("https://mcp.example.com/mcp/"), json!("https://mcp.example.com"), json!([]), json!({})] {
        check(with("aud", audience), Err(TokenError::Audience)).await;
    }
    check(without("aud"), Err(TokenError::Audience)).await;
    check(with("aud", json!(["https://other.example.com", RESOURCE])), Ok(())).await;
    let renamed = || accepting(&[&ED]).audience("api://docs").audience("docs");
    check_with(renamed(), with("aud", json!("docs")), Ok(())).await;
    check_with(renamed(), good(), Err(TokenError::Audience)).await;
}

#[tokio::test]
async fn a_token_needs_a_subject_and_no_bound_key() {
    for subject in [json!(""), json!(7), json!(null)] {
        check(with("sub", subject), Err(TokenError::Claim("sub"))).await;
    }
    check(without("sub"), Err(TokenError::Claim("sub"))).await;
    check(with("cnf", json!({ "jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" })), Err(TokenError::Bound)).await;
}

#[tokio::test]
async fn with_authorized_parties_tokens_of_others_are_rejected() {
    let named = || accepting(&[&ED]).authorized_party("web").authorized_party("cli");
    check_with(named(), with("azp", json!("cli")), Ok(())).await;
    check_with(named(), with("client_id", json!("web")), Ok(())).await;
    check_with(named(), with("azp", json!("other")), Err(TokenError::AuthorizedParty)).await;
    check_with(named(), good(), Err(TokenError::AuthorizedParty)).await;
    let mut both = with("azp", json!("other"));
    both["client_id"] = json!("web");
    check_with(named(), both, Err(TokenError::AuthorizedParty)).await;
}

#[tokio::test]
async fn scopes_are_read_from_each_form_and_implied() {
    for (name, value) in [("scope", json!("a  b")), ("scp", json!(["a", "b"])), ("scp", json!("a b"))] {
        let mut claims = without("scope");
        claims[name] = value;
        let claims = verify(accepting(&[&ED]), &claims).await.unwrap();
        assert_eq!(claims.scopes().collect::<Vec<_>>(), ["a", "b"]);
    }
    let needing = |scope: &'static str| accepting(&[&ED]).require_scopes(["docs:list", scope]);
    check_with(needing("docs:read"), good(), Ok(())).await;
    check_with(needing("docs:write"), good(), Err(TokenError::MissingScopes)).await;
    check_with(needing("docs:read"), without("scope"), Err(TokenError::MissingScopes)).await;
    check_with(needing("docs:read"), with("scope", json!(5)), Err(TokenError::MissingScopes)).await;
    let implied = needing("docs:head").implies("docs:read", "docs:peek").implies("docs:peek", "docs:head");
    let claims = verify(implied, &good()).await.unwrap();
    assert!(claims.has_scope("docs:head") && !claims.has_scope("docs:write"));
}

#[tokio::test]
async fn clerk_binds_by_party_instead_of_audience() {
    let keys = json!({ "keys": [ED.bare_jwk()] }).to_string();
    let clerk = || {
        let settings = Jwt::clerk(ISSUER, RESOURCE).authorized_party("https://app.example.com").clock(|| at(NOW));
        settings.algorithms([ED.algorithm]).jwks(keys.clone())
    };
    let mut session = without("aud");
    session["azp"] = json!("https://app.example.com");
    check_with(clerk(), session.clone(), Ok(())).await;
    check_with(clerk(), without("aud"), Err(TokenError::AuthorizedParty)).await;
    session["azp"] = json!("https://evil.example.com");
    check_with(clerk(), session.clone(), Err(TokenError::AuthorizedParty)).await;
    session["azp"] = json!("https://app.example.com");
    session["aud"] = json!("https://elsewhere.example.com");
    check_with(clerk(), session.clone(), Err(TokenError::Audience)).await;
    session["aud"] = json!(RESOURCE);
    check_with(clerk(), session.clone(), Ok(())).await;
    session["sts"] = json!("pending");
    check_with(clerk(), session.clone(), Err(TokenError::Pending)).await;
    session["sts"] = json!("active");
    check_with(clerk(), session, Ok(())).await;
}
