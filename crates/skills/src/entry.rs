//! The results of the methods, as JSON: entries of skills with the digests of their files, and entries of folders.

use serde::Serialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

/// A skill in `skills/list` and `skills/get`.
#[derive(Serialize)]
pub(crate) struct Entry<'a> {
    pub(crate) uri: &'a str,
    /// The frontmatter as JSON, with the members in the order of the file.
    pub(crate) frontmatter: &'a RawValue,
    pub(crate) resources: Manifest<'a>,
}

/// The files of a skill.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Manifest<'a> {
    /// All files, its own `SKILL.md` and those of skills inside it included.
    Complete(Vec<FileEntry<'a>>),
    /// The string `"dynamic"`.
    Dynamic(&'static str),
}

/// One file of a manifest.
#[derive(Serialize)]
pub(crate) struct FileEntry<'a> {
    pub(crate) uri: &'a str,
    pub(crate) digest: &'a str,
    pub(crate) size: usize,
}

/// A page of a list.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Page<'a> {
    pub(crate) skills: &'a [Box<RawValue>],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_cursor: Option<String>,
}

/// A single skill.
#[derive(Serialize)]
pub(crate) struct One<'a> {
    pub(crate) skill: &'a RawValue,
}

/// A page of the children of a folder.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Children<'a> {
    pub(crate) resources: &'a [Child],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_cursor: Option<String>,
}

/// A file or folder in a folder.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Child {
    pub(crate) uri: String,
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    pub(crate) mime_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<usize>,
}

/// `sha256:` and the digest of the bytes, in lower-case hexadecimal.
pub(crate) fn digest(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::from("sha256:");
    for byte in Sha256::digest(bytes) {
        text.extend([byte >> 4, byte & 0xf].map(|digit| char::from(DIGITS[usize::from(digit)])));
    }
    text
}
