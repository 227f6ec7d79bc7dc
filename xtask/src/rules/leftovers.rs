//! What must not stay behind: unfinished code, tests that do not run, tests that wait.

use super::none;
use crate::source::{FOLDERS, Source, sources};

/// Every file but those that are wrong on purpose.
fn all() -> Vec<&'static Source> {
    let mut all = sources(&FOLDERS);
    all.retain(|source| !source.path.starts_with("tests/macros/ui/"));
    all
}

#[test]
fn nothing_is_left_unfinished() {
    // `todo!` and its like are the compiler's to see.
    let banned = ["allow(dead_code)", "allow(unused)"];
    let places: Vec<String> = all().iter().flat_map(|source| source.places(&source.code, &banned)).collect();
    none(&places, "finish it, or remove it");
}

#[test]
fn every_test_runs_and_asserts() {
    let banned = ["#[ignore", "#[should_panic"];
    let places: Vec<String> = all().iter().flat_map(|source| source.places(&source.code, &banned)).collect();
    none(
        &places,
        "assert what happens today, with a note, instead of ignoring it; assert the error instead of a panic",
    );
}

#[test]
fn no_test_sleeps() {
    let banned = ["thread::sleep", "time::sleep", "sleep_until"];
    let sources = all();
    let is_test = |source: &&&Source| source.path.starts_with("tests/") || source.path.contains("tests");
    let in_files = sources.iter().filter(is_test).flat_map(|source| real_sleeps(&source.path, &source.code));
    let shipped = sources.iter().filter(|source| !is_test(source));
    let in_modules = shipped.flat_map(|source| {
        let outside = source.places(&source.shipped, &banned);
        source.places(&source.code, &banned).into_iter().filter(move |place| !outside.contains(place))
    });
    none(&in_files.chain(in_modules).collect::<Vec<_>>(), "wait for what happens, or pause the test's clock");
}

/// Sleeps that take real time, however they are imported: a thread's, and tokio's below a test whose clock is not paused.
fn real_sleeps(path: &str, code: &str) -> Vec<String> {
    let mut paused = true;
    let mut found = Vec::new();
    for (index, line) in code.lines().enumerate() {
        if line.contains("#[tokio::test") || line.contains("#[test]") {
            paused = line.contains("start_paused = true");
        }
        if line.contains("thread::sleep") || (!paused && line.contains("sleep(")) {
            found.push(format!("{path}:{}: {}", index + 1, line.trim()));
        }
    }
    found
}

#[test]
fn a_sleep_counts_unless_its_tests_clock_is_paused() {
    let paused = "#[tokio::test(start_paused = true)]\nasync fn a() {\n    sleep(LONG).await;\n}\n";
    let real = paused.replace("(start_paused = true)", "");
    assert_eq!(real_sleeps("a.rs", paused), [""; 0]);
    assert_eq!(real_sleeps("a.rs", &real), ["a.rs:3: sleep(LONG).await;"]);
    assert_eq!(real_sleeps("a.rs", "std::thread::sleep(LONG);"), ["a.rs:1: std::thread::sleep(LONG);"]);
}
