//! B5: retries after the host's rate limit, for authors who enable them.

use std::time::Duration;

use grange_core::{Host, HostError, HostFilter};
use grange_testkit::{Client, FakeHost, HostBehavior};
use serde_json::{Value, json};

use super::{FILE, Found, ID, ask, asking, clients, lending, newest, poll_once, request_count, soon};

fn host() -> FakeHost {
    FakeHost::new().file(ID, "text/plain", "hello")
}

fn limited(milliseconds: u64) -> HostError {
    HostError::RateLimited { retry_after: Some(Duration::from_millis(milliseconds)) }
}

/// A host that always rejects by rate limit with this hint.
fn hints(hint: &Value) -> FakeHost {
    let data = json!({ "retryAfterMs": hint });
    FakeHost::new().answers_with(move |request| {
        let error = json!({ "code": -32004, "message": "Rate limited", "data": data });
        vec![json!({ "jsonrpc": "2.0", "id": request["id"], "error": error })]
    })
}

/// Advances the clock in steps until the call ends. Returns the time that passed.
async fn pass<T: std::fmt::Debug>(client: &mut Client, found: &Found<T>, most: u64) -> (u64, T) {
    let call = client.start_tool("ask", json!({}));
    client.settle();
    for passed in 0..=most {
        let mut come = found.take();
        if let Some(came) = come.pop() {
            soon(client.finish_tool(call)).await.unwrap();
            return (passed, came);
        }
        client.clock().advance(Duration::from_millis(1));
        client.settle();
    }
    panic!("no result within {most} ms");
}

#[tokio::test(start_paused = true)]
async fn b5_there_are_no_retries_by_default() {
    let (server, found) = asking(|host| async move { (host.read(FILE).await.is_ok(), host.read(FILE).await) });
    for mut client in clients(&server, || host().rate(1, 100)).await {
        ask(&mut client).await;
        assert_eq!(found.one(), (true, Err(limited(10))));
        assert_eq!(request_count(&client), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn b5_a_retry_waits_for_the_hosts_hint() {
    let (server, found) = asking(|host| async move {
        let host = host.with_retry(1);
        let first = host.read_text(FILE).await.unwrap();
        let second = host.read_text(FILE).await.unwrap();
        (first.to_string(), second.to_string(), host.list(HostFilter::new()).await.unwrap().resources.len())
    });
    for mut client in clients(&server, || host().rate(1, 100)).await {
        let (passed, came) = pass(&mut client, &found, 100).await;
        assert_eq!(came, ("hello".to_owned(), "hello".to_owned(), 1));
        // Twice ten, plus jitter so that clients do not retry at the same time.
        assert!((20..=24).contains(&passed), "{passed} ms");
        assert_eq!(request_count(&client), 5);
    }
}

#[tokio::test(start_paused = true)]
async fn b5_the_number_of_retries_is_limited() {
    for (times, hint, waits) in [(0_u32, json!(10), 0_u64), (1, json!(10), 10), (3, json!(10), 30), (3, json!(0), 3)] {
        let (server, found) = asking(move |host| async move { host.with_retry(times).read(FILE).await.unwrap_err() });
        for (_, mut client) in newest(&server, || hints(&hint)).await {
            let (passed, error) = pass(&mut client, &found, 100).await;
            assert_eq!(error, limited(hint.as_u64().unwrap()));
            assert!((waits..=waits + 2 * u64::from(times)).contains(&passed), "{times} times: {passed} ms");
            assert_eq!(request_count(&client), 1 + times as usize);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b5_an_invalid_hint_is_not_retried() {
    for hint in [json!(null), json!("10"), json!(-1), json!(-0.5), json!([10]), json!({}), json!(true), json!(1e300)] {
        let (server, found) = asking(|host| async move { host.with_retry(5).read(FILE).await.unwrap_err() });
        for (_, mut client) in newest(&server, || hints(&hint)).await {
            ask(&mut client).await;
            assert_eq!(
                (found.one(), request_count(&client)),
                (HostError::RateLimited { retry_after: None }, 1),
                "{hint}"
            );
        }
    }
    // The error has no hint.
    let (server, found) = asking(|host| async move { host.with_retry(5).list(HostFilter::new()).await.unwrap_err() });
    for (_, mut client) in newest(&server, || host().behavior(HostBehavior::ErrorWithoutData(-32004))).await {
        ask(&mut client).await;
        assert_eq!((found.one(), request_count(&client)), (HostError::RateLimited { retry_after: None }, 1));
    }
}

#[tokio::test(start_paused = true)]
async fn b5_retries_end_at_the_deadline() {
    let short = |host: Host| host.with_timeout(Duration::from_millis(100)).with_retry(1000);
    // A hint longer than the whole deadline: fails at once.
    let (server, found) = asking(move |host| async move { short(host).read(FILE).await.unwrap_err() });
    for (_, mut client) in newest(&server, || hints(&json!(100))).await {
        ask(&mut client).await;
        assert_eq!((found.one(), request_count(&client)), (limited(100), 1));
    }
    // Short hints in a row: fails at the deadline at the latest.
    for (_, mut client) in newest(&server, || hints(&json!(30))).await {
        let (passed, error) = pass(&mut client, &found, 200).await;
        assert_eq!(error, limited(30));
        assert!(passed <= 100, "{passed} ms");
        assert!((2..=4).contains(&request_count(&client)), "{} times", request_count(&client));
    }
    // An unanswered retry ends at the deadline of the whole read.
    for (_, mut client) in newest(&server, || hints_once(30)).await {
        let (passed, error) = pass(&mut client, &found, 200).await;
        assert_eq!((passed, error), (100, HostError::Timeout(Duration::from_millis(100))));
        assert_eq!(request_count(&client), 2);
    }
}

/// A host that rejects once by rate limit with this hint, and then never answers.
fn hints_once(hint: u64) -> FakeHost {
    let mut rejected = false;
    FakeHost::new().answers_with(move |request| {
        let error = json!({ "code": -32004, "message": "Rate limited", "data": { "retryAfterMs": hint } });
        let answer = json!({ "jsonrpc": "2.0", "id": request["id"], "error": error });
        if std::mem::replace(&mut rejected, true) { Vec::new() } else { vec![answer] }
    })
}

#[tokio::test(start_paused = true)]
async fn b5_only_a_rate_limit_error_is_retried() {
    for code in [-32002, -32005, -32601, -32602, -32603, -32000, 4290] {
        let (server, found) = asking(|host| async move { host.with_retry(5).read(FILE).await.is_err() });
        for (_, mut client) in newest(&server, || host().behavior(HostBehavior::ErrorWithoutData(code))).await {
            ask(&mut client).await;
            assert_eq!((found.one(), request_count(&client)), (true, 1), "{code}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b5_a_retry_stops_at_once_when_its_call_is_cancelled() {
    let (server, hosts, ends) = lending();
    for mut client in clients(&server, || hints(&json!(1000))).await {
        let call = client.start_tool("ask", json!({}));
        client.settle();
        let host = hosts.one().with_retry(5);
        let mut reading = Box::pin(host.read(FILE));
        assert!(poll_once(&mut reading).is_pending());
        client.settle();
        assert!(poll_once(&mut reading).is_pending());
        assert_eq!(request_count(&client), 1);
        client.cancel(call);
        client.settle();
        assert_eq!(ends.one(), "dropped");
        assert!(poll_once(&mut reading).is_ready(), "it must not wait");
        client.clock().advance(Duration::from_secs(10));
        client.settle();
        assert_eq!(request_count(&client), 1);
    }
}
