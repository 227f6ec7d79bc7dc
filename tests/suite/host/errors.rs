//! B4: the errors of the host, distinguished by code and never by message.

use std::time::Duration;

use grange_core::{HostError, HostFilter, Revision};
use grange_testkit::FakeHost;
use serde_json::{Value, json};

use super::{FILE, ID, OLD_FILE, OLD_ID, Way, ask, asking, clients, newest};

/// A host that answers with this error.
fn rejecting(error: &Value) -> FakeHost {
    let error = error.clone();
    let answer = move |request: &Value| vec![json!({ "jsonrpc": "2.0", "id": request["id"], "error": error })];
    FakeHost::new().answers_with(answer)
}

/// The errors of a read and of a list for this error of the host.
async fn errors_for(error: &Value) -> [HostError; 2] {
    let (server, found) =
        asking(
            |host| async move { [host.read(FILE).await.unwrap_err(), host.list(HostFilter::new()).await.unwrap_err()] },
        );
    let mut all = Vec::new();
    for (_, mut client) in newest(&server, || rejecting(error)).await {
        ask(&mut client).await;
        all.push(found.one());
    }
    assert!(all.iter().all(|each| *each == all[0]), "{all:?}");
    all.remove(0)
}

fn files() -> Vec<String> {
    vec!["files".to_owned()]
}

#[tokio::test(start_paused = true)]
async fn b4_a_missing_file_is_not_found() {
    let (server, found) = asking(|host| async move { host.read(OLD_FILE).await.unwrap_err() });
    for mut client in clients(&server, || FakeHost::new().file(ID, "text/plain", "hello")).await {
        ask(&mut client).await;
        assert_eq!(found.one(), HostError::NotFound { uri: Some(OLD_FILE.to_owned()) });
    }
}

#[tokio::test(start_paused = true)]
async fn b4_a_uri_without_an_id_has_an_unsupported_scheme() {
    let (server, found) = asking(|host| async move { host.read("files://").await.unwrap_err() });
    for mut client in clients(&server, FakeHost::new).await {
        ask(&mut client).await;
        let expected = HostError::UnsupportedScheme { uri: Some("files://".to_owned()), supported: Some(files()) };
        assert_eq!(found.one(), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn b4_a_filter_with_another_scheme_is_rejected() {
    let (server, found) =
        asking(|host| async move { host.list(HostFilter::new().scheme("entities").tag("a")).await.unwrap_err() });
    for mut client in clients(&server, FakeHost::new).await {
        ask(&mut client).await;
        let scheme = Some("entities".to_owned());
        assert_eq!(found.one(), HostError::UnsupportedFilterScheme { scheme, supported: Some(files()) });
    }
}

#[tokio::test(start_paused = true)]
async fn b4_a_cursor_and_invalid_tags_have_their_own_errors() {
    let error = |data: Value| json!({ "code": -32602, "message": "MCP error -32602: Invalid params", "data": data });
    let cursor = HostError::UnsupportedCursor { cursor: Some("7".to_owned()) };
    assert_eq!(errors_for(&error(json!({ "cursor": "7" }))).await, [cursor.clone(), cursor]);
    let tags = HostError::InvalidTags { received_type: Some("string".to_owned()) };
    assert_eq!(errors_for(&error(json!({ "receivedType": "string" }))).await, [tags.clone(), tags]);
}

#[tokio::test(start_paused = true)]
async fn b4_a_rate_limit_error_has_the_time_to_wait() {
    let (server, found) = asking(|host| async move {
        host.read(FILE).await.unwrap();
        // The host checks the rate limit first.
        [host.read("files://").await.unwrap_err(), host.list(HostFilter::new().scheme("x")).await.unwrap_err()]
    });
    for mut client in clients(&server, || FakeHost::new().file(ID, "text/plain", "hello").rate(1, 3)).await {
        ask(&mut client).await;
        let limited = HostError::RateLimited { retry_after: Some(Duration::from_millis(334)) };
        assert_eq!(found.one(), [limited.clone(), limited]);
    }
}

#[tokio::test(start_paused = true)]
async fn b4_only_a_file_over_the_limit_is_too_large() {
    let (server, found) =
        asking(|host| async move { (host.read_bytes(FILE).await.map(|bytes| bytes.len()), host.read(OLD_FILE).await) });
    let host =
        || FakeHost::new().max_size(1000).file(ID, "image/png", vec![7; 1000]).file(OLD_ID, "a/b", vec![7; 1001]);
    for mut client in clients(&server, host).await {
        ask(&mut client).await;
        let too_large = HostError::TooLarge { uri: Some(OLD_FILE.to_owned()), size: Some(1001), max_size: Some(1000) };
        assert_eq!(found.one(), (Ok(1000), Err(too_large)));
    }
}

#[tokio::test(start_paused = true)]
async fn b4_the_default_limit_is_ten_mebibytes() {
    const MOST: usize = 10 * 1024 * 1024;
    let (server, found) =
        asking(|host| async move { (host.read_bytes(FILE).await.map(|bytes| bytes.len()), host.read(OLD_FILE).await) });
    for (way, mime_type) in [(Way::Pipe, "image/png"), (Way::Http, "text/plain")] {
        let host = FakeHost::new().file(ID, mime_type, vec![b' '; MOST]).file(OLD_ID, mime_type, vec![b' '; MOST + 1]);
        ask(&mut way.connect(&server, Revision::V2025_11_25, host).await).await;
        let (size, max_size) = (Some(MOST as u64 + 1), Some(MOST as u64));
        let too_large = HostError::TooLarge { uri: Some(OLD_FILE.to_owned()), size, max_size };
        assert_eq!(found.one(), (Ok(MOST), Err(too_large)));
    }
}

#[tokio::test(start_paused = true)]
async fn b4_a_missing_method_is_an_error_of_its_own() {
    for error in [json!({ "code": -32601, "message": "Method not found" }), json!({ "code": -32601, "data": {} })] {
        assert_eq!(errors_for(&error).await, [HostError::NotImplemented, HostError::NotImplemented]);
    }
}

#[tokio::test(start_paused = true)]
async fn b4_other_errors_are_passed_on_unchanged() {
    for (error, code, message, data) in [
        (json!({ "code": -32603, "message": "Internal error" }), -32603, "Internal error", None),
        (
            json!({ "code": 4290, "message": "MCP error -32004: Rate limited", "data": [1] }),
            4290,
            "MCP error -32004: Rate limited",
            Some(json!([1])),
        ),
        (json!({ "code": -32000, "message": "", "data": { "uri": FILE } }), -32000, "", Some(json!({ "uri": FILE }))),
        (json!({ "code": i64::MIN, "message": "x", "data": 0 }), i64::MIN, "x", Some(json!(0))),
    ] {
        let other = HostError::Other { code, message: message.to_owned(), data };
        assert_eq!(errors_for(&error).await, [other.clone(), other], "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn b4_errors_are_distinguished_by_code_and_not_by_message() {
    for message in ["", "MCP error -32004: Rate limited", "Unsupported scheme", "timeout", "\u{0}\u{1f600}"] {
        let error = |code: i64| json!({ "code": code, "message": message });
        let not_found = HostError::NotFound { uri: None };
        assert_eq!(errors_for(&error(-32002)).await[0], not_found, "{message}");
        let too_large = HostError::TooLarge { uri: None, size: None, max_size: None };
        assert_eq!(errors_for(&error(-32005)).await[0], too_large, "{message}");
        assert_eq!(errors_for(&error(-32004)).await[0], HostError::RateLimited { retry_after: None }, "{message}");
        let invalid = HostError::InvalidParams { message: message.to_owned(), data: None };
        assert_eq!(errors_for(&error(-32602)).await[0], invalid, "{message}");
    }
}

#[tokio::test(start_paused = true)]
async fn b4_malformed_data_is_ignored() {
    for data in [json!(null), json!(7), json!("x"), json!([]), json!({}), json!({ "uri": 7, "retryAfterMs": "5" })] {
        let error = |code: i64| json!({ "code": code, "message": "x", "data": data });
        assert_eq!(errors_for(&error(-32002)).await[0], HostError::NotFound { uri: None }, "{data}");
        let too_large = HostError::TooLarge { uri: None, size: None, max_size: None };
        assert_eq!(errors_for(&error(-32005)).await[0], too_large, "{data}");
        assert_eq!(errors_for(&error(-32004)).await[0], HostError::RateLimited { retry_after: None }, "{data}");
    }
    let error = |data: Value| json!({ "code": -32602, "message": "x", "data": data });
    for (data, expected) in [
        (json!({ "uri": 7, "supported": "files" }), HostError::UnsupportedScheme { uri: None, supported: None }),
        (
            json!({ "scheme": null, "supported": { "files": 1 } }),
            HostError::UnsupportedFilterScheme { scheme: None, supported: None },
        ),
        (json!({ "cursor": 7 }), HostError::UnsupportedCursor { cursor: None }),
        (json!({ "receivedType": {} }), HostError::InvalidTags { received_type: None }),
    ] {
        assert_eq!(errors_for(&error(data.clone())).await[0], expected, "{data}");
    }
    let data = json!({ "uri": FILE, "size": -1, "maxSize": "10" });
    let too_large = HostError::TooLarge { uri: Some(FILE.to_owned()), size: None, max_size: None };
    assert_eq!(errors_for(&json!({ "code": -32005, "message": "x", "data": data })).await[0], too_large);
}

#[tokio::test(start_paused = true)]
async fn b4_every_error_has_a_text() {
    for (error, expected) in [
        (HostError::NotFound { uri: Some(FILE.to_owned()) }, FILE),
        (HostError::RateLimited { retry_after: Some(Duration::from_millis(7)) }, "7 ms"),
        (HostError::TooLarge { uri: None, size: Some(11), max_size: Some(10) }, "11"),
        (HostError::Timeout(Duration::from_secs(30)), "30000 ms"),
        (HostError::NotText { uri: FILE.to_owned() }, "read_bytes"),
        (HostError::UnsupportedScheme { uri: Some("x:y".to_owned()), supported: Some(files()) }, "files"),
        (HostError::InvalidResponse("\"contents\" is missing".to_owned()), "contents"),
        (HostError::Other { code: 7, message: "odd".to_owned(), data: None }, "odd"),
    ] {
        let shown = error.to_string();
        assert!(shown.contains(expected), "{shown:?} does not contain {expected:?}");
    }
}
