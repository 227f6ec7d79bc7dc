//! `subscriptions/listen`.

use grange_core::{Changes, Limits, List, ReadError, Resource, Template};
use grange_testkit::{connect, connect_http};
use serde_json::{Value, json};

use super::{NEW, OLD, Shop, subject, told};

const ID: &str = "io.modelcontextprotocol/subscriptionId";

fn subscribing(uris: &[&str]) -> Value {
    json!({ "resourceSubscriptions": uris })
}

#[tokio::test]
async fn l3_9_a_hub_declares_what_it_announces_and_nothing_else() {
    let shop = Shop::default();
    let client = connect(&shop.server(), NEW).await.unwrap();
    assert_eq!(client.capabilities()["resources"], json!({ "subscribe": true, "listChanged": true }));
    let tools = Shop { changes: Changes::new().tools(), ..Shop::default() };
    let server = tools.builder().tools([]).build().unwrap();
    let client = connect(&server, NEW).await.unwrap();
    assert_eq!(client.capabilities()["tools"], json!({ "listChanged": true }));
    let server = shop.builder().tools([]).build().unwrap();
    assert_eq!(connect(&server, NEW).await.unwrap().capabilities()["tools"], json!({}));
    let frozen = grange_core::Server::builder("frozen", "1.0.0").resources([]).build().unwrap();
    assert_eq!(connect(&frozen, NEW).await.unwrap().capabilities()["resources"], json!({}));
}

#[tokio::test]
async fn l3_10_a_filter_is_an_object_of_flags_and_strings() {
    let server = Shop::default().server();
    for (filter, named) in [
        (json!(null), "notifications"),
        (json!([]), "notifications"),
        (json!({ "resourcesListChanged": 1 }), "resourcesListChanged"),
        (json!({ "toolsListChanged": "true" }), "toolsListChanged"),
        (json!({ "promptsListChanged": null }), "promptsListChanged"),
        (json!({ "resourceSubscriptions": "shop://fixed" }), "resourceSubscriptions"),
        (json!({ "resourceSubscriptions": ["shop://fixed", 1] }), "resourceSubscriptions"),
    ] {
        let mut client = connect(&server, NEW).await.unwrap();
        let error = client.request("subscriptions/listen", json!({ "notifications": filter })).await.unwrap_err();
        assert_eq!(error.code, -32602, "{filter}");
        assert!(error.message.contains(named), "{filter}: {}", error.message);
    }
    let mut client = connect(&server, NEW).await.unwrap();
    let (_stream, honored) = client.listen(&json!({ "taskIds": [1], "x": null, "resourcesListChanged": false }));
    assert_eq!(honored, json!({}), "unknown members are ignored, and so is what is not asked for");
}

#[tokio::test]
async fn l3_10_what_is_asked_and_declared_is_acknowledged() {
    let server = Shop::default().server();
    for mut client in [connect(&server, NEW).await.unwrap(), connect_http(&server, NEW).await.unwrap()] {
        let all = json!({
            "resourcesListChanged": true, "toolsListChanged": true, "promptsListChanged": true,
            "resourceSubscriptions": ["shop://orders/7", "shop://fixed", "shop://orders/7", "shop://status"],
        });
        let (_stream, honored) = client.listen(&all);
        let uris = ["shop://orders/7", "shop://fixed", "shop://status"];
        assert_eq!(honored, json!({ "resourcesListChanged": true, "resourceSubscriptions": uris }));
    }
}

#[tokio::test]
async fn l3_11_what_cannot_be_read_is_left_out() {
    let shop = Shop::default();
    let mut client = connect(&shop.server(), NEW).await.unwrap();
    let uris =
        ["shop://none", "shop://orders/{id}", "shop://lost", "shop://orders/2000", "shop://orders/%2F", "shop://fixed"];
    let (_stream, honored) = client.listen(&subscribing(&uris));
    assert_eq!(honored, subscribing(&["shop://fixed"]));
    assert_eq!(shop.changes.subscribed(), 1);
}

#[tokio::test]
async fn l3_11_a_listener_holds_the_first_that_have_room() {
    let shop = Shop::default();
    let uris: Vec<_> = (0..5).map(|id| format!("shop://orders/{id}")).collect();
    let uris: Vec<_> = uris.iter().map(String::as_str).collect();
    let bytes = uris[0].len();
    for limits in [
        Limits { subscribed_uris: 3, ..Limits::default() },
        Limits { subscribed_bytes: 3 * bytes, ..Limits::default() },
    ] {
        let shop = Shop::default();
        let mut client = connect(&shop.limited(limits), NEW).await.unwrap();
        let (_stream, honored) = client.listen(&subscribing(&uris));
        assert_eq!(honored, subscribing(&uris[..3]));
    }
    let server = shop.limited(Limits { subscribed_bytes_total: 4 * bytes, ..Limits::default() });
    let (mut one, mut other) = (connect(&server, NEW).await.unwrap(), connect(&server, NEW).await.unwrap());
    let (stream, honored) = one.listen(&subscribing(&uris[..3]));
    assert_eq!(honored, subscribing(&uris[..3]));
    assert_eq!(other.listen(&subscribing(&uris)).1, subscribing(&uris[..1]), "all listeners together have a limit");
    one.cancel(stream);
    assert_eq!(shop.changes.subscribed(), 1, "what is cancelled is returned");
}

#[tokio::test]
async fn l3_6_only_the_subscribed_string_is_sent_and_only_to_its_subscriber() {
    let shop = Shop::default();
    let server = shop.server();
    let mut clients = Vec::new();
    for uri in ["shop://orders/%37", "shop://orders/8", "shop://fixed"] {
        let mut client = connect(&server, NEW).await.unwrap();
        let (stream, _) = client.listen(&subscribing(&[uri]));
        clients.push((client, stream));
    }
    shop.changes.updated("shop://orders/7");
    let (client, stream) = &mut clients[0];
    let notification = client.next_change().expect("it is another spelling of the same order");
    let params = json!({ "uri": "shop://orders/%37", "_meta": { ID: stream.id() } });
    assert_eq!(notification["params"], params);
    assert!(clients.iter_mut().all(|(client, _)| told(client).is_empty()));
    shop.changes.updated("shop://fixed");
    assert_eq!(told(&mut clients[2].0), ["shop://fixed"]);
}

#[tokio::test]
async fn l3_5_an_instance_is_its_values_in_whatever_spelling() {
    let shop = Shop::default();
    let mut client = connect(&shop.server(), NEW).await.unwrap();
    let uri = "shop://orders/%31?part=%61";
    let _stream = client.listen(&subscribing(&[uri]));
    for (announced, is_told) in
        [("shop://orders/1?part=a", true), (uri, true), ("shop://orders/1", false), ("shop://orders/1?part=b", false)]
    {
        shop.changes.updated(announced);
        client.settle();
        client.clock().advance(super::PAUSE);
        assert_eq!(told(&mut client), vec![uri; usize::from(is_told)], "{announced}");
    }
}

#[tokio::test]
async fn l3_8_a_list_that_changed_is_told_to_those_who_asked() {
    let shop = Shop::default();
    let server = shop.server();
    let (mut asked, mut other) = (connect(&server, NEW).await.unwrap(), connect(&server, NEW).await.unwrap());
    let (stream, _) = asked.listen(&json!({ "resourcesListChanged": true }));
    let _other = other.listen(&subscribing(&["shop://fixed"]));
    shop.changes.relisted(List::Resources);
    shop.changes.relisted(List::Tools);
    let notification = asked.next_change().expect("it asked");
    assert_eq!(notification["method"], "notifications/resources/list_changed");
    assert_eq!(notification["params"], json!({ "_meta": { ID: stream.id() } }));
    assert!(told(&mut asked).is_empty() && told(&mut other).is_empty());
}

#[tokio::test]
async fn l3_12_listens_on_one_pipe_are_independent() {
    let shop = Shop::default();
    let mut client = connect(&shop.server(), NEW).await.unwrap();
    let (first, _) = client.listen(&subscribing(&["shop://fixed"]));
    let (second, _) = client.listen(&subscribing(&["shop://fixed", "shop://orders/1"]));
    shop.changes.updated("shop://fixed");
    let ids: Vec<_> =
        std::iter::from_fn(|| client.next_change()).map(|each| each["params"]["_meta"][ID].clone()).collect();
    assert_eq!(ids, [json!(first.id()), json!(second.id())]);
    client.cancel(first);
    client.settle();
    assert!(client.take_unread().is_empty(), "a cancellation is met with silence");
    client.clock().advance(super::PAUSE);
    shop.changes.updated("shop://fixed");
    assert_eq!(told(&mut client).len(), 1);
}

#[tokio::test]
async fn l3_13_a_shutdown_sends_what_waits_then_the_result() {
    let shop = Shop::default();
    let mut client = connect_http(&shop.server(), NEW).await.unwrap();
    let (stream, _) = client.listen(&subscribing(&["shop://fixed"]));
    shop.changes.updated("shop://fixed");
    client.settle();
    shop.changes.updated("shop://fixed");
    client.end_streams();
    let messages = client.take_unread();
    let shown: Vec<_> =
        messages.iter().map(|each| each.get("result").map_or_else(|| subject(each), |_| "result".to_owned())).collect();
    assert_eq!(shown, ["shop://fixed", "shop://fixed", "result", "notifications/cancelled"]);
    assert_eq!(messages[2]["id"], stream.id());
}

#[tokio::test]
async fn l3_18_a_listen_runs_the_reader_of_each_uri_and_drops_its_contents() {
    let shop = Shop::default();
    let mut client = connect(&shop.server(), NEW).await.unwrap();
    let uris: Vec<_> = (0..40).map(|id| format!("shop://orders/{id}")).chain(["shop://fixed".to_owned()]).collect();
    let uris: Vec<_> = uris.iter().map(String::as_str).collect();
    let (_stream, honored) = client.listen(&subscribing(&uris));
    assert_eq!(honored, subscribing(&uris), "in the order in which they were asked for");
    assert_eq!(shop.reads(), 40);
}

#[tokio::test]
async fn l3_18_what_is_undecided_after_30_seconds_is_left_out() {
    let shop = Shop::default();
    let slow = grange_core::Resource::builder()
        .uri("shop://slow")
        .name("slow")
        .read(|_cx| std::future::pending::<Result<&str, grange_core::ReadError>>());
    let server = shop.builder().resource(slow.build()).build().unwrap();
    let mut client = connect(&server, NEW).await.unwrap();
    let params = json!({ "notifications": subscribing(&["shop://slow", "shop://fixed"]) });
    let _pending = client.start("subscriptions/listen", params);
    client.settle();
    assert!(client.take_unread().is_empty());
    client.clock().advance(std::time::Duration::from_secs(30));
    client.settle();
    let acknowledged = client.take_unread();
    assert_eq!(acknowledged[0]["params"]["notifications"], subscribing(&["shop://fixed"]));
    shop.changes.updated("shop://fixed");
    assert_eq!(told(&mut client), ["shop://fixed"]);
}

#[tokio::test]
async fn l3_2_what_changes_after_the_acknowledgment_is_told() {
    let shop = Shop::default();
    let mut client = connect(&shop.server(), NEW).await.unwrap();
    shop.changes.updated("shop://status");
    let _stream = client.listen(&subscribing(&["shop://status"]));
    assert!(told(&mut client).is_empty(), "what was announced before it can be read by now");
    shop.changes.updated("shop://status");
    assert_eq!(told(&mut client), ["shop://status"]);
}

#[tokio::test]
async fn w6_1_every_message_of_a_stream_has_the_id_of_its_request() {
    let shop = Shop::default();
    let mut client = connect(&shop.server(), NEW).await.unwrap();
    let (stream, honored) = client.listen(&subscribing(&["shop://fixed", "shop://none"]));
    assert_eq!(honored, subscribing(&["shop://fixed"]));
    shop.changes.updated("shop://fixed");
    shop.changes.relisted(List::Resources);
    client.settle();
    client.end_streams();
    let messages = client.take_unread();
    assert_eq!(messages.len(), 3, "one change, the result, the cancellation: the list was not asked for");
    for message in messages {
        let of = message.get("result").or(message.get("params")).expect("it has one of them");
        assert_eq!(of["_meta"][ID], stream.id(), "{message}");
    }
}

#[tokio::test]
async fn w6_2_the_result_comes_before_the_notification() {
    let mut client = connect(&Shop::default().server(), NEW).await.unwrap();
    let (stream, _) = client.listen(&json!({}));
    client.end_streams();
    let messages = client.take_unread();
    assert_eq!((&messages[0]["id"], &messages[0]["result"]["resultType"]), (&json!(stream.id()), &json!("complete")));
    assert_eq!(
        (&messages[1]["method"], &messages[1]["params"]["requestId"]),
        (&json!("notifications/cancelled"), &json!(stream.id()))
    );
}

#[tokio::test]
async fn a3_5_a_host_listens_for_its_outbox_with_an_id_of_its_own() {
    let shop = Shop::default();
    let mut client = connect(&shop.server(), NEW).await.unwrap();
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": NEW.name(), "io.modelcontextprotocol/clientCapabilities": {} });
    let filter =
        json!({ "resourcesListChanged": true, "toolsListChanged": true, "resourceSubscriptions": ["shop://status"] });
    client.send(&json!({ "jsonrpc": "2.0", "id": "listen:0", "method": "subscriptions/listen", "params": { "notifications": filter, "_meta": meta } }));
    client.settle();
    shop.changes.updated("shop://status");
    client.settle();
    let messages = client.take_unread();
    let honored = json!({ "resourcesListChanged": true, "resourceSubscriptions": ["shop://status"] });
    assert_eq!(messages[0]["params"]["notifications"], honored);
    assert!(messages.iter().all(|message| message["params"]["_meta"][ID] == "listen:0"), "{messages:?}");
    assert_eq!(messages[1]["params"]["uri"], "shop://status");
}

#[tokio::test]
async fn l3_7_an_announcement_that_nobody_can_hear_is_ignored() {
    Changes::new().updated("shop://fixed");
    let shop = Shop::default();
    let mut client = connect(&shop.server(), NEW).await.unwrap();
    let _stream = client.listen(&subscribing(&["shop://fixed"]));
    for _ in 0..1000 {
        shop.changes.updated("shop://unknown");
    }
    assert!(told(&mut client).is_empty());
}

#[tokio::test]
async fn l3_3_a_read_that_ran_during_a_change_is_not_to_be_kept() {
    let shop = Shop::default();
    let (changes, during) = (shop.changes.clone(), std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false)));
    let flag = during.clone();
    let racy =
        grange_core::Resource::builder().uri("shop://racy").name("racy").ttl(std::time::Duration::from_secs(9)).read(
            move |_cx| {
                if flag.load(std::sync::atomic::Ordering::SeqCst) {
                    changes.updated("shop://racy");
                }
                async { Ok("racy") }
            },
        );
    let server = shop.builder().resource(racy.build()).build().unwrap();
    let mut client = connect(&server, NEW).await.unwrap();
    for (is_during, ttl) in [(false, 9000), (true, 0), (false, 9000)] {
        during.store(is_during, std::sync::atomic::Ordering::SeqCst);
        let result = client.request("resources/read", json!({ "uri": "shop://racy" })).await.unwrap();
        assert_eq!(result["ttlMs"], ttl);
    }
}

#[tokio::test]
async fn l3_18_a_check_decides_in_place_of_the_reader() {
    let shop = Shop::default();
    let order = Template::builder().uri("shop://checked/{id}").name("checked");
    let order = order.read(|_cx, _: u64| async { Err::<&str, _>(ReadError::not_found()) });
    let order =
        order.check(|_cx, id: u64| async move { if id == 3 { Err(ReadError::not_found()) } else { Ok(id == 1) } });
    let fixed = |name: &'static str| Resource::builder().uri(format!("shop://{name}")).name(name).text("fixed");
    let (open, closed) =
        (fixed("open").check(|_cx| async { Ok(true) }), fixed("closed").check(|_cx| async { Ok(false) }));
    let server = shop.builder().template(order.build()).resources([open.build(), closed.build()]).build().unwrap();
    let uris = ["shop://checked/1", "shop://checked/2", "shop://checked/3", "shop://open", "shop://closed"];
    let mut client = connect(&server, NEW).await.unwrap();
    assert_eq!(client.listen(&subscribing(&uris)).1, subscribing(&["shop://checked/1", "shop://open"]));
    let mut client = connect(&server, OLD[1]).await.unwrap();
    for (uri, is_granted) in uris.into_iter().zip([true, false, false, true, false]) {
        let subscribed = client.subscribe(uri).await;
        assert_eq!(subscribed.map_err(|error| error.code), if is_granted { Ok(()) } else { Err(-32002) }, "{uri}");
    }
    assert_eq!(client.read("shop://closed").await.unwrap().text(), Some("fixed"), "a read is another matter");
}
