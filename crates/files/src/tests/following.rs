//! What a watched directory tells its clients.

use std::fs;
use std::io::{Seek as _, Write as _};

use notify::event::{AccessKind, AccessMode, DataChange, Event, EventKind, Flag, MetadataKind, ModifyKind};

use super::place::{LIST, PREFIX, Place, client, is_told, served, settle, told, waits_for};
use crate::hint::Hints;

#[tokio::test]
async fn l4_10_each_save_by_rename_is_one_update_and_a_read_is_none() {
    let place = Place::new(&[("page.md", b"v0")]);
    let directory = place.open().watch().unwrap();
    settle(&place, &directory);
    let mut client = client(&directory, &["page.md"]).await;
    for number in 1..=3 {
        let text = format!("v{number}");
        place.save("root/page.md", text.as_bytes());
        assert_eq!(is_told(&mut client, "page.md"), 1, "save {number}");
        let read = client.read(&format!("{PREFIX}page.md")).await.unwrap();
        assert_eq!(read.text(), Some(text.as_str()));
    }
    told(&mut client);
    client.read(&format!("{PREFIX}page.md")).await.unwrap();
    settle(&place, &directory);
    assert!(told(&mut client).iter().all(|said| said == LIST));
}

#[tokio::test]
async fn l4_10_a_write_that_leaves_the_metadata_counts_for_every_path_of_the_file() {
    let place = Place::new(&[("page.md", b"v0")]);
    place.link("page.md", "root/link.md");
    let directory = place.open().watch().unwrap();
    settle(&place, &directory);
    let mut client = client(&directory, &["page.md", "link.md"]).await;
    let mut file = fs::File::options().write(true).open(place.path("root/page.md")).unwrap();
    let before = file.metadata().unwrap().modified().unwrap();
    file.rewind().unwrap();
    file.write_all(b"v1").unwrap();
    file.set_modified(before).unwrap();
    drop(file);
    let mut missing = vec!["page.md", "link.md"];
    waits_for("both paths", || {
        let heard = told(&mut client);
        missing.retain(|path| !heard.iter().any(|said| said == path));
        missing.is_empty()
    });
}

#[tokio::test]
async fn l4_10_a_swapped_link_updates_what_it_changes() {
    let place = Place::new(&[("..one/linked.md", b"one"), ("..two/linked.md", b"two")]);
    place.link("..one", "root/..data");
    place.link("..data/linked.md", "root/linked.md");
    let directory = place.open().watch().unwrap();
    settle(&place, &directory);
    let mut client = client(&directory, &["linked.md"]).await;
    place.link("..two", "root/..swap");
    place.rename("root/..swap", "root/..data");
    is_told(&mut client, "linked.md");
    assert_eq!(client.read(&format!("{PREFIX}linked.md")).await.unwrap().text(), Some("two"));
}

#[test]
fn l4_10_folders_that_come_move_and_go_are_followed() {
    let place = Place::new(&[("a", b"")]);
    let directory = place.open().watch().unwrap();
    let becomes = |files: &[&str]| waits_for(&format!("{files:?}"), || served(&directory) == files);
    place.write("root/late/deep/x.md", b"x");
    becomes(&["a", "late/deep/x.md"]);
    place.save("root/late/deep/y.md", b"y");
    becomes(&["a", "late/deep/x.md", "late/deep/y.md"]);
    place.rename("root/late", "root/later");
    becomes(&["a", "later/deep/x.md", "later/deep/y.md"]);
    place.write("root/later/deep/z.md", b"z");
    becomes(&["a", "later/deep/x.md", "later/deep/y.md", "later/deep/z.md"]);
    place.rename("root/later/deep", "moved");
    becomes(&["a"]);
    fs::create_dir(place.path("root/later/deep")).unwrap();
    place.write("root/later/deep/again", b"");
    becomes(&["a", "later/deep/again"]);
    fs::remove_dir_all(place.path("root/later")).unwrap();
    becomes(&["a"]);
}

#[test]
fn l4_10_an_event_is_a_hint_where_to_look() {
    let hints = |kind, path: &str| Hints::of(&Event::new(kind).add_path(path.into()), "/x".as_ref());
    let paths = |hints: &Hints| {
        [&hints.folders, &hints.entries, &hints.written].map(|set| set.iter().cloned().collect::<Vec<_>>())
    };
    let read = EventKind::Access(AccessKind::Open(AccessMode::Read));
    assert!(hints(read, "/x/a/b").is_empty() && hints(EventKind::Any, "/y/b").is_empty());
    let data = EventKind::Modify(ModifyKind::Data(DataChange::Any));
    assert_eq!(paths(&hints(data, "/x/a/b")), [vec!["a".to_owned()], vec![], vec!["a/b".to_owned()]]);
    let metadata = EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any));
    assert_eq!(paths(&hints(metadata, "/x/b")), [vec![String::new()], vec![], vec![]]);
    assert_eq!(paths(&hints(EventKind::Any, "/x/a/b")), [vec!["a".to_owned()], vec!["a/b".to_owned()], vec![]]);
}

#[test]
fn l4_11_a_lost_event_or_too_many_hints_are_a_look_at_all() {
    let lost = Event::new(EventKind::Other).set_flag(Flag::Rescan);
    assert_eq!(Hints::of(&lost, "/x".as_ref()), Hints::all());
    let mut hints = Hints::default();
    hints.merge(Hints { folders: (0..10_001).map(|number| number.to_string()).collect(), ..Hints::default() });
    assert_eq!(hints, Hints::all());
}
