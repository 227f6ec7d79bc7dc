//! B6: the defects of the reference SDK, one by one, that Grange does not have.

use std::time::Duration;

use grange_core::{HostError, HostFilter, HostStatus, Revision, Server, Tool, host};
use grange_testkit::{FakeHost, HostBehavior, HostBlock, Stream, connect_host_http};
use serde_json::json;

use super::{FILE, Found, ID, Way, ask, asking, checked, clients, newest, request_count, soon};

fn files() -> FakeHost {
    FakeHost::new().file(ID, "text/plain", "hello")
}

#[tokio::test(start_paused = true)]
async fn b6_defect_1_requests_are_never_sent_on_a_stream_without_a_reader() {
    let (server, found) = asking(|host| async move { host.read_text(FILE).await.map(|text| text.to_string()) });
    // With no `GET` stream, and with one that stays empty.
    for way in [Way::Http, Way::HttpWithGet] {
        let mut client = way.connect(&server, Revision::V2025_11_25, files()).await;
        ask(&mut client).await;
        assert_eq!(found.one(), Ok("hello".to_owned()));
        assert!(client.host().log().iter().all(|message| message.stream() != Stream::Get));
    }
}

#[tokio::test(start_paused = true)]
async fn b6_defect_2_there_is_a_deadline() {
    let (server, found) = asking(|host| async move { host.list(HostFilter::new()).await.unwrap_err() });
    for (_, mut client) in newest(&server, || files().behavior(HostBehavior::NeverAnswers)).await {
        let call = client.start_tool("ask", json!({}));
        client.clock().advance(Duration::from_secs(30));
        soon(client.finish_tool(call)).await.unwrap();
        assert_eq!(found.one(), HostError::Timeout(Duration::from_secs(30)));
    }
}

#[tokio::test(start_paused = true)]
async fn b6_defect_3_nothing_is_available_if_no_request_can_be_sent() {
    let (server, found) = asking(|host| async move { (host.available(), host.read(FILE).await.unwrap_err()) });
    for way in Way::ALL {
        let mut client = way.connect(&server, Revision::V2026_07_28, files()).await;
        ask(&mut client).await;
        let (capability, status) = ("read", HostStatus::EraUnsupported);
        assert_eq!(found.one(), (false, HostError::CapabilityMissing { capability, status }));
    }
}

#[tokio::test(start_paused = true)]
async fn b6_defect_4_only_true_enables_an_operation() {
    let (server, found) = asking(|host| async move { (host.available(), host.list_available()) });
    for mut client in clients(&server, || files().block(HostBlock::EnabledText)).await {
        ask(&mut client).await;
        assert_eq!(found.one(), (false, false));
    }
}

#[tokio::test(start_paused = true)]
async fn b6_defect_5_two_payloads_and_bad_base64_are_rejected() {
    let (server, found) = asking(|host| async move { host.read(FILE).await.unwrap_err() });
    for behavior in [HostBehavior::BothPayloads, HostBehavior::BadBase64] {
        for mut client in clients(&server, || files().behavior(behavior)).await {
            ask(&mut client).await;
            assert!(matches!(found.one(), HostError::InvalidResponse(_)), "{behavior:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b6_defect_6_all_errors_have_one_type() {
    let (server, found) = asking(|host| async move {
        let error: Box<dyn std::error::Error + Send + Sync> = host.read_text(FILE).await.unwrap_err().into();
        error.downcast_ref::<HostError>().cloned()
    });
    for behavior in [
        HostBehavior::EmptyResult,
        HostBehavior::WrongContents,
        HostBehavior::ErrorWithoutData(-32002),
        HostBehavior::NotImplemented,
        HostBehavior::DropsStream,
    ] {
        for (_, mut client) in newest(&server, || files().behavior(behavior)).await {
            let _call = client.start_tool("ask", json!({}));
            client.settle();
            assert!(found.one().is_some(), "{behavior:?}");
        }
    }
    let mut modern = Way::Pipe.connect(&server, Revision::V2026_07_28, files()).await;
    ask(&mut modern).await;
    assert!(matches!(found.one(), Some(HostError::CapabilityMissing { .. })));
}

#[tokio::test(start_paused = true)]
async fn b6_defect_7_the_scheme_is_checked_before_a_request_is_sent() {
    let (server, found) = asking(|host| async move { host.read("entities://1").await.unwrap_err() });
    for (_, mut client) in newest(&server, files).await {
        ask(&mut client).await;
        assert!(matches!(found.one(), HostError::UnsupportedScheme { .. }));
        assert_eq!(client.host().log(), []);
    }
}

#[tokio::test(start_paused = true)]
async fn b6_defect_8_a_file_that_is_not_text_is_an_error() {
    let (server, found) = asking(|host| async move { host.read_text(FILE).await.unwrap_err() });
    for (_, mut client) in newest(&server, || FakeHost::new().file(ID, "image/png", "png")).await {
        ask(&mut client).await;
        assert_eq!(found.one(), HostError::NotText { uri: FILE.to_owned() });
    }
}

#[tokio::test(start_paused = true)]
async fn b6_defect_9_the_extension_uses_the_public_api() {
    // A request of another extension, through the same public API.
    let found = Found::new();
    let kept = found.clone();
    let tool = Tool::builder().name("ask").call_without_arguments(move |cx| {
        let kept = kept.clone();
        async move {
            kept.add(cx.request("ping", json!({}), Duration::from_secs(1)).await);
            kept.add(cx.request("example.com/more", json!({ "a": 1 }), Duration::from_secs(1)).await);
            Ok("asked")
        }
    });
    for mut client in clients(&super::server(tool).build().unwrap(), files).await {
        ask(&mut client).await;
        let [ping, more] = &*found.take() else { panic!("two answers") };
        assert_eq!(ping, &Ok(json!({})));
        assert!(matches!(more, Err(grange_core::ClientRequestError::Refused { code: -32601, .. })), "{more:?}");
        assert_eq!(client.host().log()[1].params(), &json!({ "a": 1 }));
    }
}

#[tokio::test(start_paused = true)]
async fn b6_defect_10_retries_need_one_call() {
    let (server, found) = asking(|host| async move {
        let host = host.with_retry(3);
        [host.read_text(FILE).await.is_ok(), host.read_text(FILE).await.is_ok()]
    });
    for (_, mut client) in newest(&server, || files().rate(1, 100)).await {
        let call = client.start_tool("ask", json!({}));
        client.settle();
        client.clock().advance(Duration::from_millis(20));
        soon(client.finish_tool(call)).await.unwrap();
        assert_eq!(found.one(), [true, true]);
        assert_eq!(request_count(&client), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn b6_defect_11_the_status_has_the_reason() {
    let (server, found) = asking(|host| async move { host.status() });
    for (host, expected) in [
        (files(), HostStatus::Available),
        (files().block(HostBlock::Absent), HostStatus::NotAdvertised),
        (files().block(HostBlock::Text), HostStatus::NotAdvertised),
        (files().without_capabilities(), HostStatus::NotAdvertised),
        (files().block(HostBlock::ReadDisabled), HostStatus::ReadDisabled),
        (files().takes_json_only(), HostStatus::NoBackChannel),
    ] {
        let client = connect_host_http(&server, Revision::V2025_06_18, host).await.unwrap();
        ask(&mut checked(client, Revision::V2025_06_18)).await;
        assert_eq!(found.one(), expected);
    }
    let mut modern = Way::Http.connect(&server, Revision::V2026_07_28, files()).await;
    ask(&mut modern).await;
    assert_eq!(found.one(), HostStatus::EraUnsupported);
    let tool = Tool::builder().name("ask").call_without_arguments(move |cx| {
        found.add(host(&cx).status());
        async { Ok("asked") }
    });
    let stateless = Server::builder("tests", "1.0.0").tool(tool).build().unwrap();
    let client = connect_host_http(&stateless, Revision::V2025_06_18, files()).await.unwrap();
    let call = soon(checked(client, Revision::V2025_06_18).call_tool("ask", json!({}))).await.unwrap();
    assert_eq!(call.text(), Some("asked"));
}
