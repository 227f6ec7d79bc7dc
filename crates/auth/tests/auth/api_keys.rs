//! Authentication by static keys.

use grange_auth::ApiKeys;
use http::StatusCode;

use super::service::{read, service};

const ALICE: &str = "alice-0123456789abcdef";
const BOB: &str = "bob-fedcba9876543210ff";

fn keys() -> ApiKeys {
    ApiKeys::new().key(ALICE, "alice").key_with_scopes(BOB, "bob", ["docs:read", "drafts:read"])
}

#[tokio::test]
async fn a_key_identifies_its_principal() {
    let service = service(keys().build().unwrap());
    for (key, name) in [(ALICE, "alice alice"), (BOB, "bob bob")] {
        let answer = read(&service, "docs://who", &[("authorization", &format!("Bearer {key}"))]).await;
        assert_eq!((answer.status, answer.text().as_str()), (StatusCode::OK, name));
    }
    let bob = format!("Bearer {BOB}");
    assert_eq!(read(&service, "docs://draft", &[("authorization", &bob)]).await.text(), "draft");
    let alice = format!("Bearer {ALICE}");
    let answer = read(&service, "docs://draft", &[("authorization", &alice)]).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert!(answer.challenge.starts_with("Bearer scope=\"drafts:read docs:read\", error=\"insufficient_scope\""));
}

#[tokio::test]
async fn an_unknown_key_has_no_principal() {
    let service = service(keys().build().unwrap());
    for key in [&ALICE[1..], &format!("{ALICE}x"), "x", &ALICE.to_uppercase()] {
        let answer = read(&service, "docs://who", &[("authorization", &format!("Bearer {key}"))]).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{key}");
        assert!(answer.challenge.starts_with("Bearer error=\"invalid_token\""), "{}", answer.challenge);
    }
    let answer = read(&service, "docs://who", &[]).await;
    assert_eq!((answer.status, answer.challenge.as_str()), (StatusCode::UNAUTHORIZED, "Bearer"));
}

#[tokio::test]
async fn with_a_header_of_its_own_no_other_is_read() {
    let service = service(keys().header("X-Api-Key").build().unwrap());
    assert_eq!(read(&service, "docs://who", &[("x-api-key", BOB)]).await.text(), "bob bob");
    let bearer = format!("Bearer {BOB}");
    let twice = &[("x-api-key", BOB), ("x-api-key", BOB)];
    for (lines, status) in [
        (&[("authorization", bearer.as_str())][..], StatusCode::UNAUTHORIZED),
        (&[], StatusCode::UNAUTHORIZED),
        (twice, StatusCode::BAD_REQUEST),
    ] {
        let answer = read(&service, "docs://who", lines).await;
        assert_eq!((answer.status, answer.challenge.as_str()), (status, "ApiKey header=\"x-api-key\""));
        assert!(answer.body.contains("send your key as `x-api-key: …`"), "{}", answer.body);
    }
}
