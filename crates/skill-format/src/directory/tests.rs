//! What is opened beneath a directory is what was asked for, or nothing: without a race, by asking for the wrong kind.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use super::Directory;
use super::kind::{Kind, changed};
use super::root::Root;

fn root_of(holder: &Path) -> Root {
    let root = holder.join("tasks");
    fs::create_dir_all(root.join("notes")).unwrap();
    fs::write(root.join("notes/a.md"), "inside").unwrap();
    fs::create_dir(holder.join("outside")).unwrap();
    fs::write(holder.join("outside/a.md"), "secret").unwrap();
    symlink("notes/a.md", root.join("file")).unwrap();
    symlink("../outside", root.join("folder")).unwrap();
    assert!(Command::new("mkfifo").arg(root.join("pipe")).status().unwrap().success());
    Root::open(&root).unwrap()
}

/// A test that fails here would hang at the pipe, or have read a secret.
#[test]
fn what_is_no_file_any_more_is_not_opened_as_one() {
    let holder = tempfile::tempdir().unwrap();
    let root = root_of(holder.path());
    assert!(root.file("notes/a.md".as_ref()).is_ok());
    for exchanged in ["file", "pipe", "notes", "folder", "folder/a.md", "../outside/a.md", "notes/a.md/b"] {
        let error = root.file(exchanged.as_ref()).unwrap_err();
        assert_eq!(error.to_string(), changed().to_string(), "{exchanged}");
    }
    for exchanged in ["folder", "file", "..", "notes/../.."] {
        assert!(root.entries(exchanged.as_ref()).is_err(), "{exchanged}");
    }
    assert_eq!(root.kind("folder".as_ref()).unwrap(), Kind::Link);
    assert!(root.kind("folder/a.md".as_ref()).is_err());
    assert_eq!(root.file("none".as_ref()).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn a_root_that_is_a_link_by_now_is_not_opened() {
    let holder = tempfile::tempdir().unwrap();
    root_of(holder.path());
    assert!(Root::open(&holder.path().join("tasks/folder")).is_err());
}

#[test]
fn an_open_directory_stays_the_same_one_and_include_reads_no_other() {
    let holder = tempfile::tempdir().unwrap();
    let root = root_of(holder.path());
    let place = holder.path().join("tasks");
    fs::remove_file(place.join("folder")).unwrap();
    fs::write(place.join(".env"), "inside").unwrap();
    let mut directory = Directory::read(&place);
    assert_eq!(directory.problems, [""; 0]);
    fs::rename(&place, holder.path().join("moved")).unwrap();
    fs::create_dir_all(place.join("notes")).unwrap();
    fs::write(place.join(".env"), "secret").unwrap();
    assert!(root.file("notes/a.md".as_ref()).is_ok());
    directory.include(&".env".parse().unwrap());
    assert!(directory.files.iter().all(|(_, bytes)| bytes == b"inside"));
    assert!(directory.problems[0].ends_with(&changed().to_string()), "{:?}", directory.problems);
    assert_eq!((directory.problems.len(), directory.left_out), (1, vec![".env".to_owned(), "pipe".to_owned()]));
}

#[test]
fn folders_inside_each_other_have_a_bound() {
    let holder = tempfile::tempdir().unwrap();
    fs::create_dir_all(holder.path().join("a/".repeat(64))).unwrap();
    assert_eq!(Directory::read(holder.path()).problems, [""; 0]);
    fs::create_dir(holder.path().join("a/".repeat(65))).unwrap();
    let problems = Directory::read(holder.path()).problems;
    assert!(problems.len() == 1 && problems[0].ends_with("is inside 64 others: nest less"), "{problems:?}");
}
