//! Failures of author code that decides about subscriptions, and the test kit.

use std::sync::{Arc, Mutex};

use grange_core::{Changes, Context, HandlerFailure, Resource, Revision, Server, Template};
use grange_testkit::{connect, connect_session};
use serde_json::json;

use super::{NEW, OLD, Shop};

/// A server whose code panics, with the failures that it reports.
fn panicking() -> (Server, Arc<Mutex<Vec<String>>>) {
    let failures = Arc::<Mutex<Vec<_>>>::default();
    let sink = failures.clone();
    let check = Resource::builder().uri("shop://check").name("check").text("fixed");
    let check = check.check(|_cx| async { if true { panic!("secret=/srv/key") } else { Ok(true) } });
    let item = Template::builder().uri("shop://items/{id}").name("item").read(|_cx, _: u64| async { Ok("an item") });
    let item = item.complete("id", |_cx, _| async { if true { panic!("secret=/srv/key") } else { Ok(["1"]) } });
    let server = Server::builder("shop", "1.0.0")
        .resource(check.build())
        .template(item.build())
        .changes(&Changes::new())
        .on_error(move |failure: &HandlerFailure, _: &Context| sink.lock().unwrap().push(failure.to_string()));
    (server.build().unwrap(), failures)
}

#[tokio::test]
async fn l6_5_a_panic_of_a_check_or_a_completer_is_an_internal_error() {
    for revision in [OLD[1], NEW] {
        let (server, failures) = panicking();
        let mut client = connect(&server, revision).await.unwrap();
        let completed = client.complete("shop://items/{id}", "id", "").await.unwrap_err();
        assert_eq!((completed.code, &*completed.message), (-32603, "Internal error"));
        if revision == NEW {
            let (_stream, honored) =
                client.listen(&json!({ "resourceSubscriptions": ["shop://check", "shop://items/7"] }));
            assert_eq!(honored, json!({ "resourceSubscriptions": ["shop://items/7"] }));
        } else {
            let subscribed = client.subscribe("shop://check").await.unwrap_err();
            assert_eq!((subscribed.code, &*subscribed.message), (-32603, "Internal error"));
        }
        assert_eq!(failures.lock().unwrap().len(), 2, "the author gets both");
    }
}

#[tokio::test]
async fn l6_7_the_test_kit_subscribes_listens_completes_and_lists() {
    let shop = Shop::default();
    let server = shop.server();
    for mut client in
        [connect(&server, OLD[1]).await.unwrap(), connect_session(&server, Revision::V2025_03_26).await.unwrap()]
    {
        client.subscribe("shop://fixed").await.unwrap();
        shop.changes.updated("shop://fixed");
        assert_eq!(client.next_change().unwrap()["params"]["uri"], "shop://fixed");
        client.unsubscribe("shop://fixed").await.unwrap();
        assert_eq!(client.list().await.unwrap().len(), 3);
    }
    let mut client = connect(&server, NEW).await.unwrap();
    let (stream, _) = client.listen(&json!({ "resourceSubscriptions": ["shop://fixed"] }));
    shop.changes.updated("shop://fixed");
    assert!(client.next_change().is_some() && client.next_change().is_none());
    client.cancel(stream);
    assert_eq!(shop.changes.subscribed(), 0);
}
