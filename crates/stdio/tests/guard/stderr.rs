//! W7.7: no write to standard error delays an answer.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, ChildStdin, ChildStdout};
use std::{env, io, process};

use serde_json::Value;

use super::server::FLOOD;
use super::{Test, answers, ids, read, run, start, start_with};

pub(super) const TESTS: &[Test] = &[
    ("w7_7_an_unread_stderr_costs_no_answer", w7_7_an_unread_stderr_costs_no_answer),
    ("w7_7_a_child_process_is_not_held_up_either", w7_7_a_child_process_is_not_held_up_either),
    ("w7_7_a_stderr_closed_from_the_start_ends_nothing", w7_7_a_stderr_closed_from_the_start_ends_nothing),
    ("w7_7_a_stderr_closed_in_mid_run_ends_nothing", w7_7_a_stderr_closed_in_mid_run_ends_nothing),
    ("w7_7_lost_lines_are_counted_and_reported_once", w7_7_lost_lines_are_counted_and_reported_once),
    ("w7_7_a_host_that_reads_sees_all_up_to_the_end", w7_7_a_host_that_reads_sees_all_up_to_the_end),
    ("w7_7_a_stderr_that_does_not_block_is_waited_for", w7_7_a_stderr_that_does_not_block_is_waited_for),
    ("w7_7_what_main_reports_after_listen_is_seen", w7_7_what_main_reports_after_listen_is_seen),
    ("w7_7_what_main_reports_holds_up_no_end", w7_7_what_main_reports_holds_up_no_end),
    ("w7_7_a_file_stays_where_it_is", w7_7_a_file_stays_where_it_is),
];

/// Requests that are sent before their answers are read.
const BATCH: usize = 50;

struct Talk {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    next: u32,
}

impl Talk {
    fn of(mut child: Child) -> Self {
        let answers = answers(&mut child);
        Self { requests: child.stdin.take().unwrap(), child, answers, next: 0 }
    }

    /// Reads a resource that many times; every read is answered. Returns the last answer.
    fn reads(&mut self, name: &str, times: usize) -> Value {
        let (mut left, mut last) = (times, Value::Null);
        while left > 0 {
            let batch = left.min(BATCH);
            let wanted: Vec<u32> = (0..batch).map(|_| self.id()).collect();
            let lines: String = wanted.iter().map(|id| read(*id, name)).collect();
            self.requests.write_all(lines.as_bytes()).unwrap();
            let mut found: Vec<u64> = Vec::new();
            for _ in 0..batch {
                let mut line = String::new();
                self.answers.read_line(&mut line).unwrap();
                last = serde_json::from_str(&line).unwrap();
                found.extend(last["id"].as_u64());
            }
            found.sort_unstable();
            assert!(found.iter().eq(wanted.iter().map(|id| u64::from(*id)).collect::<Vec<_>>().iter()), "{found:?}");
            left -= batch;
        }
        last
    }

    fn id(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    fn text(&mut self, name: &str) -> String {
        self.reads(name, 1)["result"]["contents"][0]["text"].as_str().unwrap().to_owned()
    }

    fn memory_kib(&mut self) -> usize {
        self.text("memory").parse::<usize>().unwrap() * 4
    }

    /// Ends the input; the process must end by itself, without further output.
    fn ends(mut self) -> i32 {
        drop(self.requests);
        let mut rest = String::new();
        self.answers.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
        self.child.wait().unwrap().code().unwrap()
    }
}

/// Ten thousand panics with their messages, a million printed lines.
fn w7_7_an_unread_stderr_costs_no_answer() {
    let mut talk = Talk::of(start("guarded"));
    talk.reads("boom", 1000);
    talk.reads("flood", 50);
    let before = talk.memory_kib();
    assert_eq!(talk.reads("boom", 9000)["error"]["code"], -32603);
    talk.reads("flood", 1_000_000 / FLOOD - 50);
    let grown = talk.memory_kib().saturating_sub(before);
    assert!(grown < 2048, "{grown} KiB more");
    assert_eq!(talk.ends(), 0);
}

fn w7_7_a_child_process_is_not_held_up_either() {
    let mut talk = Talk::of(start("guarded"));
    assert_eq!(talk.text("loud-child"), "exit status: 0");
    assert_eq!(talk.ends(), 0);
}

fn closed_pipe() -> OwnedFd {
    io::pipe().unwrap().1.into()
}

fn closed_socket() -> OwnedFd {
    UnixStream::pair().unwrap().1.into()
}

fn w7_7_a_stderr_closed_from_the_start_ends_nothing() {
    for closed in [closed_pipe(), closed_socket()] {
        let mut talk = Talk::of(start_with("guarded", closed));
        talk.reads("boom", 300);
        talk.reads("flood", 50);
        assert_eq!(talk.text("loud-child"), "exit status: 0");
        assert_eq!(talk.ends(), 0);
    }
}

fn w7_7_a_stderr_closed_in_mid_run_ends_nothing() {
    let mut talk = Talk::of(start("guarded"));
    talk.reads("flood", 1);
    let mut errors = BufReader::new(talk.child.stderr.take().unwrap());
    errors.read_line(&mut String::new()).unwrap();
    drop(errors);
    talk.reads("boom", 300);
    talk.reads("flood", 50);
    assert_eq!(talk.ends(), 0);
}

fn lost(line: &str) -> Option<usize> {
    line.strip_prefix("grange: ")?.split(' ').next()?.parse().ok()
}

fn w7_7_lost_lines_are_counted_and_reported_once() {
    let mut talk = Talk::of(start("guarded"));
    let floods = 100;
    talk.reads("flood", floods);
    let mut errors = BufReader::new(talk.child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut seen = 0;
    let missing = loop {
        let line = errors.next().expect("the count comes before the end");
        if let Some(missing) = lost(&line) {
            break missing;
        }
        assert!(line.starts_with("printed ") || line.starts_with("reported "), "{line}");
        seen += 1;
    };
    assert_eq!(seen + missing, floods * FLOOD);
    talk.reads("flood", 1);
    assert_eq!(errors.by_ref().take(FLOOD).filter_map(|line| lost(&line)).count(), 0);
    assert_eq!((talk.ends(), errors.next()), (0, None));
}

fn w7_7_a_host_that_reads_sees_all_up_to_the_end() {
    let (status, stdout, stderr) = run("guarded", &format!("{}{}", read(1, "boom"), read(2, "flood")));
    assert_eq!((status, ids(&stdout).len()), (0, 2));
    assert!(stderr.contains("boom") && stderr.contains("panicked at"), "{stderr:.300}");
    assert_eq!(stderr.lines().filter(|line| line.starts_with("printed ")).count(), FLOOD / 2);
    assert_eq!(stderr.lines().filter(|line| line.starts_with("reported ")).count(), FLOOD / 2);
    assert!(stderr.ends_with(&format!("reported {}\n", FLOOD / 2 - 1)));
}

/// Some parents pass such a stream.
fn w7_7_a_stderr_that_does_not_block_is_waited_for() {
    let (near, far) = UnixStream::pair().unwrap();
    far.set_nonblocking(true).unwrap();
    let mut talk = Talk::of(start_with("guarded", OwnedFd::from(far)));
    talk.reads("flood", 3);
    // More than the socket takes at once, and less than the backlog holds.
    let lines = BufReader::new(near).lines().take(3 * FLOOD);
    assert_eq!(lines.filter(|line| lost(line.as_ref().unwrap()).is_none()).count(), 3 * FLOOD);
    assert_eq!(talk.ends(), 0);
}

fn w7_7_what_main_reports_after_listen_is_seen() {
    let (status, _, stderr) = run("failing", &read(1, "flood"));
    assert_eq!(status, 1);
    assert!(stderr.ends_with("Error: what main reports\n"), "{stderr}");
    assert_eq!(stderr.lines().count(), FLOOD + 1);
}

/// It is not read, and more was written than the backlog holds.
fn w7_7_what_main_reports_holds_up_no_end() {
    let mut talk = Talk::of(start("failing"));
    talk.reads("flood", 100);
    assert_eq!(talk.ends(), 1);
    let mut talk = Talk::of(start_with("failing", closed_pipe()));
    talk.reads("flood", 1);
    assert_eq!(talk.ends(), 1);
}

fn w7_7_a_file_stays_where_it_is() {
    let path = env::temp_dir().join(format!("grange-stderr-{}", process::id()));
    let mut talk = Talk::of(start_with("guarded", File::create(&path).unwrap()));
    assert_eq!(talk.text("stderr"), path.display().to_string());
    talk.reads("flood", 1);
    assert_eq!(talk.ends(), 0);
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), FLOOD);
    std::fs::remove_file(path).unwrap();
}
