//! The bounds of one session and of all together, and that no other code runs under the lock.

use std::task::Wake;

use bytes::Bytes;
use grange_core::{Accepted, Exchange, Header, Lookup, Server};

use super::*;

/// A handshake over HTTP.
struct NoHeaders;

impl Exchange for NoHeaders {
    fn header(&self, _: &str) -> Header<'_> {
        Header::Absent
    }

    fn takes_stream(&self) -> bool {
        true
    }

    fn session(&self) -> Lookup {
        Lookup::Missing
    }
}

fn session(kept: &Arc<ReplayBudget>) -> Arc<Session> {
    let server = Server::builder("tests", "1.0.0").build().unwrap();
    let initialize =
        br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"","capabilities":{}}}"#;
    match server.accept(&Bytes::from_static(initialize), &NoHeaders) {
        Accepted::Open(opening) => Arc::new(Session::new(opening.accept().1, kept.clone())),
        other => panic!("{other:?}"),
    }
}

fn wire(length: usize) -> Wire {
    Server::refuse(&"x".repeat(length))
}

/// A stream whose first event was read.
fn stream(session: &Session) -> Reading {
    let stream = session.begin(false).expect("it goes on");
    session.say(stream, wire(1));
    let Poll::Ready(Answer::Stream(reader)) = session.poll_answer(stream, true, Waker::noop()) else {
        panic!("a stream")
    };
    let reading = Reading { stream, reader };
    assert!(matches!(session.read(reading, Waker::noop()), Read::Event(_)));
    reading
}

fn bytes(session: &Session) -> usize {
    session.step(|state, _| {
        assert_eq!(state.bytes, state.logs.values().map(Log::bytes).sum::<usize>());
        state.bytes
    })
}

const BEGINNING: u64 = 0;

#[test]
fn an_idle_session_costs_little() {
    assert!(size_of::<Session>() <= 128, "{} bytes", size_of::<Session>());
    let session = session(&Arc::new(ReplayBudget::new(10_000, 10_000)));
    assert_eq!(bytes(&session), 0);
    // Requests that are answered without a stream leave no bytes.
    for _ in 0..100 {
        let stream = session.begin(false).expect("it goes on");
        session.finish(stream, wire(100), Status::Ok);
        assert!(matches!(session.poll_answer(stream, true, Waker::noop()), Poll::Ready(Answer::Message(..))));
        let stream = session.begin(false).expect("it goes on");
        session.abandon(stream);
        session.finish(stream, wire(100), Status::Ok);
    }
    assert_eq!((bytes(&session), session.protocol().bytes()), (0, 2));
}

#[test]
fn w5_9_what_one_session_keeps_is_bounded() {
    let session = session(&Arc::new(ReplayBudget::new(usize::MAX, 10_000)));
    // Of the streams that are over, the oldest are evicted first.
    let over: Vec<_> = (0..20).map(|_| stream(&session)).collect();
    for reading in &over {
        session.finish(reading.stream, wire(900), Status::Ok);
        session.detach(*reading);
        assert!(bytes(&session) <= 10_000);
    }
    let resumed = |reading: &Reading| session.resume(EventId { stream: reading.stream, number: BEGINNING });
    assert!(over.iter().take(10).all(|reading| resumed(reading).is_none()));
    let newest = over.last().and_then(resumed).expect("the newest is there");
    session.detach(newest);
    // A stream that goes on without a reader keeps its newest events.
    let reading = stream(&session);
    session.detach(reading);
    for _ in 0..100 {
        session.say(reading.stream, wire(900));
        assert!(bytes(&session) <= 10_000);
    }
    assert!(resumed(&reading).is_none());
    let (mut count, reader) = (0, session.resume(EventId { stream: reading.stream, number: 95 }));
    while let Read::Event(_) = session.read(reader.expect("the newest are there"), Waker::noop()) {
        count += 1;
    }
    assert_eq!(count, 6);
    // A stream with a reader keeps all unread events, however many bytes they have.
    (0..20).for_each(|_| session.say(reading.stream, wire(900)));
    assert!(bytes(&session) > 10_000);
    while let Read::Event(_) = session.read(reader.expect("it is"), Waker::noop()) {
        count += 1;
    }
    assert!(count == 26 && bytes(&session) <= 10_000);
}

#[test]
fn w5_9_what_all_sessions_keep_is_bounded_and_the_oldest_is_given_up() {
    let kept = Arc::new(ReplayBudget::new(20_000, 10_000));
    let sessions: Vec<_> = (0..10).map(|_| session(&kept)).collect();
    let total = || sessions.iter().map(|session| bytes(session)).sum::<usize>();
    let over: Vec<_> = sessions
        .iter()
        .map(|session| {
            let reading = stream(session);
            session.finish(reading.stream, wire(5000), Status::Ok);
            session.detach(reading);
            assert!(total() <= 20_000);
            reading
        })
        .collect();
    let resumed = |index: usize| {
        let reading = sessions[index].resume(EventId { stream: over[index].stream, number: BEGINNING });
        reading.inspect(|reading| sessions[index].detach(*reading)).is_some()
    };
    assert_eq!((0..10).map(resumed).collect::<Vec<_>>(), [&[false; 7][..], &[true; 3]].concat());
    // If there is nothing else to evict, the session that writes keeps no events.
    let readings: Vec<_> = sessions.iter().map(|session| stream(session)).collect();
    for _ in 0..10 {
        for (session, reading) in sessions.iter().zip(&readings) {
            session.say(reading.stream, wire(900));
            session.read(*reading, Waker::noop());
            assert!(total() <= 20_000 + 2000, "{}", total());
        }
    }
    drop(readings);
    for session in &sessions {
        session.end();
    }
    assert!(total() == 0 && kept.reclaim());
}

/// Resumes a stream that is over again and again: no memory is kept for that.
#[test]
fn coming_back_leaves_nothing_behind() {
    let kept = Arc::new(ReplayBudget::new(20_000, 10_000));
    let session = session(&kept);
    let reading = stream(&session);
    session.finish(reading.stream, wire(10), Status::Ok);
    session.detach(reading);
    for _ in 0..10_000 {
        let reading = session.resume(EventId { stream: reading.stream, number: BEGINNING }).expect("it is kept");
        session.detach(reading);
    }
    assert!(kept.evictable_streams() < 1000, "{}", kept.evictable_streams());
}

#[test]
fn an_ended_session_accepts_no_events_and_its_readers_end() {
    let kept = Arc::new(ReplayBudget::new(20_000, 10_000));
    let session = session(&kept);
    let reading = stream(&session);
    let (waiting, _) = (session.begin(false).expect("it goes on"), session.listen().expect("it goes on"));
    session.end();
    assert!(matches!(session.read(reading, Waker::noop()), Read::Over));
    assert!(matches!(session.poll_answer(waiting, true, Waker::noop()), Poll::Ready(Answer::Nothing)));
    assert_eq!(session.reader_state(reading.stream, Waker::noop()), ReaderState::Gone);
    session.say(reading.stream, wire(10));
    session.finish(reading.stream, wire(10), Status::Ok);
    session.detach(reading);
    assert!(session.begin(false).is_none() && session.listen().is_none() && bytes(&session) == 0);
}

/// A task that uses the session at once when it is woken, as some executors do.
struct Curious(Mutex<Option<Arc<Session>>>);

impl Wake for Curious {
    fn wake(self: Arc<Self>) {
        let session = self.0.lock().unwrap().clone().expect("a session");
        bytes(&session);
    }
}

#[test]
fn a_woken_task_may_use_the_session_at_once() {
    let kept = Arc::new(ReplayBudget::new(20_000, 10_000));
    let session = session(&kept);
    let curious = Arc::new(Curious(Mutex::new(Some(session.clone()))));
    let waker = Waker::from(curious.clone());
    let stream = session.begin(false).expect("it goes on");
    assert!(session.poll_answer(stream, true, &waker).is_pending());
    session.reader_state(stream, &waker);
    session.say(stream, wire(10));
    let Poll::Ready(Answer::Stream(reader)) = session.poll_answer(stream, true, &waker) else { panic!("a stream") };
    let mut reading = Reading { stream, reader };
    while let Read::Event(_) = session.read(reading, &waker) {}
    session.suspend(stream);
    session.detach(reading);
    reading = session.resume(EventId { stream, number: 0 }).expect("it is kept");
    while let Read::Event(_) = session.read(reading, &waker) {}
    let (listening, _) = session.listen().expect("it goes on");
    session.read(listening, &waker);
    session.listen();
    session.finish(stream, wire(10), Status::Ok);
    session.end();
    *curious.0.lock().unwrap() = None;
}
