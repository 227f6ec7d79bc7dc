//! What no tracked file says: where one machine keeps its files, where packages come from, who or what wrote it.

use std::fs;

use super::none;
use crate::process::capture;
use crate::project::Project;

/// Top folders of one machine.
const FOLDERS: [&str; 4] = ["work", "tmp", "root", "home"];
/// In halves, so that this file does not say them.
const HOSTS: [(&str, &str); 4] =
    [("registry.", "npmjs.org"), ("files.", "pythonhosted.org"), ("index.", "crates.io"), ("static.", "crates.io")];
const WORDS: [(&str, &str); 8] = [
    ("LL", "M"),
    ("Cla", "ude"),
    ("Chat", "GPT"),
    ("Anth", "ropic"),
    ("AI-", "generated"),
    ("Co-Authored", "-By"),
    ("sub", "agent"),
    ("Generated", " with"),
];
/// Written elsewhere, word for word: the official schemas, what fuzzing found, what tools lock.
const FOREIGN: [&str; 5] =
    ["tests/schema/", "fuzz/seeds/", "Cargo.lock", "fuzz/Cargo.lock", "tests/clients/python/requirements.txt"];

/// The contract and the cases name the programs that users run as clients, and messages of theirs. That says nothing of who
/// wrote a file.
const NAMES_CLIENTS: [&str; 2] = ["docs/contract/", "tests/cases/"];

/// The text files that are tracked, or would be.
fn tracked() -> Vec<(String, String)> {
    let project = Project::find();
    let listed = capture(project.command("git").args(["ls-files", "--cached", "--others", "--exclude-standard"]));
    let listed = listed.expect("git lists the files of the repository");
    let texts = listed.lines().filter_map(|path| Some((path.to_owned(), fs::read_to_string(project.path(path)).ok()?)));
    texts.collect()
}

fn places(files: &[(String, String)], is_wrong: impl Fn(&str) -> bool) -> Vec<String> {
    let lines = files.iter().flat_map(|(path, text)| text.lines().enumerate().map(move |(at, line)| (path, at, line)));
    let wrong = lines.filter(|(_, _, line)| is_wrong(line));
    wrong.map(|(path, at, line)| format!("{path}:{}: {}", at + 1, line.trim())).collect()
}

fn ours() -> Vec<(String, String)> {
    let foreign = |path: &str| FOREIGN.iter().any(|start| path.starts_with(start));
    tracked().into_iter().filter(|(path, _)| !foreign(path)).collect()
}

#[test]
fn no_file_names_a_path_of_one_machine() {
    none(&places(&ours(), names_a_machine_path), "write the path relative to the repository");
}

#[test]
fn no_file_names_a_package_host() {
    let named = |line: &str| HOSTS.iter().any(|(start, end)| line.contains(&format!("{start}{end}")));
    none(&places(&ours(), named), "leave the host to the user's own settings");
    let locks: Vec<_> = tracked().into_iter().filter(|(path, _)| path.ends_with("package-lock.json")).collect();
    none(&places(&locks, |line| line.trim_start().starts_with("\"resolved\"")), "delete `resolved`: `integrity` pins");
}

#[test]
fn no_file_says_who_wrote_it() {
    let names_clients = |path: &str| NAMES_CLIENTS.iter().any(|start| path.starts_with(start));
    let files: Vec<_> = ours().into_iter().filter(|(path, _)| !names_clients(path)).collect();
    none(&places(&files, |line| WORDS.iter().any(|word| says(line, *word))), "say what the thing is");
}

/// A folder of a machine at the beginning of a path; `docs/home/` and `file:///home/` are something else.
fn names_a_machine_path(line: &str) -> bool {
    FOLDERS.iter().any(|folder| {
        let path = format!("/{folder}/");
        line.match_indices(&path).any(|(at, _)| {
            let inside = |c: char| c.is_ascii_alphanumeric() || "/._-~}$*".contains(c);
            !line[..at].chars().next_back().is_some_and(inside)
        })
    })
}

/// Whether a line has the word, as a word and in this case.
fn says(line: &str, (start, end): (&str, &str)) -> bool {
    let word = format!("{start}{end}");
    line.match_indices(&word).any(|(at, _)| {
        let letter = |c: char| c.is_ascii_alphabetic();
        let before = line[..at].chars().next_back().is_some_and(letter);
        !before && !line[at + word.len()..].starts_with(letter)
    })
}

#[test]
fn words_and_paths_are_recognised() {
    for folder in FOLDERS {
        assert!(names_a_machine_path(&format!("see \"/{folder}/main/x\"")));
        assert!(!names_a_machine_path(&format!("file:///{folder}/x docs/{folder}/y")));
    }
    assert!(says("an LL".to_owned().as_str().trim_end(), ("L", "L")));
    assert!(!says("LLVM-exception", ("LL", "V")));
}
