//! The state of one pipe with real jobs: ids in flight, cancellations, the handshake.

use std::time::Duration;

use grange_core::{Revision, Server, Tool};
use serde_json::json;
use tokio::time::Instant;

use super::talk::{Client, cancel, client, code, ids, initialize, marks, ping, read, seconds, text};

#[tokio::test(start_paused = true)]
async fn w2_9_an_id_in_flight_must_not_be_used_again() {
    let (mut client, _) = client();
    client.send(&read(1, "slow")).await;
    client.send(&read(1, "note")).await;
    client.send(&read("1", "note")).await;
    let rejected = client.answer().await;
    assert_eq!((code(&rejected), &rejected["id"]), (-32600, &json!(1)));
    assert_eq!(client.answer().await["id"], "1");
    assert_eq!(text(&client.answer().await), "done");
    client.send(&read(1, "note")).await;
    assert_eq!(text(&client.answer().await), "a\nnote\r\n");
    assert!(client.finish().await.is_empty());
}

/// The job is dropped on its own task; only after that can the driver cancel its requests to the client.
#[tokio::test(start_paused = true)]
async fn w3_11_the_requests_of_a_cancelled_call_to_the_client_are_cancelled() {
    let ask = Tool::builder().name("ask").call_without_arguments(|cx| async move {
        cx.request("roots/list", json!({}), Duration::from_secs(3600)).await?;
        Ok("answered")
    });
    let server = Server::builder("tests", "1.0.0").requests_to_client().tool(ask).build().unwrap();
    let mut client = Client::of(server);
    client.send(&initialize(1, Revision::V2025_11_25)).await;
    client.answer().await;
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    for id in 2..5 {
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "ask" } });
        client.send(&call).await;
        let request = client.answer().await;
        assert_eq!(request["method"], "roots/list");
        client.send(&cancel(id)).await;
        let cancellation = client.answer().await;
        let cancelled = (&cancellation["method"], &cancellation["params"]["requestId"]);
        assert_eq!(cancelled, (&json!("notifications/cancelled"), &request["id"]));
    }
    assert!(client.finish().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn w3_11_a_cancelled_request_stops_without_an_answer() {
    let (mut client, runs) = client();
    let start = Instant::now();
    client.send(&read(1, "stuck")).await;
    client.send(&read("1", "slow")).await;
    client.send(&read(2, "note")).await;
    assert_eq!(client.answer().await["id"], 2);
    assert_eq!(runs.running(), 2);
    client.send(&cancel(1)).await;
    client.send(&read(1, "note")).await;
    assert_eq!(client.answer().await["id"], 1);
    assert_eq!((runs.over(), runs.running()), (1, 1));
    assert_eq!(ids(&client.finish().await), ["1"]);
    assert_eq!(seconds(start), 2);
}

#[tokio::test(start_paused = true)]
async fn w3_11_a_cancellation_frees_a_permit_for_a_waiting_request() {
    let limits = grange_core::Limits { requests_in_flight: 1, ..Default::default() };
    let mut client = super::talk::Client::of(super::talk::server(limits).0);
    for (id, name) in [(1, "stuck"), (2, "stuck"), (3, "slow")] {
        client.send(&read(id, name)).await;
    }
    client.send(&cancel(2)).await;
    client.send(&cancel(1)).await;
    assert_eq!(ids(&client.finish().await), [3]);
}

#[tokio::test(start_paused = true)]
async fn w3_12_a_panic_is_an_internal_error_of_only_its_request() {
    let (mut client, _) = client();
    client.send(&read(1, "boom")).await;
    client.send(&read(2, "slow")).await;
    client.send(&read(3, "note")).await;
    let answers = client.finish().await;
    let failed = answers.iter().find(|answer| answer["id"] == 1).unwrap();
    assert_eq!(code(failed), -32603);
    assert!(!failed.to_string().contains("secret"));
    assert_eq!(answers.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn w3_17_requests_do_not_wait_for_the_handshake_to_be_acknowledged() {
    let (mut client, _) = client();
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "resources/list" });
    let lines = [initialize(1, Revision::V2025_11_25), list, initialize(3, Revision::V2025_11_25)];
    client.write(lines.map(|line| format!("{line}\n")).concat().as_bytes()).await;
    let answers = client.finish().await;
    assert_eq!(ids(&answers), [1, 2, 3]);
    assert_eq!(answers[0]["result"]["protocolVersion"], Revision::V2025_11_25.name());
    assert_eq!(answers[1]["result"]["resources"].as_array().unwrap().len(), 7);
    assert_eq!(code(&answers[2]), -32600);
}

#[tokio::test(start_paused = true)]
async fn w4_4_marked_and_unmarked_requests_share_a_pipe() {
    let (mut client, _) = client();
    let unmarked =
        |id: u32| json!({ "jsonrpc": "2.0", "id": id, "method": "resources/read", "params": { "uri": "demo://note" } });
    let discover = json!({ "jsonrpc": "2.0", "id": 6, "method": "server/discover", "params": { "_meta": marks() } });
    for message in
        [&ping(1), &unmarked(2), &read(3, "note"), &initialize(4, Revision::V2025_06_18), &unmarked(5), &discover]
    {
        client.send(message).await;
    }
    let answers = client.finish().await;
    assert_eq!(ids(&answers), [1, 2, 3, 4, 5, 6]);
    assert_eq!(answers[0]["result"], json!({}));
    assert_eq!(code(&answers[1]), -32602);
    assert_eq!(answers[2]["result"]["resultType"], "complete");
    assert_eq!(answers[4]["result"].get("resultType"), None);
    assert_eq!(answers[5]["result"]["supportedVersions"], json!([Revision::V2026_07_28.name()]));
}

#[tokio::test(start_paused = true)]
async fn w8_1_the_members_of_a_batch_are_answered_as_they_finish() {
    let (mut client, _) = client();
    client.send(&initialize(0, Revision::V2025_03_26)).await;
    let unmarked = |id: u32, name: &str| {
        let params = json!({ "uri": format!("demo://{name}") });
        json!({ "jsonrpc": "2.0", "id": id, "method": "resources/read", "params": params })
    };
    client.send(&json!([unmarked(1, "slow"), unmarked(2, "stuck"), unmarked(3, "note"), cancel(2), 5])).await;
    client.send(&json!([])).await;
    let answers = client.finish().await;
    let id_or_code = |answer: &serde_json::Value| answer["id"].as_i64().unwrap_or_else(|| code(answer));
    assert_eq!(answers.iter().map(id_or_code).collect::<Vec<_>>(), [0, 3, -32600, -32600, 1]);
}
