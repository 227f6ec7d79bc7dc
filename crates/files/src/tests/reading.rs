//! What a read gives, whatever is at the path by then.

use std::fs;
use std::io::Write as _;

use super::place::{PREFIX, Place, client, served};

/// The text of a file, or the message of the error.
async fn read(client: &mut grange_testkit::Client, path: &str) -> Result<String, String> {
    let read = client.read(&format!("{PREFIX}{path}")).await.map_err(|error| error.message)?;
    Ok(read.text().unwrap_or("a blob").to_owned())
}

fn unknown() -> Result<String, String> {
    Err("Resource not found".to_owned())
}

#[tokio::test]
async fn l4_8_text_and_bytes_are_told_apart_by_type_and_content() {
    let place =
        Place::new(&[("a.md", b"\xef\xbb\xbfa"), ("b.txt", b"\xff"), ("c.png", b"c"), ("d", b"d"), ("e", b"e\0")]);
    let mut client = client(&place.open(), &[]).await;
    for (path, text) in [("a.md", "\u{feff}a"), ("b.txt", "a blob"), ("c.png", "a blob"), ("d", "d"), ("e", "a blob")] {
        assert_eq!(read(&mut client, path).await, Ok(text.to_owned()));
    }
}

#[tokio::test]
async fn l4_8_the_size_in_the_list_cuts_nothing_and_max_bytes_is_a_public_error() {
    let place = Place::new(&[("a", b"12"), ("b", b"1234567")]);
    let mut client = client(&place.open().max_bytes(6), &[]).await;
    fs::File::options().append(true).open(place.path("root/a")).unwrap().write_all(b"3456").unwrap();
    assert_eq!(read(&mut client, "a").await, Ok("123456".to_owned()));
    assert_eq!(read(&mut client, "b").await, Err("The file has more than 6 bytes.".to_owned()));
}

#[tokio::test]
async fn l4_8_what_was_exchanged_after_the_listing_cannot_lead_out() {
    let place = Place::new(&[
        ("gone", b""),
        ("link", b""),
        ("pipe", b""),
        ("folder", b""),
        ("sub/secret", b"mine"),
        ("inner", b""),
    ]);
    place.write("outside/secret", b"secret");
    let directory = place.open();
    let mut client = client(&directory, &[]).await;
    for name in ["gone", "link", "pipe", "folder", "inner"] {
        fs::remove_file(place.path("root").join(name)).unwrap();
    }
    place.link("../outside/secret", "root/link");
    place.pipe("root/pipe");
    fs::create_dir(place.path("root/folder")).unwrap();
    place.rename("root/sub", "root/.sub");
    place.link("../outside", "root/sub");
    place.link(".sub/secret", "root/inner");
    for path in ["gone", "link", "pipe", "folder", "sub/secret"] {
        assert_eq!(read(&mut client, path).await, unknown(), "{path}");
    }
    assert_eq!(read(&mut client, "inner").await, Ok("mine".to_owned()));
}

#[tokio::test]
async fn l4_7_only_the_exact_uri_of_an_indexed_file_is_read() {
    let place = Place::new(&[("plain.txt", b"plain"), ("sub/deep.md", b"deep"), (".hidden", b"")]);
    let directory = place.open();
    let mut client = client(&directory, &[]).await;
    place.write("root/new", b"not indexed");
    for path in [
        "../root/plain.txt",
        "sub/../plain.txt",
        "./plain.txt",
        "/plain.txt",
        "plain.txt/",
        "plain.TXT",
        "%70lain.txt",
        "sub%2Fdeep.md",
        "sub",
        "",
        ".hidden",
        "new",
    ] {
        assert_eq!(read(&mut client, path).await, unknown(), "{path}");
    }
    directory.rescan();
    assert_eq!(read(&mut client, "new").await, Ok("not indexed".to_owned()));
    assert_eq!(served(&directory), ["new", "plain.txt", "sub/deep.md"]);
}
