//! The framing of messages by lines.

use grange_core::Limits;
use serde_json::json;

use super::talk::{Client, PIPE, client, code, ids, ping, read, server, text};

#[tokio::test(start_paused = true)]
async fn w7_1_any_line_end_is_accepted_and_the_last_one_is_optional() {
    let (mut client, _) = client();
    client.write(format!("{}\r\n\n  \r\n{}\n\n{}", ping(1), ping(2), ping(3)).as_bytes()).await;
    assert_eq!(ids(&client.finish().await), [1, 2, 3]);
}

#[tokio::test(start_paused = true)]
async fn w7_1_no_message_contains_a_raw_line_end() {
    let (mut client, _) = client();
    client.send(&read("a\nb", "note")).await;
    client.send(&read(2, "un\nknown\r")).await;
    let answers = client.finish().await;
    assert_eq!(ids(&answers), [&json!("a\nb"), &json!(2)]);
    assert_eq!(text(&answers[0]), "a\nnote\r\n");
    assert_eq!(answers[1]["error"]["data"]["uri"], "demo://un\nknown\r");
}

#[tokio::test(start_paused = true)]
async fn w7_1_a_line_may_arrive_in_pieces() {
    let (mut client, _) = client();
    for byte in format!("{}\r\n{}\n", ping(1), read(2, "note")).bytes() {
        client.write(&[byte]).await;
        tokio::task::yield_now().await;
    }
    assert_eq!(ids(&client.finish().await), [1, 2]);
}

#[tokio::test(start_paused = true)]
async fn w7_2_a_line_over_the_limit_gets_one_error_line() {
    let (server, _) = server(Limits { message_bytes: 100, ..Limits::default() });
    let mut client = Client::of(server);
    let padded = |id: u32, length: usize| format!("{:1$}", ping(id).to_string(), length);
    client.write(format!("{}\r\n{}\n{}\n", padded(1, 100), padded(2, 101), padded(3, 100)).as_bytes()).await;
    let answers = client.finish().await;
    assert_eq!(answers.len(), 3);
    assert_eq!((&answers[0]["id"], &answers[2]["id"]), (&json!(1), &json!(3)));
    assert_eq!((code(&answers[1]), answers[1].get("id")), (-32600, None));
    let message = answers[1]["error"]["message"].as_str().unwrap();
    assert!(message.contains("100 bytes") && message.contains("Limits::message_bytes"), "{message}");
}

#[tokio::test(start_paused = true)]
async fn w7_2_an_endless_line_is_rejected_before_its_end() {
    let (mut client, _) = client();
    let chunk = vec![b'x'; PIPE];
    for _ in 0..65 {
        client.write(&chunk).await;
    }
    assert_eq!(code(&client.answer().await), -32600);
    for _ in 0..100 {
        client.write(&chunk).await;
    }
    client.write(b"\n").await;
    client.send(&ping(1)).await;
    assert_eq!(ids(&client.finish().await), [1]);
}

#[tokio::test(start_paused = true)]
async fn w7_2_a_line_truncated_by_the_end_of_input_is_rejected_once() {
    let (server, _) = server(Limits { message_bytes: 100, ..Limits::default() });
    let mut client = Client::of(server);
    client.write(&[b' '; 500]).await;
    assert_eq!(client.finish().await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn w7_2_a_line_that_is_not_json_gets_one_error() {
    let (mut client, _) = client();
    client.write(b"{not json\n\xff\xfe\n[\n\"\\ud800\"\n\0\n").await;
    client.write(format!("{}{}\n", "[".repeat(5000), "]".repeat(5000)).as_bytes()).await;
    client.write(format!("\u{feff}{}\n", ping(1)).as_bytes()).await;
    let answers = client.finish().await;
    let (last, bad) = answers.split_last().unwrap();
    assert_eq!(last["id"], 1);
    assert_eq!(bad.iter().map(code).collect::<Vec<_>>(), [-32700; 6]);
    assert!(bad.iter().all(|answer| answer.get("id").is_none()));
}

/// Framing of other protocols: each bad line gives one error, and the next line is served.
#[tokio::test(start_paused = true)]
async fn w7_2_lines_of_other_protocols_get_one_error_each() {
    let request = ping(7).to_string();
    let utf_16 = |order: fn(u16) -> [u8; 2]| request.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let bad: [Vec<u8>; 11] = [
        format!("Content-Length: {}\r\n\r\n", request.len()).into_bytes(),
        b"Content-Type: application/json\r\n\r\n".to_vec(),
        b"POST /mcp HTTP/1.1\r\n\r\n".to_vec(),
        format!("\u{1e}{request}").into_bytes(),
        format!("data: {request}").into_bytes(),
        format!("{request},").into_bytes(),
        format!("{request}{request}").into_bytes(),
        format!("{request} {request}").into_bytes(),
        b"{'jsonrpc':'2.0','id':7,'method':'ping'}".to_vec(),
        utf_16(u16::to_le_bytes),
        [&b"\xfe\xff"[..], &utf_16(u16::to_be_bytes)].concat(),
    ];
    for line in bad {
        let (mut client, _) = client();
        client.write(&[&line[..], b"\n"].concat()).await;
        client.send(&ping(1)).await;
        let answers = client.finish().await;
        let (last, rejected) = answers.split_last().unwrap();
        assert_eq!((&last["id"], rejected.len()), (&json!(1), 1), "{}", String::from_utf8_lossy(&line));
        assert!(rejected.iter().all(|answer| answer.get("id").is_none() && [-32700, -32600].contains(&code(answer))));
    }
}

/// Each line of a message with line breaks is an invalid message of its own.
#[tokio::test(start_paused = true)]
async fn w7_2_each_line_of_a_multi_line_message_is_rejected() {
    let (mut client, _) = client();
    let spread = serde_json::to_string_pretty(&ping(7)).unwrap();
    client.write(format!("{spread}\r\n").as_bytes()).await;
    client.send(&ping(1)).await;
    let answers = client.finish().await;
    let (last, rejected) = answers.split_last().unwrap();
    assert_eq!((&last["id"], rejected.len()), (&json!(1), spread.lines().count()));
    assert!(rejected.iter().all(|answer| answer.get("id").is_none()), "{rejected:?}");
}

#[tokio::test(start_paused = true)]
async fn w7_6_a_connection_survives_any_first_message() {
    let openings = [
        json!({ "jsonrpc": "2.0", "id": 9, "result": {} }),
        json!({ "jsonrpc": "2.0", "id": 9, "error": { "code": 1, "message": "" } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/never_heard_of" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        super::talk::cancel(9),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" }),
    ];
    for opening in openings {
        let (mut client, _) = client();
        client.send(&opening).await;
        client.send(&ping(1)).await;
        assert_eq!(ids(&client.finish().await), [1], "after {opening}");
    }
}
