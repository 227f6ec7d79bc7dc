//! C4, C5 and C9: the names of files, the encoding of their bytes, and reads by the exact URI.

use grange_core::Revision;
use grange_skills::{Skill, Skills};
use serde_json::json;

use super::{clients, ledger_close, server, skill_md};
use crate::raw;
use crate::schema::checked;

#[tokio::test]
async fn c5_utf_8_is_text_and_the_rest_is_a_blob() {
    let skill_md = format!("\u{feff}{}", skill_md("bytes").replace('\n', "\r\n"));
    let files: [(&str, &[u8]); 6] = [
        ("SKILL.md", &skill_md.clone().into_bytes().leak()[..]),
        ("nul.txt", b"a\0b"),
        ("cut.md", b"caf\xc3"),
        ("lone.txt", b"\xed\xa0\x80"),
        ("separators.txt", "\u{2028}\u{85}\"\\\u{1f}\u{7f}".as_bytes()),
        ("empty", b""),
    ];
    for mut client in clients(&server(Skills::new([Skill::new("bytes", files)]))).await {
        for (path, bytes) in files {
            let read = client.read(&format!("skill://bytes/{path}")).await.unwrap();
            match str::from_utf8(bytes) {
                Ok(text) => assert_eq!((read.text(), read.bytes()), (Some(text), None), "{path}"),
                Err(_) => assert_eq!((read.text(), read.bytes().as_deref()), (None, Some(bytes)), "{path}"),
            }
        }
        assert_eq!(client.read("skill://bytes/cut.md").await.unwrap().items()[0].mime_type(), Some("text/markdown"));
        assert_eq!(client.read("skill://bytes/empty").await.unwrap().items()[0].mime_type(), Some("text/plain"));
    }
}

#[tokio::test]
async fn c4_the_metadata_has_only_the_authors_entries() {
    let mut client = checked(&server(Skills::new([ledger_close()])), Revision::V2026_07_28).await.unwrap();
    for resource in client.list().await.unwrap() {
        assert_eq!(resource.get("_meta"), None, "{resource}");
        assert_eq!(resource.get("description").is_some(), resource["uri"] == "skill://ledger-close/SKILL.md");
        let read = client.read(resource["uri"].as_str().unwrap()).await.unwrap();
        assert_eq!(read.items()[0].meta().len(), 0);
    }
}

#[tokio::test]
async fn c9_only_the_exact_uri_reads_the_file() {
    for mut client in clients(&server(Skills::new([ledger_close()]))).await {
        let missed = if client.revision().has_handshake() { -32002 } else { -32602 };
        for uri in [
            "skill://ledger-close/SKILL.md?x=1",
            "skill://ledger-close/SKILL.md#x",
            "skill://ledger-close/SKILL.md/",
            "SKILL://ledger-close/SKILL.md",
            "skill://Ledger-Close/SKILL.md",
            "skill://ledger-close/./SKILL.md",
            "skill://ledger-close//SKILL.md",
            "skill://ledger-close/assets/../SKILL.md",
            "skill://ledger-close/%53KILL.md",
            "skill://ledger-close/skill.md",
            "skill:/ledger-close/SKILL.md",
        ] {
            assert_eq!(client.read(uri).await.unwrap_err().code, missed, "{uri}");
            let error = client.request("skills/get", json!({ "uri": uri })).await.unwrap_err();
            assert_eq!((error.code, error.message), (-32602, format!("Unknown skill URI: {uri}")));
        }
    }
}

#[test]
fn a8_4_a4_1_a_skill_md_is_one_text_item() {
    let server = server(Skills::new([ledger_close()]));
    let read = raw::modern(&server, "resources/read", json!({ "uri": "skill://ledger-close/SKILL.md" })).result();
    assert_eq!(read["contents"].as_array().unwrap().len(), 1);
    assert_eq!(read["contents"][0]["text"], super::LEDGER_CLOSE);
}
