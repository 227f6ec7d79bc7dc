//! A log, compared with a list of all events that were ever written.

use std::task::Waker;

use grange_core::Server;
use proptest::prelude::*;

use super::*;

fn wire(text: &str) -> Wire {
    Server::refuse(text)
}

/// A log whose request became a stream, and its first reader.
fn stream(most: usize) -> (Log, u64) {
    let mut log = Log::new(7, false, most);
    log.push(wire("first"));
    let Some(Answer::Stream(reader)) = log.poll_answer(true, Waker::noop()) else { panic!("a stream") };
    (log, reader)
}

fn next(log: &mut Log, reader: u64) -> Option<String> {
    match log.read(reader, Waker::noop()) {
        Read::Event(frames) => Some(String::from_utf8(frames.concat()).unwrap()),
        Read::Pending | Read::Suspended | Read::Over => None,
    }
}

fn id_of(event: &str) -> u64 {
    let (id, rest) = event.strip_prefix("id: 7-").and_then(|rest| rest.split_once('\n')).expect("an id");
    assert!(rest.starts_with("event: message\ndata: {") && rest.ends_with("\n\n"), "{event}");
    id.parse().unwrap()
}

#[derive(Clone, Debug)]
enum Step {
    Push,
    Read,
    Detach,
    Resume(u64),
    Drop { unread: bool },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => Just(Step::Push),
        4 => Just(Step::Read),
        1 => Just(Step::Detach),
        2 => (0..25_u64).prop_map(Step::Resume),
        2 => any::<bool>().prop_map(|unread| Step::Drop { unread }),
    ]
}

proptest! {
    /// In every order of steps, a reader gets the events in order and none twice, and misses one only if it was dropped while there was
    /// no reader.
    #[test]
    fn a_reader_gets_every_event_once(steps in proptest::collection::vec(step(), 0..80)) {
        let (mut log, mut reader) = stream(usize::MAX);
        let (mut written, mut had, mut dropped, mut attached) = (1, 0, 0, true);
        for step in steps {
            match step {
                Step::Push => { log.push(wire("more")); written += 1; }
                Step::Read => {
                    let event = next(&mut log, reader);
                    prop_assert_eq!(event.is_some(), attached && had < written);
                    if let Some(event) = event {
                        had += 1;
                        prop_assert_eq!(id_of(&event), had);
                    }
                }
                Step::Detach => { prop_assert_eq!(log.detach(reader), attached); attached = false; }
                Step::Resume(number) => {
                    let resumed = log.resume(number);
                    prop_assert_eq!(resumed.is_some(), (dropped..=written).contains(&number));
                    if let Some(resumed) = resumed {
                        prop_assert!(next(&mut log, reader).is_none(), "who was taken over from reads on");
                        (reader, had, attached) = (resumed, number, true);
                    }
                }
                Step::Drop { unread } => {
                    let spared = dropped < had || (unread && !attached && dropped < written);
                    prop_assert_eq!(log.drop_oldest(unread).is_some(), spared);
                    if spared { dropped += 1; }
                    had = had.max(dropped);
                }
            }
            let bytes: usize = log.events.iter().map(Event::bytes).sum();
            prop_assert_eq!((log.bytes, log.events.len() as u64, log.read), (bytes, written - dropped, had));
            let unread: usize = log.events.iter().rev().take(usize::try_from(written - had).unwrap()).map(Event::bytes).sum();
            prop_assert_eq!(log.unread, unread);
        }
    }
}

#[test]
fn a_slow_reader_delays_the_writer() {
    let (mut log, reader) = stream(1000);
    let mut pushed = 1;
    while log.reader_state(Waker::noop()) == ReaderState::Present {
        log.push(wire("more"));
        pushed += 1;
    }
    assert!((2..10).contains(&pushed), "{pushed}");
    assert!(log.waiting_writer().is_none());
    while next(&mut log, reader).is_some() {}
    assert!(log.waiting_writer().is_some() && log.waiting_writer().is_none(), "woken once");
    assert_eq!(log.reader_state(Waker::noop()), ReaderState::Present);
    // Without a reader the writer goes on.
    (0..20).for_each(|_| drop(log.push(wire("more"))));
    assert_eq!(log.reader_state(Waker::noop()), ReaderState::Slow);
    log.detach(reader);
    assert_eq!(log.reader_state(Waker::noop()), ReaderState::Gone);
}

#[test]
fn the_writer_may_always_write_for_a_reader_without_unread_events() {
    let (mut log, reader) = stream(0);
    assert_eq!(log.reader_state(Waker::noop()), ReaderState::Slow);
    next(&mut log, reader);
    assert_eq!(log.reader_state(Waker::noop()), ReaderState::Present);
}

#[test]
fn a_request_without_events_is_answered_without_a_stream() {
    let mut log = Log::new(7, false, 1000);
    assert!(log.poll_answer(true, Waker::noop()).is_none());
    log.finish(wire("answer"), Refusal::Invalid);
    assert!(matches!(log.poll_answer(true, Waker::noop()), Some(Answer::Message(_, Refusal::Invalid))));
    // A client that accepts no stream loses the events before the answer.
    let mut log = Log::new(7, true, 1000);
    assert!(log.push(wire("progress")).is_none() && log.suspend().is_none());
    assert!(log.poll_answer(true, Waker::noop()).is_none());
    log.finish(wire("answer"), Refusal::None);
    assert!(matches!(log.poll_answer(true, Waker::noop()), Some(Answer::Message(_, Refusal::None))));
    // A client that accepts only a stream gets one at once.
    let mut log = Log::new(7, false, 1000);
    assert!(matches!(log.poll_answer(false, Waker::noop()), Some(Answer::Stream(_))));
    let mut log = Log::new(7, false, 1000);
    log.close();
    assert!(matches!(log.poll_answer(true, Waker::noop()), Some(Answer::Nothing)));
}

#[test]
fn a_suspension_disconnects_only_the_current_reader() {
    let mut log = Log::new(7, false, 1000);
    log.suspend();
    let Some(Answer::Stream(reader)) = log.poll_answer(true, Waker::noop()) else { panic!("a stream") };
    assert!(matches!(log.read(reader, Waker::noop()), Read::Suspended));
    log.detach(reader);
    let reader = log.resume(0).expect("it comes back");
    assert!(matches!(log.read(reader, Waker::noop()), Read::Pending));
    // There is no reader that could leave.
    log.detach(reader);
    log.suspend();
    let reader = log.resume(0).expect("it comes back");
    assert!(matches!(log.read(reader, Waker::noop()), Read::Pending));
    // The answer has precedence.
    log.suspend();
    log.finish(wire("answer"), Refusal::None);
    assert_eq!(next(&mut log, reader).map(|event| id_of(&event)), Some(1));
    assert!(matches!(log.read(reader, Waker::noop()), Read::Over));
}

#[test]
fn a_stream_that_is_not_open_cannot_be_resumed() {
    let mut log = Log::new(7, false, 1000);
    assert_eq!(log.resume(0), None);
    log.push(wire("first"));
    assert_eq!((log.resume(0), log.resume(1)), (None, None));
    log.poll_answer(true, Waker::noop());
    assert_eq!((log.resume(u64::MAX), log.resume(2)), (None, None));
    assert!(log.resume(1).is_some());
}
