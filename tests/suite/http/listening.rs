//! When and where the address of a listening server is printed: never on standard output.

use std::env;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use grange_http::http;

/// Set in the process that [`output`] starts: whether it must print the address.
const ASKED: &str = "GRANGE_TESTS_ANNOUNCE";

/// The output of a process that listens until its input ends: standard error up to the expected line, if there is one,
/// and standard output.
fn output(announces: bool) -> (String, String) {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", "http::listening::the_process_that_listens", "--nocapture"])
        .env(ASKED, announces.to_string());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut error = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while announces && !line.starts_with("listening") {
        line.clear();
        assert_ne!(error.read_line(&mut line).unwrap(), 0, "it has ended without a word");
    }
    drop(child.stdin.take());
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    error.read_to_string(&mut line).unwrap();
    assert!(child.wait().unwrap().success(), "{out}{line}");
    (line, out)
}

/// Does nothing unless [`output`] started it.
#[tokio::test]
async fn the_process_that_listens() {
    let Ok(announces) = env::var(ASKED) else { return };
    let transport = http("127.0.0.1:0").path("/x/");
    let bound = if announces == "true" { transport.announce() } else { transport }.bind().await.unwrap();
    let mut rest = String::new();
    assert_eq!(std::io::stdin().read_to_string(&mut rest).unwrap(), 0);
    drop(bound);
}

#[test]
fn the_url_is_printed_to_standard_error_on_request() {
    let (error, out) = output(true);
    let line = error.lines().next().unwrap();
    let port =
        line.strip_prefix("listening on http://127.0.0.1:").and_then(|rest| rest.strip_suffix("/x")).expect(line);
    assert!(port.parse::<u16>().is_ok_and(|port| port > 0), "the one that the system chose: {line}");
    assert!(!out.contains("listening on"), "{out}");
}

/// With a pipe as standard error, another program reads it, so nothing is printed unless requested.
#[test]
fn the_url_is_not_printed_to_a_pipe_without_a_request() {
    let (error, out) = output(false);
    assert!(!error.contains("listening on") && !out.contains("listening on"), "{error}{out}");
}
