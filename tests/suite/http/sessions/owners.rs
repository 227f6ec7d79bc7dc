//! The owner of a session: a principal, or none.

use grange_core::Limits;
use grange_http::{HttpService, Principal};
use serde_json::json;

use super::super::drive::{Answer, Post};
use super::client::{Client, PRIMED, asking, limited, service};

fn alice() -> Principal {
    Principal::new("https://issuer.example.com|alice")
}

fn bob() -> Principal {
    Principal::new("https://issuer.example.com|bob")
}

async fn open(service: &HttpService, principal: &Principal) -> Client {
    Client::open_with(service, PRIMED, Some(principal)).await
}

/// A whole response.
fn whole(answer: Answer) -> (u16, http::HeaderMap, bytes::Bytes) {
    (answer.status, answer.headers, answer.body)
}

#[tokio::test]
async fn w5_9_another_principals_session_is_not_found() {
    let service = service([asking()]);
    let alices = open(&service, &alice()).await;
    let anonymous = Client::open(&service).await;
    let requests: [fn(&Client) -> Post; 5] = [
        |client| client.request(7, "ping", &json!({})),
        |client| client.post(&json!({ "jsonrpc": "2.0", "id": 1, "result": {} })),
        |client| client.post(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {} })),
        Client::get,
        Client::delete,
    ];
    let (alice, bob) = (Some(alice()), Some(bob()));
    for (client, strangers) in [(&alices, [&bob, &None]), (&anonymous, [&alice, &bob])] {
        for stranger in strangers {
            let stranger = Client { principal: stranger.clone(), ..client.clone() };
            let lost = Client { session: "0123456789abcdef0123456789abcdef".to_owned(), ..stranger.clone() };
            for request in requests {
                let (theirs, unknown) = (request(&stranger).send(&service).await, request(&lost).send(&service).await);
                assert_eq!(theirs.status, 404);
                assert_eq!(whole(theirs), whole(unknown));
            }
        }
    }
    assert_eq!((alices.ping().await.status, anonymous.ping().await.status), (200, 200));
}

#[tokio::test]
async fn w5_9_another_principal_cannot_answer_or_cancel() {
    let service = service([asking()]);
    let client = open(&service, &alice()).await;
    let mut events = client.events(client.call(1, "ask")).await;
    while events.event().await.method() != "x/y" {}
    let stranger = Client { principal: Some(bob()), ..client.clone() };
    assert_eq!(stranger.answer(1, &json!("a stranger's")).await.status, 404);
    let cancel = stranger.notify("notifications/cancelled", &json!({ "requestId": 1 })).await;
    assert_eq!(cancel.status, 404);
    assert_eq!(client.answer(1, &json!("the owner's")).await.status, 202);
    assert_eq!(events.rest().await.pop().unwrap().text(), "\"the owner's\"");
}

#[tokio::test]
async fn w5_9_the_sessions_of_a_principal_are_limited() {
    let limits = Limits { sessions_per_principal: 2, ..Limits::default() };
    let service = limited([], limits);
    let others = open(&service, &bob()).await;
    let first = open(&service, &alice()).await;
    let second = open(&service, &alice()).await;
    first.ping().await;
    let third = open(&service, &alice()).await;
    let statuses = |answers: [Answer; 4]| answers.map(|answer| answer.status);
    let all = [first.ping().await, second.ping().await, third.ping().await, others.ping().await];
    assert_eq!(statuses(all), [200, 404, 200, 200]);
    // Its sessions in use are not evicted, and other principals are not affected.
    let held = (first.events(first.get()).await, third.events(third.get()).await);
    let rejected = Client::try_open(&service, PRIMED, Some(&alice())).await.map(|client| client.session).unwrap_err();
    assert_eq!((rejected.busy().as_str(), &rejected.json()["id"]), ("sessions_per_principal", &json!(1)));
    open(&service, &bob()).await;
    // The limit does not apply without a principal.
    for _ in 0..5 {
        Client::open(&service).await;
    }
    drop(held);
    open(&service, &alice()).await;
}
