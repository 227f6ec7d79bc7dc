//! `resources/subscribe`, on a pipe and in a session.

use std::task::Poll;

use bytes::Bytes;
use grange_core::{Action, Connection, JobEvent, Limits, List, Revision, Server};
use grange_testkit::{Client, connect, connect_session};
use serde_json::json;

use super::{OLD, Shop, told, told_later};
use crate::raw::Pipe;

/// A client on a pipe and one in a session, of each revision with a handshake.
async fn clients(server: &Server) -> Vec<Client> {
    let mut clients = Vec::new();
    for revision in OLD {
        clients.push(connect(server, revision).await.expect("a client"));
        clients.push(connect_session(server, revision).await.expect("a client"));
    }
    clients
}

#[tokio::test]
async fn l3_14_a_subscription_is_one_however_often_it_is_asked_for() {
    let shop = Shop::default();
    for mut client in clients(&shop.server()).await {
        client.subscribe("shop://orders/7").await.unwrap();
        client.subscribe("shop://orders/7").await.unwrap();
        assert_eq!(shop.changes.subscribed(), 1);
        shop.changes.updated("shop://orders/7");
        assert_eq!(told(&mut client), ["shop://orders/7"], "{:?}", client.revision());
        client.unsubscribe("shop://orders/7").await.unwrap();
        client.unsubscribe("shop://orders/7").await.unwrap();
        client.unsubscribe("shop://nothing").await.unwrap();
        shop.changes.updated("shop://orders/7");
        assert!(told_later(&mut client).is_empty());
        assert_eq!(shop.changes.subscribed(), 0);
    }
}

#[tokio::test]
async fn l3_14_the_set_of_one_client_is_its_own_and_goes_with_it() {
    let shop = Shop::default();
    let server = shop.server();
    let revision = Revision::V2025_06_18;
    let (mut one, mut other) =
        (connect_session(&server, revision).await.unwrap(), connect(&server, revision).await.unwrap());
    one.subscribe("shop://fixed").await.unwrap();
    other.subscribe("shop://fixed").await.unwrap();
    other.unsubscribe("shop://fixed").await.unwrap();
    shop.changes.updated("shop://fixed");
    assert_eq!(told(&mut one), ["shop://fixed"]);
    assert!(told(&mut other).is_empty());
    drop(one);
    assert_eq!(shop.changes.subscribed(), 0);
}

#[tokio::test]
async fn w6_3_what_is_unknown_is_refused_as_a_read_is() {
    let shop = Shop::default();
    for mut client in clients(&shop.server()).await {
        for uri in ["shop://none", "shop://lost", "shop://orders/2000", "shop://orders/{id}"] {
            let error = client.subscribe(uri).await.unwrap_err();
            let of_read = client.read(uri).await.unwrap_err();
            assert_eq!((error.code, &error.message), (-32002, &of_read.message), "{uri}");
            assert_eq!(error.data, Some(json!({ "uri": uri })));
        }
        assert_eq!(client.request("resources/subscribe", json!({})).await.unwrap_err().code, -32602);
        assert_eq!(client.request("resources/subscribe", json!({ "uri": 1 })).await.unwrap_err().code, -32602);
        assert_eq!(shop.changes.subscribed(), 0);
    }
}

#[tokio::test]
async fn l3_14_beyond_the_limit_a_subscription_is_refused_by_name() {
    let shop = Shop::default();
    let server = shop.limited(Limits { subscribed_uris: 2, ..Limits::default() });
    for mut client in clients(&server).await {
        for id in 0..2 {
            client.subscribe(&format!("shop://orders/{id}")).await.unwrap();
        }
        for uri in ["shop://orders/2", "shop://fixed"] {
            let error = client.subscribe(uri).await.unwrap_err();
            assert_eq!(error.code, -32602);
            assert!(error.message.contains("`Limits::subscribed_uris` is 2"), "{}", error.message);
        }
        client.subscribe("shop://orders/1").await.unwrap();
    }
}

#[test]
fn l3_15_nothing_is_told_before_the_client_is_initialized() {
    let shop = Shop::default();
    let server = shop.server();
    let mut pipe = Pipe::new(&server);
    let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    assert_eq!(pipe.say(hello).len(), 1);
    let subscribed =
        pipe.ask(r#"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"shop://status"}}"#);
    assert_eq!(subscribed["result"], json!({}));
    shop.changes.updated("shop://status");
    shop.changes.relisted(List::Resources);
    assert!(
        pipe.say(r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#).iter().all(|message| message.get("method").is_none())
    );
    let told = pipe.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assert!(told.iter().all(|message| message.get("method").is_some()), "{told:?}");
}

#[tokio::test]
async fn l3_15_a_list_that_changed_is_told_to_every_initialized_client() {
    let shop = Shop::default();
    for mut client in clients(&shop.server()).await {
        shop.changes.relisted(List::Resources);
        let notification = client.next_change().expect("it is told unasked");
        assert_eq!(
            notification,
            json!({ "jsonrpc": "2.0", "method": "notifications/resources/list_changed", "params": {} })
        );
        shop.changes.relisted(List::Tools);
        assert!(told_later(&mut client).is_empty(), "the server does not declare it");
    }
}

#[tokio::test]
async fn w3_9_a_frozen_server_has_no_subscriptions() {
    let frozen = Server::builder("frozen", "1.0.0").resources([]).build().unwrap();
    for revision in OLD {
        let mut client = connect(&frozen, revision).await.unwrap();
        assert_eq!(client.capabilities()["resources"], json!({}));
        for method in ["resources/subscribe", "resources/unsubscribe"] {
            assert_eq!(client.request(method, json!({ "uri": "a://b" })).await.unwrap_err().code, -32601);
        }
    }
    let mut client = connect(&Shop::default().server(), Revision::V2026_07_28).await.unwrap();
    assert_eq!(client.request("resources/subscribe", json!({ "uri": "shop://fixed" })).await.unwrap_err().code, -32601);
}

#[tokio::test]
async fn l3_18_a_subscription_runs_the_reader_once_and_a_fixed_one_none() {
    let shop = Shop::default();
    let mut client = connect(&shop.server(), Revision::V2025_11_25).await.unwrap();
    client.subscribe("shop://fixed").await.unwrap();
    assert_eq!(shop.reads(), 0);
    client.subscribe("shop://orders/7").await.unwrap();
    assert_eq!(shop.reads(), 1);
}

#[tokio::test]
async fn l3_4_at_the_end_of_a_pipe_what_waits_for_the_pause_leaves_first() {
    let shop = Shop::default();
    let mut client = connect(&shop.server(), Revision::V2025_11_25).await.unwrap();
    client.subscribe("shop://fixed").await.unwrap();
    shop.changes.updated("shop://fixed");
    assert_eq!(told(&mut client), ["shop://fixed"]);
    shop.changes.updated("shop://fixed");
    assert!(told(&mut client).is_empty());
    client.end_streams();
    assert_eq!(told(&mut client), ["shop://fixed"]);
    assert!(client.take_unread().is_empty(), "it ends without a message");
}

#[test]
fn l3_15_a_change_waits_until_the_answer_to_its_subscription_was_sent() {
    let shop = Shop::default();
    let mut connection = Connection::new(shop.server());
    let mut say = |line: &'static str| {
        connection.handle_frame(&Bytes::from_static(line.as_bytes()));
        std::iter::from_fn(|| connection.poll_action()).last()
    };
    say(
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
    );
    let Some(Action::Start(_, mut notifying)) = say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#) else {
        panic!("a client that is initialized is told of changes")
    };
    let subscribe = r#"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"shop://status"}}"#;
    let Some(Action::Start(ticket, mut subscribing)) = say(subscribe) else { panic!("its reader runs") };
    assert!(matches!(subscribing.poll_now(), Poll::Ready(JobEvent::Done(..))));
    shop.changes.updated("shop://status");
    assert!(notifying.poll_now().is_pending(), "the answer is not sent yet");
    connection.handle_done(ticket);
    assert!(matches!(notifying.poll_now(), Poll::Ready(JobEvent::Event(_))));
}
