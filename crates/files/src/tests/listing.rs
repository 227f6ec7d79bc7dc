//! What is listed, and what is left out.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::time::{Duration, UNIX_EPOCH};

use super::place::{PREFIX, Place, client, served};
use crate::Directory;
use crate::root::Root;
use crate::walk::Walk;

#[tokio::test]
async fn l4_7_every_file_is_one_resource() {
    let place =
        Place::new(&[("a b#.md", b"# A\n"), ("sub/deep/caf\u{e9}", b""), ("UPPER.TXT", b"u"), ("raw.zzz", b"\0")]);
    let stamp = UNIX_EPOCH + Duration::from_secs(1_767_225_600);
    fs::File::options().write(true).open(place.path("root/a b#.md")).unwrap().set_modified(stamp).unwrap();
    let listed = client(&place.open(), &[]).await.list().await.unwrap();
    let fields =
        |name: &str| listed.iter().map(|entry| entry[name].as_str().unwrap_or("-").to_owned()).collect::<Vec<_>>();
    assert_eq!(
        fields("uri"),
        ["UPPER.TXT", "a%20b%23.md", "raw.zzz", "sub/deep/caf%C3%A9"].map(|path| format!("{PREFIX}{path}"))
    );
    assert_eq!(fields("name"), ["UPPER.TXT", "a b#.md", "raw.zzz", "sub/deep/caf\u{e9}"]);
    assert_eq!(fields("mimeType"), ["text/plain", "text/markdown", "-", "-"]);
    assert_eq!(listed.iter().map(|entry| entry["size"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 4, 1, 0]);
    assert_eq!(listed[1]["annotations"]["lastModified"], "2026-01-01T00:00:00Z");
}

#[test]
fn l4_7_a_directory_that_cannot_be_read_is_named() {
    let place = Place::new(&[("file", b"")]);
    for path in ["nowhere", "root/file"] {
        let path = place.path(path);
        let problem = Directory::open(&path, PREFIX).unwrap_err().to_string();
        assert!(problem.starts_with(&format!("directory `{}` cannot be read: ", path.display())), "{problem}");
    }
    let problem = Directory::open(place.path("root"), "no prefix/").unwrap_err().to_string();
    assert!(problem.starts_with("prefix `no prefix/` makes no URIs"), "{problem}");
}

#[test]
fn l4_9_what_is_hidden_special_or_leads_out_is_left_out() {
    let place =
        Place::new(&[("plain.txt", b""), (".hidden", b""), ("sub/.secret", b""), (".git/config", b""), ("sub/x", b"")]);
    place.write("outside/secret.md", b"secret");
    place.link("../outside/secret.md", "root/out.md");
    place.link(place.path("outside/secret.md"), "root/absolute.md");
    place.link("../../outside/secret.md", "root/sub/out.md");
    place.link("../outside", "root/folder");
    place.link("sub", "root/sub-link");
    place.link("nowhere", "root/dangling");
    place.link("circle", "root/circle");
    place.link("../plain.txt", "root/sub/inner.md");
    place.pipe("root/pipe.txt");
    fs::write(place.path("root").join(OsStr::from_bytes(b"latin\xe9.txt")), b"").unwrap();
    assert_eq!(served(&place.open()), ["plain.txt", "sub/inner.md", "sub/x"]);
    assert_eq!(served(&place.open().filter(|path| path != "sub/x")), ["plain.txt", "sub/inner.md"]);
}

#[test]
fn l4_9_folders_inside_64_others_are_left_out() {
    let nested = |depth| format!("{}x", "d/".repeat(depth));
    let place = Place::new(&[(&nested(64), b""), (&nested(65), b"")]);
    assert_eq!(served(&place.open()), [nested(64)]);
}

#[test]
fn l4_9_there_is_a_most_of_files() {
    let place = Place::new(&[("a", b""), ("b", b""), ("sub/c", b""), (".d", b"")]);
    let root = Root::open(&place.path("root")).unwrap();
    let mut enter = |_: &str| {};
    let mut walk = Walk::new(&root, &|_| true, &mut enter, 2);
    walk.deep("", None);
    assert_eq!((walk.found.len(), walk.left_out.files), (2, 1));
}
