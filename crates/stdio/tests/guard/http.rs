//! W7.7 over HTTP: the same guard of standard error, the same noise.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::server::FLOOD;
use super::{Test, answers, read, start, start_with};

pub(super) const TESTS: &[Test] = &[
    ("w7_7_over_http_an_unread_stderr_costs_no_answer", w7_7_over_http_an_unread_stderr_costs_no_answer),
    ("w7_7_over_http_a_closed_stderr_ends_nothing", w7_7_over_http_a_closed_stderr_ends_nothing),
    (
        "w7_7_over_http_an_address_that_cannot_be_opened_is_still_reported",
        w7_7_over_http_an_address_that_cannot_be_opened_is_still_reported,
    ),
];

/// A server that was started, and one connection to it.
struct Talk {
    child: Child,
    stream: BufReader<TcpStream>,
}

impl Talk {
    fn of(mut child: Child) -> Self {
        let mut address = String::new();
        answers(&mut child).read_line(&mut address).unwrap();
        Self { child, stream: BufReader::new(TcpStream::connect(address.trim()).unwrap()) }
    }

    fn read(&mut self, name: &str) -> Value {
        let body = read(1, name);
        let head = format!(
            "POST /mcp HTTP/1.1\r\nhost: localhost\r\naccept: application/json, text/event-stream\r\n\
             content-type: application/json\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: resources/read\r\n\
             mcp-name: demo://{name}\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        self.stream.get_mut().write_all((head + &body).as_bytes()).unwrap();
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).unwrap();
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    fn memory_kib(&mut self) -> usize {
        let pages = self.read("memory");
        pages["result"]["contents"][0]["text"].as_str().unwrap().parse::<usize>().unwrap() * 4
    }

    /// Ends it, and checks that it does end.
    fn ends(mut self) -> Option<i32> {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        self.child.wait().unwrap().code()
    }
}

/// Ten thousand panics with their messages, a million lines.
fn w7_7_over_http_an_unread_stderr_costs_no_answer() {
    let mut talk = Talk::of(start("http"));
    let panics = |talk: &mut Talk, times| {
        for _ in 0..times {
            assert_eq!(talk.read("boom")["error"]["code"], -32603);
        }
    };
    let lines = |talk: &mut Talk, times| {
        for _ in 0..times {
            assert_eq!(talk.read("report")["result"]["contents"][0]["text"], "reported");
        }
    };
    panics(&mut talk, 1000);
    lines(&mut talk, 50);
    let before = talk.memory_kib();
    panics(&mut talk, 9000);
    lines(&mut talk, 1_000_000 / FLOOD - 50);
    let grown = talk.memory_kib().saturating_sub(before);
    assert!(grown < 2048, "{grown} KiB more");
    assert_eq!(talk.ends(), Some(0));
}

fn w7_7_over_http_a_closed_stderr_ends_nothing() {
    let mut talk = Talk::of(start_with("http", std::io::pipe().unwrap().1));
    for _ in 0..300 {
        assert_eq!(talk.read("boom")["error"]["code"], -32603);
    }
    assert_eq!(talk.read("report")["result"]["contents"][0]["text"], "reported");
    assert_eq!(talk.ends(), Some(0));
}

/// Standard error is guarded when the address is opened, and no longer when `main` returns the error.
fn w7_7_over_http_an_address_that_cannot_be_opened_is_still_reported() {
    let output = start("http-nowhere").wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && stderr.contains("Error: "), "{stderr}");
}
