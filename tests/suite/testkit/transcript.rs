//! The transcript format and its replay.

use grange_core::{Revision, Server};
use grange_testkit::transcript::{Answer, MemoryWire, Transcript, Wire};

const PING: &str = "# name: value\n\n# Alive?\n>>> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";

fn parse(text: &str) -> Transcript {
    Transcript::parse(text).unwrap()
}

#[test]
fn a_parsed_file_is_written_unchanged() {
    let text = "# wires: http\n# a: b\n\n>>> 1\n=== 404\n<<< 2\n<<< 3\n\n# more\n>>> 4\n\n# the end\n";
    let transcript = parse(text);
    assert_eq!(transcript.to_string(), text);
    assert_eq!((transcript.setting("wires"), transcript.setting("a")), (Some("http"), Some("b")));
    assert_eq!((transcript.setting("more"), transcript.setting("c")), (None, None));
    let [first, second] = transcript.exchanges() else { panic!("two exchanges") };
    assert_eq!((&*first.sent, first.status, &*first.received), ("1", Some(404), &["2".to_owned(), "3".to_owned()][..]));
    assert_eq!((&*second.sent, second.status, second.received.len()), ("4", None, 0));
}

#[test]
fn an_invalid_line_is_named_in_the_error() {
    for (text, expected) in [
        ("<<< 1", "line 1: nothing was sent that this could answer"),
        (">>> 1\n# closed\n<<< 1", "line 3: nothing was sent that this could answer"),
        (">>> 1\n=== ok", "line 2: `===` is followed by a status code"),
        ("\n>> 1", "line 2: a line starts with `>>>`, `<<<`, `===` or `#`"),
    ] {
        assert_eq!(Transcript::parse(text).unwrap_err(), expected);
    }
}

#[tokio::test]
async fn a_replay_records_the_servers_messages() {
    let server = Server::builder("kit", "1.0.0").build().unwrap();
    let replayed = parse(PING).replay(&mut MemoryWire::pipe(&server)).await;
    assert_eq!(replayed.to_string(), format!("{PING}<<< {{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{}}}}\n"));
    let over_http = parse(PING).replay(&mut MemoryWire::http(&server, Revision::V2025_06_18)).await;
    assert_eq!(over_http, replayed);
    assert_eq!(replayed.difference(&over_http), "");
}

/// Answers every message in the same way.
struct Parrot(Answer);

impl Wire for Parrot {
    async fn exchange(&mut self, _message: &str) -> Answer {
        self.0.clone()
    }
}

#[tokio::test]
async fn a_difference_shows_both_sides_of_one_exchange() {
    let expected = parse(">>> 1\n<<< 2\n<<< 3\n");
    let difference = async |status, messages: &[&str]| {
        let messages = messages.iter().map(|message| (*message).to_owned()).collect();
        expected.difference(&expected.replay(&mut Parrot(Answer { status, messages })).await)
    };
    assert_eq!(difference(None, &["2", "3"]).await, "");
    assert_eq!(difference(Some(200), &["2", "3"]).await, "");
    assert_eq!(difference(Some(404), &["2", "3"]).await, "  >>> 1\n- === as usual\n+ === 404\n");
    assert_eq!(difference(None, &["2", "4"]).await, "  >>> 1\n- <<< 3\n+ <<< 4\n");
    assert_eq!(difference(None, &[]).await, "  >>> 1\n- <<< 2\n- <<< 3\n+ <<< nothing\n");
    assert_eq!(difference(None, &["3", "2"]).await, "  >>> 1\n  the order differs\n");
}
