//! Directories that change while they are read: files and folders that become links or pipes, sizes without bound.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use grange_skill_format::Directory;
use tempfile::TempDir;

use super::{errors, serve, skill_md};
use crate::Skill;

const MEBIBYTE: u64 = 1024 * 1024;

/// A directory `tasks` with a SKILL.md, and the temporary directory around it.
fn tasks() -> (TempDir, PathBuf) {
    let holder = tempfile::tempdir().unwrap();
    let root = holder.path().join("tasks");
    fs::create_dir(&root).unwrap();
    fs::write(root.join("SKILL.md"), skill_md("tasks")).unwrap();
    (holder, root)
}

/// A file of zeros that takes no room on the disk.
fn sparse(file: &Path, bytes: u64) {
    File::create(file).unwrap().set_len(bytes).unwrap();
}

/// Reads the directory again and again while another thread exchanges something in it; returns all contents.
fn read_during(root: &Path, reads: usize, exchange: impl Fn() + Sync) -> Vec<Vec<u8>> {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                exchange();
            }
        });
        let reads = (0..reads).flat_map(|_| Directory::read(root).files);
        let contents = reads.map(|(_, bytes)| bytes).collect();
        is_over.store(true, Ordering::Relaxed);
        contents
    })
}

/// Puts one and then the other in the place of a file, so that something is always there.
fn alternate(holder: &Path, [one, other]: [&Path; 2], place: &Path) {
    for entry in [one, other] {
        let next = holder.join("next");
        fs::hard_link(entry, &next).unwrap();
        fs::rename(&next, place).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn c8_a_file_exchanged_for_a_link_while_it_is_read_leads_nowhere_else() {
    let (holder, root) = tasks();
    let [file, link, secret] = ["file", "link", "secret"].map(|name| holder.path().join(name));
    fs::write(&file, "inside").unwrap();
    fs::write(&secret, "secret").unwrap();
    std::os::unix::fs::symlink(&secret, &link).unwrap();
    let contents = read_during(&root, 10_000, || alternate(holder.path(), [&file, &link], &root.join("f.md")));
    assert!(contents.iter().any(|bytes| bytes == b"inside"));
    assert_eq!(contents.iter().filter(|bytes| *bytes == b"secret").count(), 0);
}

#[cfg(unix)]
#[test]
fn c8_a_folder_exchanged_for_a_link_while_it_is_read_leads_nowhere_else() {
    let (holder, root) = tasks();
    let [inside, outside, link, away] = ["inside", "outside", "link", "away"].map(|name| holder.path().join(name));
    for (folder, text) in [(&inside, "inside"), (&outside, "secret")] {
        fs::create_dir(folder).unwrap();
        // Each is another moment at which the folder can be a link.
        for file in 0..100 {
            fs::write(folder.join(format!("{file}.md")), text).unwrap();
        }
    }
    std::os::unix::fs::symlink(&outside, &link).unwrap();
    let place = root.join("notes");
    let contents = read_during(&root, 1_000, || {
        for entry in [&inside, &link] {
            fs::rename(entry, &place).unwrap();
            fs::rename(&place, &away).unwrap();
            fs::rename(&away, entry).unwrap();
        }
    });
    assert_eq!(contents.iter().filter(|bytes| *bytes == b"secret").count(), 0);
}

#[cfg(unix)]
#[test]
fn c8_a_pipe_put_in_the_place_of_a_file_does_not_hang_the_read() {
    let (holder, root) = tasks();
    let (file, pipe) = (holder.path().join("file"), holder.path().join("pipe"));
    fs::write(&file, "inside").unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let (sender, receiver) = mpsc::channel();
    // A thread of its own, so that a read that hangs fails the test.
    thread::spawn(move || {
        let contents = read_during(&root, 2_000, || alternate(holder.path(), [&file, &pipe], &root.join("f.md")));
        sender.send(contents.len()).unwrap();
    });
    assert!(receiver.recv_timeout(Duration::from_secs(60)).is_ok_and(|contents| contents >= 2_000));
}

#[cfg(unix)]
#[test]
fn c8_a_link_to_a_file_that_is_left_out_is_followed_only_if_a_pattern_names_both() {
    use std::os::unix::fs::symlink;

    let (_holder, root) = tasks();
    fs::write(root.join(".secret"), "secret").unwrap();
    for (folder, name) in [(".git", "config"), ("__pycache__", "a.pyc"), (".notes", "a.md")] {
        fs::create_dir(root.join(folder)).unwrap();
        fs::write(root.join(folder).join(name), "secret").unwrap();
    }
    symlink(".secret", root.join(".also")).unwrap();
    assert_eq!(errors(Skill::from_dir(&root).include(".also")), [leads(".also", ".secret")]);
    serve([Skill::from_dir(&root).include(".*")]);
    for target in [".secret", ".git/config", "__pycache__/a.pyc", ".notes/a.md"] {
        symlink(target, root.join("link.md")).unwrap();
        assert_eq!(errors(Skill::from_dir(&root)), [leads("link.md", target)]);
        fs::rename(root.join("link.md"), root.join(".link")).unwrap();
        let is_never_included = target.starts_with(".git") || target.starts_with("__");
        let directory = Skill::from_dir(&root).include("**");
        if is_never_included {
            assert_eq!(errors(directory), [leads(".link", target)]);
        } else {
            serve([directory]);
        }
        fs::remove_file(root.join(".link")).unwrap();
    }
}

#[cfg(unix)]
fn leads(link: &str, target: &str) -> String {
    format!("skill `tasks`: link `{link}` leads to `{target}`, which is left out: put a copy of the file in its place")
}

#[test]
fn c8_a_file_larger_than_the_bound_is_an_error_and_is_not_read() {
    let (_holder, root) = tasks();
    sparse(&root.join("large.bin"), 16 * MEBIBYTE);
    let directory = Directory::read(&root);
    assert_eq!((directory.problems, directory.files.len()), (vec![], 2));
    for bytes in [16 * MEBIBYTE + 1, 1536 * MEBIBYTE] {
        sparse(&root.join("large.bin"), bytes);
        let remedy = "make it smaller, or take it out of the skill";
        assert_eq!(
            errors(Skill::from_dir(&root)),
            [format!("skill `tasks`: file `large.bin` has more than 16 MiB: {remedy}")]
        );
    }
}

#[test]
fn c8_files_larger_than_the_bound_together_are_one_error() {
    let (_holder, root) = tasks();
    fs::remove_file(root.join("SKILL.md")).unwrap();
    for name in ["a", "b", "c", ".d"] {
        sparse(&root.join(name), 16 * MEBIBYTE);
    }
    let mut directory = Directory::read(&root);
    directory.include(&".d".parse().unwrap());
    assert_eq!((directory.problems.len(), directory.files.len()), (0, 4));
    for name in ["e", "f"] {
        fs::write(root.join(name), "1").unwrap();
    }
    let expected = "skill `tasks`: the files have more than 64 MiB together: take out what the skill does not need";
    assert_eq!(errors(Skill::from_dir(&root).include(".d")), [expected]);
}
