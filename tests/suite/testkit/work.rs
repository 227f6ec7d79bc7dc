//! Long-running work: the manual clock, cancellation, panics, held streams, limits.

use std::time::Duration;

use grange_core::{Limits, Revision, Server};
use grange_testkit::ManualClock;
use serde_json::json;

use super::{Notes, clients, noting, resource, stuck};
use crate::schema::{checked, checked_http};

fn docs() -> Server {
    Server::builder("documentation", "1.0.0").resource(resource("guide").text("# Guide").build()).build().unwrap()
}

#[tokio::test]
async fn a_request_times_out_by_the_manual_clock() {
    let notes = Notes::default();
    let limits = Limits { request_time: Duration::from_secs(5), ..Limits::default() };
    let server = noting(&notes).limits(limits).resource(stuck(&notes)).build().unwrap();
    for mut client in clients(&server).await {
        let pending = client.start("resources/read", json!({ "uri": "docs://stuck" }));
        client.clock().advance(Duration::from_millis(4999));
        client.settle();
        assert_eq!(notes.take(), ["started"]);
        client.clock().advance(Duration::from_millis(1));
        let error = client.finish(pending).await.unwrap_err();
        assert_eq!((error.code, &*error.message, error.data), (-32603, "Internal error", None));
        assert_eq!(notes.take(), ["cancelled", "docs://stuck: it took longer than 5000 ms"]);
    }
}

#[tokio::test]
async fn the_clock_wakes_waiting_tasks() {
    let notes = Notes::default();
    let server = noting(&notes).resource(stuck(&notes)).build().unwrap();
    let mut client = checked(&server, Revision::V2025_11_25).await.unwrap();
    let clock: ManualClock = client.clock().clone();
    let reading = tokio::spawn(async move { client.read("docs://stuck").await });
    while notes.take().is_empty() {
        tokio::task::yield_now().await;
    }
    clock.advance(Duration::from_secs(60));
    assert_eq!(reading.await.unwrap().unwrap_err().code, -32603);
}

#[tokio::test]
async fn w3_11_a_cancelled_read_is_silent() {
    let notes = Notes::default();
    let server = noting(&notes).resource(stuck(&notes)).build().unwrap();
    for revision in Revision::ALL {
        let mut clients = vec![checked(&server, revision).await.unwrap()];
        if !revision.has_handshake() {
            clients.push(checked_http(&server, revision).await.unwrap());
        }
        for mut client in clients {
            let pending = client.start("resources/read", json!({ "uri": "docs://stuck" }));
            client.cancel(pending);
            client.clock().advance(Duration::from_secs(3600));
            client.settle();
            assert_eq!(client.take_unread(), [json!(null); 0], "{revision}");
            assert_eq!(notes.take(), ["started", "cancelled"], "{revision}");
        }
    }
}

#[tokio::test]
async fn w3_11_a_notification_does_not_cancel_another_exchange() {
    let notes = Notes::default();
    let server = noting(&notes).resource(stuck(&notes)).build().unwrap();
    let mut client = checked_http(&server, Revision::V2025_06_18).await.unwrap();
    let pending = client.start("resources/read", json!({ "uri": "docs://stuck" }));
    client.notify("notifications/cancelled", json!({ "requestId": pending.id() }));
    client.settle();
    assert_eq!(notes.take(), ["started"]);
}

#[tokio::test]
async fn w3_12_a_panic_is_an_internal_error_of_that_read_only() {
    let notes = Notes::default();
    let boom = resource("boom").read(|_cx| async { if true { panic!("secret=/srv/key") } else { Ok("") } });
    let server = noting(&notes).resources([boom.build(), resource("calm").text("calm").build()]).build().unwrap();
    for mut client in clients(&server).await {
        let error = client.read("docs://boom").await.unwrap_err();
        assert_eq!((error.code, &*error.message, error.data), (-32603, "Internal error", None));
        assert_eq!(notes.take(), ["docs://boom: the code panicked: secret=/srv/key"]);
        assert_eq!(client.read("docs://calm").await.unwrap().text(), Some("calm"));
    }
}

#[tokio::test]
async fn w6_2_a_held_stream_ends_with_its_result_and_a_notification() {
    let mut client = checked(&docs(), Revision::V2026_07_28).await.unwrap();
    let messages = client.raw(listen(r#""l-1""#)).await;
    assert_eq!(messages[0]["method"], "notifications/subscriptions/acknowledged");
    client.end_streams();
    let [result, cancelled] = &*client.take_unread() else { panic!("two messages") };
    assert_eq!((&result["id"], &result["result"]["resultType"]), (&json!("l-1"), &json!("complete")));
    assert_eq!(result["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "l-1");
    assert_eq!(
        (&cancelled["method"], &cancelled["params"]["requestId"]),
        (&json!("notifications/cancelled"), &json!("l-1"))
    );
}

#[tokio::test]
async fn w6_4_a_static_server_acknowledges_no_subscription_and_holds_the_stream() {
    for mut client in [
        checked(&docs(), Revision::V2026_07_28).await.unwrap(),
        checked_http(&docs(), Revision::V2026_07_28).await.unwrap(),
    ] {
        let messages = client.raw(listen("7")).await;
        assert_eq!(messages.len(), 1);
        assert_eq!(messages[0]["params"]["notifications"], json!({}));
        assert_eq!(messages[0]["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 7);
        client.clock().advance(Duration::from_secs(86_400));
        client.settle();
        assert_eq!(client.take_unread(), [json!(null); 0]);
    }
}

fn listen(id: &str) -> String {
    let meta =
        r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}"#;
    let params = format!(r#"{{"notifications":{{"resourcesListChanged":true}},"_meta":{{{meta}}}}}"#);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"subscriptions/listen","params":{params}}}"#)
}

#[tokio::test]
async fn requests_over_the_limit_wait_and_further_ones_are_rejected() {
    let notes = Notes::default();
    let limits = Limits { requests_in_flight: 1, requests_waiting: 1, ..Limits::default() };
    let server = noting(&notes)
        .limits(limits)
        .resources([stuck(&notes), resource("calm").read(|_cx| async { Ok("calm") }).build()]);
    let mut client = checked(&server.build().unwrap(), Revision::V2025_11_25).await.unwrap();
    let read = |uri: &str| json!({ "uri": format!("docs://{uri}") });
    let first = client.start("resources/read", read("stuck"));
    let second = client.start("resources/read", read("calm"));
    let third = client.start("resources/read", read("calm"));
    assert_eq!(client.finish(third).await.unwrap_err().code, 503);
    client.cancel(first);
    assert_eq!(client.finish(second).await.unwrap()["contents"][0]["text"], "calm");
}
