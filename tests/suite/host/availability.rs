//! B1: whether the host's files can be read, by the client's capabilities and by the transport.

use grange_core::{Host, HostError, HostFilter, HostStatus, Revision, Server, Tool, ToolError, host};
use grange_testkit::{FakeHost, HostBlock, connect_host_http};
use serde_json::{Value, json};

use super::{FILE, Found, Way, ask, asking, checked, clients, legacy, newest, request_count, server, soon};

const KEY: &str = "ai.nimblebrain/host-resources";

/// The view of the host in a tool: `status`, `available`, `list_available`, `write_available`.
type View = (HostStatus, bool, bool, bool);

const EVERYTHING: View = (HostStatus::Available, true, true, false);
const NOT_ADVERTISED: View = (HostStatus::NotAdvertised, false, false, false);

#[allow(clippy::unused_async, reason = "what a tool does with its host is async")]
async fn view(host: Host) -> View {
    (host.status(), host.available(), host.list_available(), host.write_available())
}

fn normal() -> Value {
    json!({
        "read": { "enabled": true, "range": false, "maxSize": 10_485_760 },
        "list": { "enabled": true },
        "write": { "enabled": false },
        "schemes": ["files"]
    })
}

/// The view in a tool for a client with these capabilities, on every revision and transport.
async fn found(capabilities: &Value) -> View {
    let (server, found) = asking(view);
    let mut all = Vec::new();
    for mut client in clients(&server, || FakeHost::new().capabilities(capabilities.clone())).await {
        ask(&mut client).await;
        all.push(found.one());
    }
    assert!(all.iter().all(|each| *each == all[0]), "{capabilities}: {all:?}");
    all[0]
}

#[tokio::test(start_paused = true)]
async fn b1_1_the_block_is_read_from_extensions_and_then_from_experimental() {
    let disabled = json!({ "read": { "enabled": false }, "list": { "enabled": false } });
    for (capabilities, expected) in [
        (json!({ "extensions": { KEY: normal() } }), EVERYTHING),
        (json!({ "experimental": { KEY: normal() } }), EVERYTHING),
        (json!({ "extensions": { KEY: disabled }, "experimental": { KEY: normal() } }), READ_DISABLED),
        (json!({ "extensions": { KEY: normal() }, "experimental": { KEY: disabled } }), EVERYTHING),
        (json!({ "extensions": { KEY: "x" }, "experimental": { KEY: normal() } }), EVERYTHING),
        (json!({ "extensions": { KEY: null }, "experimental": { KEY: normal() } }), EVERYTHING),
        (json!({ "extensions": [], "experimental": { KEY: normal() } }), EVERYTHING),
        (json!({ "extensions": {}, "experimental": {} }), NOT_ADVERTISED),
        (json!({ KEY: normal() }), NOT_ADVERTISED),
        (json!({ "extensions": { "ai.nimblebrain/Host-Resources": normal() } }), NOT_ADVERTISED),
        (json!({}), NOT_ADVERTISED),
    ] {
        assert_eq!(found(&capabilities).await, expected, "{capabilities}");
    }
}

const READ_DISABLED: View = (HostStatus::ReadDisabled, false, false, false);

#[tokio::test(start_paused = true)]
async fn b1_1_a_malformed_block_means_not_available() {
    for odd in [json!(null), json!(true), json!(1), json!("x"), json!([]), json!([normal()])] {
        assert_eq!(found(&odd).await, NOT_ADVERTISED, "{odd}");
        for place in ["extensions", "experimental"] {
            assert_eq!(found(&json!({ place: odd })).await, NOT_ADVERTISED, "{place} {odd}");
            assert_eq!(found(&json!({ place: { KEY: odd } })).await, NOT_ADVERTISED, "{place} {KEY} {odd}");
        }
        for part in ["read", "list"] {
            let mut block = normal();
            block[part] = odd.clone();
            let (status, read, list, _) = found(&json!({ "extensions": { KEY: block } })).await;
            assert_eq!((read, list), (part != "read", part != "list"), "{part} {odd}");
            assert_eq!(status == HostStatus::Available, read, "{part} {odd}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b1_2_only_the_boolean_true_enables_an_operation() {
    for (enabled, expected) in [
        (json!(true), true),
        (json!(false), false),
        (json!("true"), false),
        (json!("false"), false),
        (json!(1), false),
        (json!(null), false),
        (json!([true]), false),
        (json!({ "enabled": true }), false),
    ] {
        for (part, at) in [("read", 0), ("list", 1), ("write", 2)] {
            let block = json!({ part: { "enabled": enabled }, "schemes": ["files"] });
            let (_, read, list, write) = found(&json!({ "extensions": { KEY: block } })).await;
            let mut only = [false; 3];
            only[at] = expected;
            assert_eq!([read, list, write], only, "{part} {enabled}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b1_3_a_scheme_is_supported_if_the_list_has_it_exactly() {
    let (server, found) = asking(|host| async move {
        let supported = ["files", "Files", "file", "entities", "", "7"].map(|scheme| host.supports_scheme(scheme));
        (supported, host.schemes().to_vec())
    });
    let none = [false; 6];
    for (schemes, supported, listed) in [
        (json!(["files"]), [true, false, false, false, false, false], &["files"][..]),
        (json!(["entities", "files"]), [true, false, false, true, false, false], &["entities", "files"]),
        (json!(["FILES"]), none, &["FILES"]),
        (json!([7, null, "files"]), [true, false, false, false, false, false], &["files"]),
        (json!([]), none, &[]),
        (json!("files"), none, &[]),
        (json!({ "files": true }), none, &[]),
        (json!(null), none, &[]),
    ] {
        let mut block = normal();
        block["schemes"] = schemes.clone();
        let host = || FakeHost::new().capabilities(json!({ "extensions": { KEY: block } }));
        for (_, mut client) in newest(&server, host).await {
            ask(&mut client).await;
            assert_eq!(found.one(), (supported, listed.iter().map(|name| (*name).to_owned()).collect()), "{schemes}");
        }
    }
    let absent = json!({ "extensions": { KEY: { "read": { "enabled": true } } } });
    for (_, mut client) in newest(&server, || FakeHost::new().capabilities(absent.clone())).await {
        ask(&mut client).await;
        assert_eq!(found.one(), (none, Vec::new()));
    }
}

/// A server whose tool reads by URI if possible and otherwise takes text, and records its view of the host.
fn summaries() -> (Server, Found<View>) {
    let found = Found::new();
    let kept = found.clone();
    let tool = Tool::builder().name("summarize").input_schema(json!({ "type": "object" }));
    let tool = tool.call_with_schema(move |cx, args: Value| {
        let (host, kept) = (host(&cx), kept.clone());
        async move {
            kept.add(view(host.clone()).await);
            let missing = HostError::CapabilityMissing { capability: "read", status: host.status() };
            let unlisted = HostError::CapabilityMissing { capability: "list", status: host.status() };
            if !host.available() {
                assert_eq!(host.read(FILE).await, Err(missing));
                assert_eq!(host.list(HostFilter::new()).await, Err(unlisted));
            }
            match (args["file_uri"].as_str(), args["text"].as_str()) {
                (Some(uri), _) if host.available() => Ok(host.read_text(uri).await?.to_string()),
                (_, Some(text)) => Ok(text.to_owned()),
                _ => Err(ToolError::failed("pass the content as `text`")),
            }
        }
    });
    (server(tool).build().unwrap(), found)
}

#[tokio::test(start_paused = true)]
async fn b1_4_without_a_handshake_nothing_is_available() {
    let (server, found) = summaries();
    let unsupported = (HostStatus::EraUnsupported, false, false, false);
    for block in HostBlock::ALL {
        for way in Way::ALL {
            let host = FakeHost::new().block(block).file("fl_0123456789abcdef01234567", "text/plain", "from the host");
            let mut client = way.connect(&server, Revision::V2026_07_28, host).await;
            let both = json!({ "file_uri": FILE, "text": "inline" });
            assert_eq!(soon(client.call_tool("summarize", both)).await.unwrap().text(), Some("inline"));
            let call = soon(client.call_tool("summarize", json!({ "file_uri": FILE }))).await.unwrap();
            assert_eq!((call.is_error(), call.text()), (true, Some("pass the content as `text`")));
            assert_eq!(found.take(), [unsupported, unsupported], "{block:?} {way:?}");
            assert_eq!(client.host().log(), []);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b1_4_a_modern_request_has_no_host_even_on_a_connection_with_one() {
    let (server, found) = summaries();
    for revision in legacy() {
        // Over HTTP such a request belongs to no session and needs other headers.
        let mut client = Way::Pipe.connect(&server, revision, FakeHost::new()).await;
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "extensions": { KEY: normal() } }
        });
        let params = json!({ "name": "summarize", "arguments": { "text": "inline" }, "_meta": meta });
        let call = client.request("tools/call", params).await.unwrap();
        assert_eq!(call["content"][0]["text"], "inline");
        assert_eq!(found.one().0, HostStatus::EraUnsupported);
        soon(client.call_tool("summarize", json!({ "text": "inline" }))).await.unwrap();
        assert_eq!(found.one(), EVERYTHING);
    }
}

#[tokio::test(start_paused = true)]
async fn b1_5_without_a_session_or_an_event_stream_nothing_is_available() {
    let unreachable = (HostStatus::NoBackChannel, false, false, false);
    let (with_sessions, found) = summaries();
    let other = Tool::builder().name("summarize").call_without_arguments({
        let found = found.clone();
        move |cx| {
            let (host, found) = (host(&cx), found.clone());
            async move {
                let (status, unlisted) = (host.status(), host.list(HostFilter::new()).await);
                assert_eq!(unlisted, Err(HostError::CapabilityMissing { capability: "list", status }));
                found.add(view(host).await);
                Ok("inline")
            }
        }
    });
    let without_sessions = Server::builder("tests", "1.0.0").tool(other).build().unwrap();
    for revision in legacy() {
        for (server, host, arguments) in [
            (&without_sessions, FakeHost::new(), json!({})),
            (&with_sessions, FakeHost::new().takes_json_only(), json!({ "text": "inline" })),
        ] {
            let client = connect_host_http(server, revision, host).await.unwrap();
            let mut client = checked(client, revision);
            assert_eq!(soon(client.call_tool("summarize", arguments)).await.unwrap().text(), Some("inline"));
            assert_eq!(found.one(), unreachable, "{revision}");
            assert_eq!(client.host().log(), []);
        }
        // A pipe carries requests even if the server did not announce any.
        let mut client = Way::Pipe.connect(&without_sessions, revision, FakeHost::new().block(HostBlock::Absent)).await;
        let rejected = soon(client.call_tool("summarize", json!({}))).await.unwrap();
        assert_eq!((rejected.text(), found.one()), (Some("inline"), NOT_ADVERTISED));
    }
}

#[tokio::test(start_paused = true)]
async fn b1_6_the_limits_of_the_host_are_available() {
    let (server, found) =
        asking(|host| async move { (host.max_read_size(), host.range_supported(), host.write_available()) });
    for (read, write, expected) in [
        (json!({ "enabled": true, "range": false, "maxSize": 10_485_760 }), json!(false), (Some(10_485_760), false)),
        (json!({ "enabled": true, "range": true, "maxSize": 0 }), json!(true), (Some(0), true)),
        (json!({ "enabled": true, "range": "true", "maxSize": "10" }), json!("true"), (None, false)),
        (json!({ "enabled": true, "maxSize": -1 }), json!(1), (None, false)),
        (json!({ "enabled": true, "maxSize": 1.5 }), json!(null), (None, false)),
        (json!({}), json!(false), (None, false)),
    ] {
        let writes = write == true;
        let block = json!({ "read": read, "write": { "enabled": write }, "schemes": ["files"] });
        let host = || FakeHost::new().capabilities(json!({ "extensions": { KEY: block } }));
        for (_, mut client) in newest(&server, host).await {
            ask(&mut client).await;
            assert_eq!(found.one(), (expected.0, expected.1, writes), "{read}");
            assert_eq!(request_count(&client), 0);
        }
    }
}
