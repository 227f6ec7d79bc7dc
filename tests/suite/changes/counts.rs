//! The metrics of changes, as an operator's store gets them.

use grange_testkit::{connect, connect_session};
use serde_json::json;

use super::{NEW, OLD, Shop, told, told_later};
use crate::measurements::Counted;

pub(crate) const LISTENERS: &str = "grange_change_listeners";
pub(crate) const SUBSCRIBED: &str = "grange_subscribed_uris";
pub(crate) const SENT: &str = "grange_change_notifications_total";
const FOLDED: &str = "grange_changes_folded_total";

const URIS: [&str; 2] = ["shop://status", "shop://orders/7"];

#[tokio::test]
async fn l3_21_listeners_and_subscribed_uris_are_counted_until_they_leave() {
    let server = Shop::default().server();
    let (counted, _guard) = Counted::new();
    let check = |listeners: usize, uris: usize| {
        counted.check(LISTENERS, &[], listeners);
        counted.check(SUBSCRIBED, &[], uris);
    };
    let mut new = connect(&server, NEW).await.unwrap();
    let (stream, _) = new.listen(&json!({ "resourceSubscriptions": URIS }));
    check(1, 2);
    let (other, _) = new.listen(&json!({ "resourceSubscriptions": ["shop://none"], "resourcesListChanged": true }));
    check(2, 2);
    let mut old = connect(&server, OLD[1]).await.unwrap();
    let mut session = connect_session(&server, OLD[1]).await.unwrap();
    for client in [&mut old, &mut session] {
        client.subscribe(URIS[0]).await.unwrap();
        client.subscribe(URIS[0]).await.unwrap();
    }
    check(4, 4);
    old.unsubscribe(URIS[0]).await.unwrap();
    old.unsubscribe(URIS[0]).await.unwrap();
    check(4, 3);
    new.cancel(stream);
    new.cancel(other);
    check(2, 1);
    drop((old, session));
    check(0, 0);
}

#[tokio::test]
async fn l3_21_what_is_sent_and_what_is_folded_is_counted_without_uris() {
    let shop = Shop::default();
    let server = shop.server();
    let (counted, _guard) = Counted::new();
    let mut client = connect(&server, NEW).await.unwrap();
    let _stream = client.listen(&json!({ "resourceSubscriptions": URIS }));
    shop.changes.updated("shop://fixed");
    counted.check(SENT, &[], 0);
    shop.changes.updated(URIS[0]);
    assert_eq!(told(&mut client), [URIS[0]]);
    counted.check(SENT, &[], 1);
    for _ in 0..4 {
        shop.changes.updated(URIS[0]);
    }
    shop.changes.updated(URIS[1]);
    counted.check(FOLDED, &[], 3);
    counted.check(SENT, &[], 1);
    assert_eq!(told_later(&mut client), URIS);
    counted.check(SENT, &[], 3);
    counted.check(FOLDED, &[], 3);
    let text = counted.text();
    for name in [LISTENERS, SUBSCRIBED, SENT, FOLDED] {
        assert!(text.lines().any(|line| line.starts_with(&format!("{name} "))), "{name} has no label:\n{text}");
    }
    assert!(!text.contains("shop:"), "a URI is no label:\n{text}");
}
