//! Bursts.

use grange_core::{Limits, List};
use grange_testkit::connect;
use serde_json::json;

use super::{NEW, OLD, PAUSE, Shop, told, told_later};

#[tokio::test]
async fn l3_4_the_first_change_is_told_at_once_and_the_last_after_the_pause() {
    let shop = Shop::default();
    let server = shop.server();
    for revision in [OLD[1], NEW] {
        let mut client = connect(&server, revision).await.unwrap();
        if revision == NEW {
            let _stream = client.listen(&json!({ "resourceSubscriptions": ["shop://status"] }));
        } else {
            client.subscribe("shop://status").await.unwrap();
        }
        shop.changes.updated("shop://status");
        assert_eq!(told(&mut client), ["shop://status"]);
        for _ in 0..1000 {
            shop.changes.updated("shop://status");
        }
        assert!(told(&mut client).is_empty());
        client.clock().advance(PAUSE / 2);
        assert!(told(&mut client).is_empty());
        client.clock().advance(PAUSE / 2);
        assert_eq!(told(&mut client), ["shop://status"], "a thousand are one");
        assert!(told_later(&mut client).is_empty());
        shop.changes.updated("shop://status");
        assert_eq!(told(&mut client), ["shop://status"], "after a quiet time it is told at once");
    }
}

#[tokio::test]
async fn w6_5_all_that_changed_in_a_pause_is_told_each_once() {
    let shop = Shop::default();
    let mut client = connect(&shop.server(), NEW).await.unwrap();
    let uris = ["shop://fixed", "shop://orders/1", "shop://orders/2"];
    let _stream = client.listen(&json!({ "resourceSubscriptions": uris, "resourcesListChanged": true }));
    shop.changes.updated("shop://fixed");
    assert_eq!(told(&mut client), ["shop://fixed"]);
    for _ in 0..3 {
        shop.changes.updated("shop://orders/2");
        shop.changes.updated("shop://orders/1");
        shop.changes.relisted(List::Resources);
    }
    let list = "notifications/resources/list_changed";
    assert_eq!(told_later(&mut client), [list, "shop://orders/2", "shop://orders/1"]);
}

#[tokio::test]
async fn l3_4_an_interval_of_0_folds_nothing_that_was_sent() {
    let shop = Shop::default();
    let limits = Limits { notify_interval: std::time::Duration::ZERO, ..Limits::default() };
    let mut client = connect(&shop.limited(limits), OLD[1]).await.unwrap();
    client.subscribe("shop://fixed").await.unwrap();
    for _ in 0..3 {
        shop.changes.updated("shop://fixed");
        assert_eq!(told(&mut client), ["shop://fixed"]);
    }
}

#[test]
fn l3_1_an_announcement_may_come_from_any_thread_and_under_any_lock() {
    let shop = Shop::default();
    let _server = shop.server();
    let lock = std::sync::Mutex::new(());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for id in 0..200 {
                    let _guard = lock.lock().unwrap();
                    shop.changes.updated(format!("shop://orders/{id}"));
                }
            });
        }
    });
    assert_eq!(shop.reads(), 0, "no code of the author runs");
}
