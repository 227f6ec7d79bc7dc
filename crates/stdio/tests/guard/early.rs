//! W7.9: text that is printed before `listen`, what `listen` logs about it, and its errors when it cannot serve.

use std::fs::{self, File};
use std::process::Stdio;
use std::{env, process};

use super::{ROLE, Test, ids, read, run};

pub(super) const TESTS: &[Test] = &[
    (
        "w7_9_from_the_guard_on_nothing_that_is_printed_reaches_stdout",
        w7_9_from_the_guard_on_nothing_that_is_printed_reaches_stdout,
    ),
    ("w7_9_without_the_guard_listen_says_how_to_have_it", w7_9_without_the_guard_listen_says_how_to_have_it),
    ("w7_9_what_is_in_a_file_before_listen_is_warned_of", w7_9_what_is_in_a_file_before_listen_is_warned_of),
    (
        "w7_9_a_stdin_that_cannot_be_read_is_an_error_with_its_remedy",
        w7_9_a_stdin_that_cannot_be_read_is_an_error_with_its_remedy,
    ),
    (
        "w7_9_a_stdout_that_cannot_be_written_is_an_error_with_its_remedy",
        w7_9_a_stdout_that_cannot_be_written_is_an_error_with_its_remedy,
    ),
    ("w7_9_serving_twice_is_an_error_with_its_remedy", w7_9_serving_twice_is_an_error_with_its_remedy),
];

fn w7_9_from_the_guard_on_nothing_that_is_printed_reaches_stdout() {
    let (status, stdout, stderr) = run("early", &read(1, "noisy"));
    assert_eq!((status, ids(&stdout).len()), (0, 1));
    assert!(stderr.contains("printed before listen") && stderr.contains("more noise"), "{stderr}");
    assert!(
        stderr.contains("INFO") && stderr.contains("serving over stdio") && !stderr.contains("first in"),
        "{stderr}"
    );
}

fn w7_9_without_the_guard_listen_says_how_to_have_it() {
    let (_, stdout, stderr) = run("late", &read(1, "quick"));
    assert!(stdout.starts_with("printed before listen\n{"), "{stdout}");
    assert!(
        stderr.contains("INFO") && stderr.contains("grange::stdio_guard()") && !stderr.contains("WARN"),
        "{stderr}"
    );
}

/// Runs the server with a file as stdin and another as stdout. Returns its status, stdout and stderr.
fn run_on_files(role: &str, input: &str) -> (i32, String, String) {
    let path = |what: &str| env::temp_dir().join(format!("grange-{what}-{}", process::id()));
    let (input_path, output_path) = (path("stdin"), path("stdout"));
    fs::write(&input_path, input).unwrap();
    let output = process::Command::new(env::current_exe().unwrap())
        .env(ROLE, role)
        .stdin(File::open(&input_path).unwrap())
        .stdout(File::create(&output_path).unwrap())
        .output()
        .unwrap();
    let stdout = fs::read_to_string(&output_path).unwrap();
    fs::remove_file(input_path).unwrap();
    fs::remove_file(output_path).unwrap();
    (output.status.code().unwrap(), stdout, String::from_utf8(output.stderr).unwrap())
}

fn w7_9_what_is_in_a_file_before_listen_is_warned_of() {
    let (status, stdout, stderr) = run_on_files("late", &read(1, "quick"));
    assert!(status == 0 && stdout.starts_with("printed before listen\n{"), "{stdout}");
    assert!(stderr.contains("WARN") && stderr.contains("grange::stdio_guard()"), "{stderr}");
    let (status, stdout, stderr) = run_on_files("early", &read(1, "quick"));
    assert_eq!((status, ids(&stdout).len(), stderr.contains("WARN")), (0, 1, false), "{stderr}");
}

fn failing(role: &str, stdin: impl Into<Stdio>, stdout: impl Into<Stdio>) -> String {
    let mut command = process::Command::new(env::current_exe().unwrap());
    let output = command.env(ROLE, role).stdin(stdin).stdout(stdout).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr).unwrap()
}

fn w7_9_a_stdin_that_cannot_be_read_is_an_error_with_its_remedy() {
    let stderr = failing("guarded", File::open("/").unwrap(), Stdio::null());
    assert!(stderr.contains("standard input cannot be read") && stderr.contains("child process of a host"), "{stderr}");
}

fn w7_9_a_stdout_that_cannot_be_written_is_an_error_with_its_remedy() {
    let path = env::temp_dir().join(format!("grange-request-{}", process::id()));
    fs::write(&path, read(1, "quick")).unwrap();
    let stderr = failing("guarded", File::open(&path).unwrap(), File::options().write(true).open("/dev/full").unwrap());
    fs::remove_file(path).unwrap();
    assert!(stderr.contains("standard output cannot be written") && stderr.contains("with a pipe there"), "{stderr}");
}

fn w7_9_serving_twice_is_an_error_with_its_remedy() {
    let stderr = failing("twice", Stdio::null(), Stdio::null());
    assert!(stderr.contains("can serve its own streams once") && stderr.contains("pipe(…)"), "{stderr}");
}
