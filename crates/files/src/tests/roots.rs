//! The directory itself: it can vanish, return and be another one; and who follows it stops.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use grange_core::Server;

use super::place::{Place, served, waits_for};
use crate::Directory;

#[test]
fn l4_11_a_root_that_vanishes_empties_the_shelf_and_is_awaited() {
    let place = Place::new(&[("a", b""), ("sub/b", b"")]);
    for directory in [place.open().watch().unwrap(), place.open().poll(Duration::from_millis(20)).unwrap()] {
        place.rename("root", "away");
        waits_for("no files", || directory.as_ref().is_empty());
        place.rename("away", "root");
        waits_for("the files again", || served(&directory) == ["a", "sub/b"]);
        fs::remove_dir_all(place.path("root")).unwrap();
        waits_for("no files", || directory.as_ref().is_empty());
        place.write("root/sub/c", b"");
        waits_for("another root", || served(&directory) == ["sub/c"]);
        place.write("root/sub/d", b"");
        waits_for("a new file there", || served(&directory) == ["sub/c", "sub/d"]);
        fs::remove_dir_all(place.path("root/sub")).unwrap();
        place.write("root/a", b"");
        place.write("root/sub/b", b"");
    }
}

#[test]
fn l4_11_a_root_that_is_a_link_can_lead_to_another_directory() {
    let place = Place::new(&[]);
    place.write("one/a", b"");
    place.write("two/b", b"");
    place.link("one", "current");
    let directory = Directory::open(place.path("current"), super::place::PREFIX).unwrap().watch().unwrap();
    assert_eq!(served(&directory), ["a"]);
    place.link("two", "next");
    place.rename("next", "current");
    waits_for("the files of the other directory", || served(&directory) == ["b"]);
    place.write("two/c", b"");
    waits_for("a new file there", || served(&directory) == ["b", "c"]);
}

#[test]
fn l4_11_a_directory_is_read_again_at_intervals_or_on_demand() {
    let place = Place::new(&[("a", b"")]);
    let (polled, scanned) = (place.open().poll(Duration::from_millis(20)).unwrap(), place.open());
    place.write("root/b", b"");
    waits_for("a new file", || served(&polled) == ["a", "b"]);
    assert_eq!(served(&scanned), ["a"]);
    scanned.rescan();
    assert_eq!(served(&scanned), ["a", "b"]);
}

#[test]
fn l4_11_the_thread_ends_with_the_shelf() {
    let place = Place::new(&[("a", b"")]);
    let directory = place.open().watch().unwrap();
    let state = Arc::downgrade(&directory.state);
    let server = Server::builder("manual", "1.0.0").shelf(&directory).build().unwrap();
    let shelf = directory.as_ref().downgrade();
    drop(directory);
    place.write("root/b", b"");
    waits_for("a new file", || shelf.upgrade().is_some_and(|shelf| shelf.len() == 2));
    drop(server);
    waits_for("the end of the thread", || state.upgrade().is_none());
}
