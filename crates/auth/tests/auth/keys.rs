//! When keys are fetched, which requests wait, and which keys are used while the issuer is down.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use grange_auth::{Algorithm, Jwt, JwtAuthenticator, KeySource, TokenError, async_trait};
use serde_json::json;
use tokio::task::{JoinSet, yield_now};

use super::issuer::{Clock, Issuer};
use super::signer::{EC, ED, ISSUER, RESOURCE, Signer, good};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

struct Setting {
    issuer: Issuer,
    clock: Clock,
    tokens: JwtAuthenticator,
}

impl Setting {
    /// An issuer that publishes one key, and nothing fetched yet.
    async fn new() -> Self {
        let (issuer, clock) = (Issuer::start().await, Clock::new());
        issuer.publish_keys(&[&ED]);
        let settings = Jwt::new(ISSUER, RESOURCE).jwks_url(issuer.keys_url()).clock(clock.hands());
        Self { issuer, clock, tokens: settings.build().unwrap() }
    }

    /// The result for a token of that key, and the number of fetches so far.
    async fn verify(&self, signer: &Signer) -> (Result<(), TokenError>, usize) {
        let mut claims = good();
        for (name, ahead) in [("exp", 5 * MINUTE), ("nbf", 0), ("iat", 0)] {
            claims[name] = json!(self.clock.seconds() + ahead);
        }
        (self.tokens.verify(&signer.token(&claims)).await.map(|_| ()), self.issuer.asked())
    }
}

#[tokio::test]
async fn building_fetches_nothing_and_the_first_token_does() {
    let setting = Setting::new().await;
    assert_eq!(setting.issuer.asked(), 0);
    for _ in 0..3 {
        assert_eq!(setting.verify(&ED).await, (Ok(()), 1));
    }
}

#[tokio::test]
async fn concurrent_first_requests_make_one_fetch() {
    let setting = Setting::new().await;
    setting.issuer.set_open(false);
    let mut requests = JoinSet::new();
    for _ in 0..50 {
        let (tokens, token) = (setting.tokens.clone(), ED.token(&good()));
        requests.spawn(async move { tokens.verify(&token).await.map(|_| ()) });
    }
    // The runtime has one thread: every request is under way before this goes on.
    yield_now().await;
    assert!(requests.try_join_next().is_none());
    setting.issuer.set_open(true);
    assert!(requests.join_all().await.iter().all(Result::is_ok));
    assert_eq!(setting.issuer.asked(), 1);
}

#[tokio::test]
async fn a_client_that_goes_away_does_not_end_the_fetch() {
    let setting = Setting::new().await;
    setting.issuer.set_open(false);
    let (tokens, token) = (setting.tokens.clone(), ED.token(&good()));
    let first = tokio::spawn(async move { tokens.verify(&token).await });
    yield_now().await;
    first.abort();
    assert!(first.await.is_err());
    setting.issuer.set_open(true);
    assert_eq!(setting.verify(&ED).await, (Ok(()), 1));
}

#[tokio::test]
async fn an_unknown_key_is_asked_for_once_in_a_floor() {
    let setting = Setting::new().await;
    assert_eq!(setting.verify(&ED).await, (Ok(()), 1));
    assert_eq!(setting.verify(&EC).await, (Err(TokenError::UnknownKey), 1));
    setting.clock.forward(29);
    assert_eq!(setting.verify(&EC).await, (Err(TokenError::UnknownKey), 1));
    setting.clock.forward(1);
    for _ in 0..3 {
        assert_eq!(setting.verify(&EC).await, (Err(TokenError::UnknownKey), 2));
    }
    assert_eq!(setting.verify(&ED).await, (Ok(()), 2));
}

#[tokio::test]
async fn keys_rotate() {
    let setting = Setting::new().await;
    assert_eq!(setting.verify(&ED).await, (Ok(()), 1));
    setting.issuer.publish_keys(&[&ED, &EC]);
    setting.clock.forward(30);
    assert_eq!(setting.verify(&EC).await, (Ok(()), 2));
    assert_eq!(setting.verify(&ED).await, (Ok(()), 2));
    setting.issuer.publish_keys(&[&EC]);
    setting.clock.forward(10 * MINUTE - 1);
    assert_eq!(setting.verify(&ED).await, (Ok(()), 2));
    setting.clock.forward(1);
    // A key that was withdrawn is not used once more before that is known.
    assert_eq!(setting.verify(&ED).await, (Err(TokenError::UnknownKey), 3));
    assert_eq!(setting.verify(&EC).await, (Ok(()), 3));
}

#[tokio::test]
async fn old_keys_serve_while_the_issuer_is_down() {
    let setting = Setting::new().await;
    assert_eq!(setting.verify(&ED).await, (Ok(()), 1));
    setting.issuer.set_down(true);
    setting.clock.forward(10 * MINUTE);
    assert_eq!(setting.verify(&ED).await, (Ok(()), 2));
    assert_eq!(setting.verify(&ED).await, (Ok(()), 2));
    assert_eq!(setting.verify(&EC).await, (Err(TokenError::Unreachable), 2));
    setting.clock.forward(24 * HOUR - 10 * MINUTE - 1);
    assert_eq!(setting.verify(&ED).await.0, Ok(()));
    setting.clock.forward(1);
    assert_eq!(setting.verify(&ED).await.0, Err(TokenError::Unreachable));
    setting.issuer.set_down(false);
    setting.clock.forward(30);
    assert_eq!(setting.verify(&ED).await.0, Ok(()));
}

#[tokio::test]
async fn after_a_failed_fetch_old_keys_are_used_without_waiting() {
    let setting = Setting::new().await;
    assert_eq!(setting.verify(&ED).await, (Ok(()), 1));
    setting.issuer.set_down(true);
    setting.clock.forward(10 * MINUTE);
    assert_eq!(setting.verify(&ED).await, (Ok(()), 2));
    setting.issuer.set_open(false);
    setting.clock.forward(30);
    // The fetch that this starts is held back, and the answer comes all the same.
    assert_eq!(setting.verify(&ED).await.0, Ok(()));
    setting.issuer.set_down(false);
    setting.issuer.set_open(true);
    // A request that needs the key waits for the same fetch.
    setting.issuer.publish_keys(&[&EC]);
    assert_eq!(setting.verify(&EC).await, (Ok(()), 3));
}

#[tokio::test]
async fn without_keys_no_token_can_be_judged() {
    let setting = Setting::new().await;
    setting.issuer.set_down(true);
    assert_eq!(setting.verify(&ED).await, (Err(TokenError::Unreachable), 1));
    assert_eq!(setting.verify(&ED).await, (Err(TokenError::Unreachable), 1));
    setting.issuer.set_down(false);
    setting.clock.forward(30);
    assert_eq!(setting.verify(&ED).await, (Ok(()), 2));
}

#[tokio::test]
async fn an_invalid_key_set_replaces_no_keys() {
    let setting = Setting::new().await;
    assert_eq!(setting.verify(&ED).await, (Ok(()), 1));
    for (asked, document) in
        ["<html>", "{}", r#"{"keys": []}"#, r#"{"keys": [{"kty": "oct", "k": "AQ"}]}"#].iter().enumerate()
    {
        setting.issuer.publish("/keys", *document);
        setting.clock.forward(10 * MINUTE);
        assert_eq!(setting.verify(&EC).await, (Err(TokenError::Unreachable), asked + 2), "{document}");
        assert_eq!(setting.verify(&ED).await.0, Ok(()), "{document}");
    }
}

#[tokio::test]
async fn a_clock_that_is_set_back_causes_a_fetch_and_no_rejection() {
    let setting = Setting::new().await;
    assert_eq!(setting.verify(&ED).await, (Ok(()), 1));
    setting.clock.back(HOUR);
    assert_eq!(setting.verify(&ED).await, (Ok(()), 2));
    setting.issuer.set_down(true);
    setting.clock.back(HOUR);
    assert_eq!(setting.verify(&ED).await, (Ok(()), 3));
}

/// Panics on the first call.
struct Clumsy(Arc<AtomicUsize>);

#[async_trait]
impl KeySource for Clumsy {
    async fn fetch(&self) -> Result<Bytes, Box<dyn Error + Send + Sync>> {
        assert!(self.0.fetch_add(1, Ordering::SeqCst) > 0, "the source fails");
        Ok(json!({ "keys": [ED.jwk()] }).to_string().into())
    }
}

#[tokio::test]
async fn a_source_of_the_author_is_asked_again_after_it_panicked() {
    let (asked, clock) = (Arc::<AtomicUsize>::default(), Clock::new());
    let settings = Jwt::new(ISSUER, RESOURCE).key_source(Clumsy(asked.clone())).clock(clock.hands());
    let tokens = settings.build().unwrap();
    let token = ED.token(&good());
    assert_eq!(tokens.verify(&token).await.unwrap_err(), TokenError::Unreachable);
    clock.forward(30);
    assert!(tokens.verify(&token).await.is_ok());
    assert_eq!(asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_token_that_cannot_be_valid_causes_no_fetch() {
    let setting = Setting::new().await;
    for token in ["junk", "e30.e30.e30", &Signer::new("x", Algorithm::Es384).token(&good())] {
        assert!(setting.tokens.verify(token).await.is_err());
    }
    assert_eq!(setting.issuer.asked(), 0);
}
