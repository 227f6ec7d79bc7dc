//! A temporary directory, the directory that is served from it, and a client of that.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use grange_core::{Revision, Server};
use grange_testkit::{Client, connect};
use serde_json::Value;
use tempfile::TempDir;

use crate::Directory;

pub(super) const PREFIX: &str = "docs://manual/";
pub(super) const LIST: &str = "notifications/resources/list_changed";

/// A temporary directory with `root` in it, and room beside it.
pub(super) struct Place {
    temporary: TempDir,
}

impl Place {
    pub(super) fn new(files: &[(&str, &[u8])]) -> Self {
        let place = Self { temporary: TempDir::new().unwrap() };
        fs::create_dir_all(place.path("root")).unwrap();
        for (path, bytes) in files {
            place.write(&format!("root/{path}"), bytes);
        }
        place
    }

    pub(super) fn path(&self, path: &str) -> std::path::PathBuf {
        self.temporary.path().join(path)
    }

    pub(super) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Writes a new file and renames it onto this one, as editors do.
    pub(super) fn save(&self, path: &str, bytes: &[u8]) {
        self.write("save", bytes);
        self.rename("save", path);
    }

    pub(super) fn rename(&self, from: &str, to: &str) {
        fs::rename(self.path(from), self.path(to)).unwrap();
    }

    pub(super) fn link(&self, target: impl AsRef<Path>, path: &str) {
        std::os::unix::fs::symlink(target, self.path(path)).unwrap();
    }

    pub(super) fn pipe(&self, path: &str) {
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mkfifoat(rustix::fs::CWD, self.path(path), mode).unwrap();
    }

    pub(super) fn open(&self) -> Directory {
        Directory::open(self.path("root"), PREFIX).unwrap()
    }
}

/// The paths that are served, as in their URIs.
pub(super) fn served(directory: &Directory) -> Vec<String> {
    let set = directory.as_ref().change(|set| set.iter().map(|each| each.uri().to_owned()).collect::<Vec<_>>());
    set.unwrap().iter().map(|uri| uri.strip_prefix(PREFIX).unwrap().to_owned()).collect()
}

pub(super) fn waits_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}: not within 20 s");
        thread::park_timeout(Duration::from_millis(5));
    }
}

pub(super) async fn client(directory: &Directory, subscribed: &[&str]) -> Client {
    let server = Server::builder("manual", "1.0.0").shelf(directory).build().unwrap();
    let mut client = connect(&server, Revision::HANDSHAKE[Revision::HANDSHAKE.len() - 1]).await.unwrap();
    for path in subscribed {
        client.subscribe(&format!("{PREFIX}{path}")).await.unwrap();
    }
    client
}

/// What the client is told now: paths, and the method of a changed list.
pub(super) fn told(client: &mut Client) -> Vec<String> {
    client.clock().advance(Duration::from_millis(100));
    let text = |message: Value| {
        let said = message["params"]["uri"].as_str().or(message["method"].as_str()).unwrap().to_owned();
        said.strip_prefix(PREFIX).map_or(said.clone(), str::to_owned)
    };
    std::iter::from_fn(|| client.next_change()).map(text).collect()
}

/// Waits until the client was told of a path, and returns how often it was.
pub(super) fn is_told(client: &mut Client, path: &str) -> usize {
    let mut count = 0;
    waits_for(path, || {
        count += told(client).iter().filter(|said| *said == path).count();
        count > 0
    });
    count
}

/// Waits until the thread has looked at something that was done after all else, so that all else is looked at too.
pub(super) fn settle(place: &Place, directory: &Directory) {
    place.write("root/zz-last", b"");
    waits_for("the last file", || directory.as_ref().get("docs://manual/zz-last").is_some());
    fs::remove_file(place.path("root/zz-last")).unwrap();
    waits_for("no last file", || directory.as_ref().get("docs://manual/zz-last").is_none());
}
