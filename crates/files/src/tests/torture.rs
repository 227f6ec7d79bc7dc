//! Many edits of many kinds at once, then quiet: what is served is what is on the disk.

use std::collections::BTreeMap;
use std::fs;

use super::place::{PREFIX, Place, client, served, told, waits_for};

/// A small generator, so that a failure repeats.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

fn edit(place: &Place, random: &mut Random, number: u64) {
    let path = format!("root/{}/{}", random.below(5), random.below(20));
    let text = format!("{number}");
    match random.below(6) {
        0 | 1 => place.save_in(&path, text.as_bytes()),
        2 => place.write(&path, text.as_bytes()),
        3 => drop(fs::remove_file(place.path(&path))),
        4 => {
            let _ = fs::remove_file(place.path(&path));
            place.write(&path, text.as_bytes());
        }
        _ => {
            let (from, to) = (format!("root/{}", random.below(5)), format!("root/{}", random.below(5)));
            let _ = fs::rename(place.path(&from), place.path(&to));
        }
    }
}

impl Place {
    fn save_in(&self, path: &str, bytes: &[u8]) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        self.save(path, bytes);
    }
}

/// The files on the disk with their contents.
fn disk(place: &Place) -> BTreeMap<String, String> {
    let folders = fs::read_dir(place.path("root")).unwrap().map(|entry| entry.unwrap().path());
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    let root = place.path("root");
    files
        .map(|file| (file.strip_prefix(&root).unwrap().display().to_string(), fs::read_to_string(&file).unwrap()))
        .collect()
}

#[tokio::test]
async fn l4_10_after_many_edits_what_is_served_is_what_is_on_the_disk() {
    let place = Place::new(&[]);
    let mut random = Random(7);
    for number in 0..200 {
        edit(&place, &mut random, number);
    }
    let directory = place.open().watch().unwrap();
    for number in 200..3000 {
        edit(&place, &mut random, number);
    }
    let files = disk(&place);
    waits_for("the files of the disk", || served(&directory).iter().eq(files.keys()));
    let paths: Vec<&str> = files.keys().map(String::as_str).collect();
    let mut client = client(&directory, &paths).await;
    for entry in client.list().await.unwrap() {
        let path = entry["name"].as_str().unwrap();
        let read = client.read(&format!("{PREFIX}{path}")).await.unwrap();
        assert_eq!(read.text(), Some(files[path].as_str()));
    }
    let mut unheard = paths.clone();
    for path in &paths {
        place.write(&format!("root/{path}"), b"the last");
    }
    waits_for("the last change of each file", || {
        let heard = told(&mut client);
        unheard.retain(|path| !heard.iter().any(|said| said == path));
        unheard.is_empty()
    });
}
