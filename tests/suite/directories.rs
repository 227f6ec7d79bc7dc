//! Directories that are followed (`docs/contract/live.md`, L4.7 to L4.12), as users of the facade have them. The files are tested in
//! `grange-files`.

use std::fs;
use std::path::Path;

use grange::files::Directory;
use grange::{Revision, Server};

/// A file of the repository.
fn file(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).expect("a file of the repository")
}

#[test]
fn l4_12_directories_are_no_default_and_their_licence_is_allowed() {
    let manifest = file("Cargo.toml");
    let default = manifest.lines().find(|line| line.starts_with("default = ")).expect("the default features");
    assert!(manifest.contains("\nfiles = [\"dep:grange-files\"]\n") && !default.contains("files"));
    assert!(file("deny.toml").contains("\"CC0-1.0\""));
}

#[tokio::test]
async fn l4_7_a_directory_is_a_shelf_in_every_revision() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite");
    let directory = Directory::open(folder, "docs://suite/").expect("the folder of this file");
    let server = Server::builder("suite", "1.0.0").shelf(&directory).build().expect("a server");
    for revision in Revision::ALL {
        let mut client = grange_testkit::connect(&server, revision).await.expect("a client");
        assert_eq!(client.list().await.expect("a list").len(), directory.as_ref().len());
        let read = client.read("docs://suite/directories.rs").await.expect("this file");
        assert_eq!(read.text(), Some(include_str!("directories.rs")));
    }
}
