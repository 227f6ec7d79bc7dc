//! The tests of the streams, and of the end of the process; `guard.rs` calls them.

// Helpers fail a test by panicking, as the tests themselves do.
#![allow(clippy::unwrap_used)]

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, ChildStdout, Command, Stdio, exit};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

mod blocking;
mod early;
mod http;
mod server;
mod stderr;

/// The variable that sets the role of the server.
const ROLE: &str = "GRANGE_TEST_SERVES";

type Test = (&'static str, fn());

const STREAMS: &[Test] = &[
    ("w7_5_nothing_but_protocol_lines_reaches_stdout", w7_5_nothing_but_protocol_lines_reaches_stdout),
    ("w7_5_unguarded_streams_stay_where_they_are", w7_5_unguarded_streams_stay_where_they_are),
    ("w7_5_a_child_process_inherits_neither_stream", w7_5_a_child_process_inherits_neither_stream),
    ("w7_5_streams_can_be_served_once", w7_5_streams_can_be_served_once),
    ("w7_4_at_the_end_of_input_the_process_ends", w7_4_at_the_end_of_input_the_process_ends),
    ("w7_4_a_signal_ends_the_process_after_its_answers", w7_4_a_signal_ends_the_process_after_its_answers),
    ("w7_4_a_broken_output_ends_the_process", w7_4_a_broken_output_ends_the_process),
    ("w7_3_a_large_reply_is_whole", w7_3_a_large_reply_is_whole),
    ("w7_3_streams_that_do_not_block_are_waited_for", w7_3_streams_that_do_not_block_are_waited_for),
];

pub(crate) fn main() {
    if let Ok(role) = env::var(ROLE) {
        exit(server::main(&role));
    }
    let tests = || [STREAMS, stderr::TESTS, blocking::TESTS, early::TESTS, http::TESTS].concat();
    let mut arguments = env::args().skip(1);
    if arguments.any(|argument| argument == "--list") {
        return tests().iter().for_each(|(name, _)| println!("{name}: test"));
    }
    let wanted = env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    for (name, test) in tests().iter().filter(|(name, _)| name.contains(&wanted)) {
        test();
        println!("test {name} ... ok");
    }
}

fn start(role: &str) -> Child {
    start_with(role, Stdio::piped())
}

/// A server with this stderr.
fn start_with(role: &str, stderr: impl Into<Stdio>) -> Child {
    let mut command = Command::new(env::current_exe().unwrap());
    command.env(ROLE, role).env("RUST_BACKTRACE", "0");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
    command.spawn().unwrap()
}

fn request(id: u32, method: &str, name: &str) -> String {
    let marks = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "uri": format!("demo://{name}"), "_meta": marks });
    format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
}

fn read(id: u32, name: &str) -> String {
    request(id, "resources/read", name)
}

/// Sends all lines, ends the input and waits. Returns the status, stdout and stderr.
fn run(role: &str, input: &str) -> (i32, String, String) {
    let mut child = start(role);
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn ids(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].take()).collect()
}

fn answers(child: &mut Child) -> BufReader<ChildStdout> {
    BufReader::new(child.stdout.take().unwrap())
}

fn w7_5_nothing_but_protocol_lines_reaches_stdout() {
    let (status, stdout, stderr) = run("guarded", &format!("{}{}", read(1, "noisy"), read(2, "noisy")));
    assert_eq!((status, ids(&stdout)), (0, vec![json!(1), json!(2)]));
    assert_eq!(stderr.matches("noise").count(), 4);
}

fn w7_5_unguarded_streams_stay_where_they_are() {
    let (_, stdout, stderr) = run("unguarded", &read(1, "noisy"));
    assert!(stdout.contains("noise\n") && stderr.is_empty(), "{stdout}{stderr}");
}

fn w7_5_a_child_process_inherits_neither_stream() {
    let (status, stdout, stderr) = run("guarded", &format!("{}{}", read(1, "parent"), read(2, "noisy")));
    assert_eq!((status, ids(&stdout)), (0, vec![json!(1), json!(2)]));
    assert!(stderr.contains("from the child"));
}

fn w7_5_streams_can_be_served_once() {
    let (status, ..) = run("twice", "");
    assert_eq!(status, 1);
}

fn w7_4_at_the_end_of_input_the_process_ends() {
    assert_eq!(run("guarded", ""), (0, String::new(), String::new()));
    let (status, stdout, _) = run("guarded", read(1, "slow").trim_end());
    assert_eq!((status, ids(&stdout)), (0, vec![json!(1)]));
}

/// The input stays open: the thread that reads it must not keep the process alive.
fn w7_4_a_signal_ends_the_process_after_its_answers() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut child = start("guarded");
        let mut input = child.stdin.take().unwrap();
        input.write_all(format!("{}{}", read(1, "slow"), request(2, "server/discover", "")).as_bytes()).unwrap();
        let mut output = answers(&mut child);
        let mut stdout = String::new();
        output.read_line(&mut stdout).unwrap();
        kill_process(Pid::from_child(&child), signal).unwrap();
        output.read_to_string(&mut stdout).unwrap();
        assert_eq!((child.wait().unwrap().code(), ids(&stdout)), (Some(0), vec![json!(2), json!(1)]));
    }
}

/// The input stays open here too, and the output is closed: the first answer cannot be written.
fn w7_4_a_broken_output_ends_the_process() {
    let mut child = start("guarded");
    drop(answers(&mut child));
    let mut input = child.stdin.take().unwrap();
    input.write_all(request(1, "server/discover", "").as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

fn w7_3_a_large_reply_is_whole() {
    let (status, stdout, _) = run("guarded", &format!("{}{}", read(1, "large"), read(2, "noisy")));
    let first: Value = serde_json::from_str(stdout.lines().next().unwrap()).unwrap();
    assert_eq!(first["result"]["contents"][0]["text"].as_str().unwrap().len(), 10 * 1024 * 1024);
    assert_eq!((status, ids(&stdout)), (0, vec![json!(1), json!(2)]));
}

/// Some parents pass such streams.
fn w7_3_streams_that_do_not_block_are_waited_for() {
    let (mut near, far) = UnixStream::pair().unwrap();
    far.set_nonblocking(true).unwrap();
    let (input, output) = (OwnedFd::from(far.try_clone().unwrap()), OwnedFd::from(far));
    let mut command = Command::new(env::current_exe().unwrap());
    let mut child = command.env(ROLE, "guarded").stdin(input).stdout(output).stderr(Stdio::null()).spawn().unwrap();
    // The command holds the other end of the pair too.
    drop(command);
    near.write_all(request(1, "server/discover", "").as_bytes()).unwrap();
    let mut near = BufReader::new(near);
    let mut stdout = String::new();
    near.read_line(&mut stdout).unwrap();
    near.get_mut().write_all(format!("{}{}", read(2, "large"), read(3, "slow")).as_bytes()).unwrap();
    near.get_mut().shutdown(Shutdown::Write).unwrap();
    near.read_to_string(&mut stdout).unwrap();
    assert_eq!((child.wait().unwrap().code(), ids(&stdout)), (Some(0), vec![json!(1), json!(2), json!(3)]));
}
