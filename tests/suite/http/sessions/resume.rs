//! Lost or closed streams: what a client gets that resumes with `Last-Event-ID`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use grange_core::{Limits, Tool};
use serde_json::json;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::super::drive::{Post, modern};
use super::client::{Client, Event, LEGACY, PRIMED, UNPRIMED, limited, service, tool};

/// Reports progress up to `steps`, one step per notification.
fn stepping(steps: u32, step: &Arc<Notify>) -> Tool {
    let step = step.clone();
    tool("step", move |cx| {
        let step = step.clone();
        async move {
            for done in 1..=steps {
                step.notified().await;
                cx.progress(f64::from(done));
            }
            step.notified().await;
            Ok("stepped".to_owned())
        }
    })
}

async fn go_on(step: &Notify, steps: usize) {
    for _ in 0..steps {
        step.notify_one();
        // Waits until it has taken the step and the event is in the log.
        for _ in 0..5 {
            tokio::task::yield_now().await;
        }
    }
}

fn progress(events: &[Event]) -> Vec<u64> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the counts are small")]
    events.iter().filter_map(Event::progress).map(|progress| progress as u64).collect()
}

#[tokio::test(start_paused = true)]
async fn w5_6_a_resumed_stream_continues_without_repeated_events() {
    for revision in LEGACY {
        let step = Arc::new(Notify::new());
        let service = service([stepping(6, &step)]);
        let client = Client::open_with(&service, revision, None).await;
        step.notify_one();
        let mut events = client.events(client.call(1, "step")).await;
        let mut last = events.event().await;
        while last.progress() != Some(1.0) {
            last = events.event().await;
        }
        drop(events);
        go_on(&step, 2).await;
        // First the missed events, then the new ones.
        let mut events = client.resume(last.id()).await;
        let mut rest = vec![events.event().await, events.event().await];
        assert_eq!(progress(&rest), [2, 3]);
        assert!(timeout(Duration::from_secs(1), events.next()).await.is_err());
        go_on(&step, 2).await;
        rest.push(events.event().await);
        // Lost again, with an event in transit that the client did not get.
        drop(events);
        go_on(&step, 2).await;
        let mut events = client.resume(rest.last().unwrap().id()).await;
        let mut end = events.rest().await;
        assert_eq!(progress(&end), [5, 6]);
        assert_eq!(end.pop().unwrap().text(), "stepped");
        rest.extend(end);
        let ids: Vec<_> = rest.iter().map(|event| event.id().to_owned()).collect();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{ids:?}");
        // A finished stream is kept for some time, so that a lost end can be read again.
        let again = client.resume(last.id()).await.rest().await;
        assert_eq!((progress(&again), again.last().unwrap().text()), (vec![2, 3, 4, 5, 6], "stepped"));
        let nothing = client.resume(again.last().unwrap().id()).await.rest().await;
        assert_eq!(nothing, []);
    }
}

#[tokio::test(start_paused = true)]
async fn w5_6_an_open_stream_can_be_resumed_elsewhere() {
    let step = Arc::new(Notify::new());
    let service = service([stepping(2, &step)]);
    let client = Client::open(&service).await;
    step.notify_one();
    let mut first = client.events(client.call(1, "step")).await;
    let priming = first.event().await;
    assert_eq!(priming.message, None);
    let mut second = client.resume(priming.id()).await;
    assert_eq!(first.rest().await, []);
    go_on(&step, 2).await;
    let rest = second.rest().await;
    assert_eq!((progress(&rest), rest.last().unwrap().text()), (vec![1, 2], "stepped"));
}

#[tokio::test(start_paused = true)]
async fn w5_8_resuming_an_unknown_stream_is_rejected() {
    let step = Arc::new(Notify::new());
    let service = service([stepping(2, &step), tool("plain", |_| async { Ok("plain".to_owned()) })]);
    let (client, other) = (Client::open(&service).await, Client::open(&service).await);
    // The answer was not a stream, so there is none to resume.
    assert_eq!(client.call(1, "plain").send(&service).await.status, 200);
    step.notify_one();
    let mut events = client.events(client.call(1, "step")).await;
    let id = events.event().await.id().to_owned();
    drop(events);
    let long = "9".repeat(10 * 1024);
    let garbage: [&[u8]; 14] = [
        b"x",
        b"7",
        b"-",
        b"1-",
        b"-1",
        b"2-0-0",
        b"02-0",
        b"2-00",
        b"2-+0",
        b" 2-0",
        b"\xff\xfe",
        b"2_0",
        b"18446744073709551616-0",
        long.as_bytes(),
    ];
    let absent = ["1-0", "3-0", "0-0", "2-2", "2-18446744073709551615", "18446744073709551615-18446744073709551615"];
    for last in garbage.into_iter().chain(absent.map(str::as_bytes)) {
        let answer = client.get().header("last-event-id", last).send(&service).await;
        assert_eq!((answer.status, answer.code()), (400, -32600), "{last:?}");
        assert!(answer.message().contains("Last-Event-ID") && answer.message().contains("session_bytes"));
    }
    let twice = client.get().header("last-event-id", &id).line("last-event-id", &id).send(&service).await;
    assert_eq!(twice.status, 400);
    // A stream of another session.
    assert_eq!(other.get().header("last-event-id", &id).send(&service).await.status, 400);
    let lost = client.get().header("last-event-id", &id).header("mcp-session-id", "nope").send(&service).await;
    assert_eq!((lost.status, lost.message()), (404, "Session not found".to_owned()));
    // Cases in which the header is ignored: an empty value, on a POST, and for revisions without it.
    client.events(client.get().header("last-event-id", "")).await;
    let ping = client.request(1, "ping", &json!({})).header("last-event-id", "x").send(&service).await;
    assert_eq!(ping.status, 200);
    assert_eq!(Post::read().header("last-event-id", &id).send(&service).await.status, 200);
    let get = client.get().header("mcp-protocol-version", modern()).header("last-event-id", &id);
    assert_eq!(get.send(&service).await.status, 405);
    go_on(&step, 2).await;
    assert_eq!(client.resume(&id).await.rest().await.pop().unwrap().text(), "stepped");
}

/// Suspends, reports progress after ten seconds, and suspends again.
fn suspending() -> Tool {
    tool("suspend", |cx| async move {
        cx.suspend();
        cx.sleep(Duration::from_secs(10)).await;
        cx.progress(1.0);
        cx.suspend();
        cx.sleep(Duration::from_secs(10)).await;
        Ok("rested".to_owned())
    })
}

#[tokio::test(start_paused = true)]
async fn w5_6_a_suspended_stream_is_closed_and_can_be_resumed() {
    let service = service([suspending()]);
    let client = Client::open(&service).await;
    let before = tokio::time::Instant::now();
    let first = client.events(client.call(1, "suspend")).await.rest().await;
    assert!(before.elapsed().is_zero());
    assert_eq!((first[0].message.is_none(), first[0].retry.as_deref()), (true, Some("1000")));
    let closing = Event { retry: Some("1000".to_owned()), ..Event::default() };
    assert_eq!(first[1..], [closing]);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let second = client.resume(first[0].id()).await.rest().await;
    assert_eq!((progress(&second), before.elapsed()), (vec![1], Duration::from_secs(10)));
    assert_eq!(second[1].retry.as_deref(), Some("1000"));
    // The client is not connected when the tool ends.
    tokio::time::sleep(Duration::from_secs(60)).await;
    let third = client.resume(second[0].id()).await.rest().await;
    assert_eq!((third.len(), third[0].text()), (1, "rested"));
}

#[tokio::test(start_paused = true)]
async fn w5_6_a_stream_that_cannot_be_resumed_is_not_suspended() {
    let service = service([suspending()]);
    let client = Client::open_with(&service, UNPRIMED, None).await;
    let rest = client.events(client.call(1, "suspend")).await.rest().await;
    assert_eq!((progress(&rest), rest.last().unwrap().text()), (vec![1], "rested"));
    let client = Client::open_with(&service, PRIMED, None).await;
    let answer = client.call(1, "suspend").header("accept", "application/json").send(&service).await;
    assert_eq!(answer.json()["result"]["content"][0]["text"], "rested");
}

/// Reports progress as fast as back-pressure allows, and counts.
fn chatty(steps: u32, taken: &Arc<AtomicUsize>) -> Tool {
    let taken = taken.clone();
    tool("chat", move |cx| {
        let taken = taken.clone();
        async move {
            for done in 1..=steps {
                cx.progress(f64::from(done));
                tokio::task::yield_now().await;
                taken.fetch_add(1, Ordering::SeqCst);
            }
            Ok("said".to_owned())
        }
    })
}

async fn settled(taken: &AtomicUsize) -> usize {
    loop {
        let before = taken.load(Ordering::SeqCst);
        tokio::time::sleep(Duration::from_secs(1)).await;
        if taken.load(Ordering::SeqCst) == before {
            return before;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn w5_14_a_slow_client_delays_only_its_own_request() {
    let taken = Arc::new(AtomicUsize::new(0));
    let service = limited([chatty(5000, &taken)], Limits::default());
    let client = Client::open(&service).await;
    let mut events = client.events(client.call(1, "chat")).await;
    assert!(events.event().await.id.is_some());
    let held_up = settled(&taken).await;
    assert!((100..2000).contains(&held_up), "{held_up}");
    assert_eq!(client.ping().await.status, 200);
    let rest = events.rest().await;
    assert_eq!((progress(&rest), rest.last().unwrap().text()), ((1..=5000).collect(), "said"));
}

#[tokio::test(start_paused = true)]
async fn w5_14_without_a_client_work_continues_and_only_the_newest_events_are_kept() {
    let taken = Arc::new(AtomicUsize::new(0));
    let service = limited([chatty(2000, &taken)], Limits { session_bytes: 10_000, ..Limits::default() });
    let client = Client::open(&service).await;
    let mut events = client.events(client.call(1, "chat")).await;
    let first = events.event().await.id().to_owned();
    let held_up = settled(&taken).await;
    assert!((10..200).contains(&held_up), "{held_up}");
    drop(events);
    assert_eq!(settled(&taken).await, 2000);
    let answer = client.get().header("last-event-id", &first).send(&service).await;
    assert_eq!((answer.status, answer.code()), (400, -32600));
    let (stream, _) = first.split_once('-').unwrap();
    let rest = client.resume(&format!("{stream}-1990")).await.rest().await;
    assert_eq!((progress(&rest), rest.last().unwrap().text()), ((1991..=2000).collect(), "said"));
    // The answers of many later requests displace it.
    for id in 0..20 {
        client.events(client.call(id, "chat")).await;
        settled(&taken).await;
    }
    let answer = client.get().header("last-event-id", format!("{stream}-1990")).send(&service).await;
    assert_eq!(answer.status, 400);
}

#[tokio::test(start_paused = true)]
async fn w5_9_an_answer_over_the_sessions_limit_reaches_only_a_connected_client() {
    let large = "x".repeat(100_000);
    let service = limited(
        [tool("large", move |cx| {
            let large = large.clone();
            async move {
                cx.progress(1.0);
                cx.sleep(Duration::from_secs(1)).await;
                Ok(large)
            }
        })],
        Limits { session_bytes: 10_000, ..Limits::default() },
    );
    let client = Client::open(&service).await;
    let rest = client.events(client.call(1, "large")).await.rest().await;
    assert_eq!(rest.last().unwrap().text().len(), 100_000);
    let answer = client.get().header("last-event-id", rest[0].id()).send(&service).await;
    assert_eq!(answer.status, 400);
    let mut events = client.events(client.call(2, "large")).await;
    let first = events.event().await.id().to_owned();
    drop(events);
    tokio::time::sleep(Duration::from_secs(2)).await;
    let answer = client.get().header("last-event-id", &first).send(&service).await;
    assert_eq!(answer.status, 400);
}
