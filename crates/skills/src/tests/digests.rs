//! For any skills: each listed digest and size is of the bytes that a read returns, and each folder lists exactly its
//! children.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{clients, serve, skill_md};
use crate::Skill;

/// Files by their paths inside a skill.
type Files = BTreeMap<String, Vec<u8>>;

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let text = "[ -~\r\n\t\0\u{80}-\u{2030}\u{feff}😀]{0,40}".prop_map(String::into_bytes);
    prop_oneof![text, vec(any::<u8>(), 0..40), Just(Vec::new())]
}

/// Paths in lower case, in which no folder has the name of a file: folder names begin with `d`, file names do not.
fn files() -> impl Strategy<Value = Files> {
    let path = "(d[a-c]/){0,3}[e-g][a-z0-9._~!$&'()*+,;=:@-]{0,4}";
    btree_map(path, bytes(), 0..8)
}

/// An outer skill, one inside it, and one beside both.
fn skills() -> impl Strategy<Value = [(&'static str, Files); 3]> {
    let whole = |path: &'static str| {
        files().prop_map(move |mut files| {
            let name = path.rsplit('/').next().unwrap_or(path);
            files.insert("SKILL.md".to_owned(), skill_md(name).into_bytes());
            (path, files)
        })
    };
    // The inner skill is below a folder in which the outer one has no files.
    (whole("acme/outer"), whole("acme/outer/x/inner"), whole("outer-more")).prop_map(Into::into)
}

/// The expected files of each skill, by URI and root: files of inner skills belong to the outer one too.
fn expected(skills: &[(&str, Files)]) -> BTreeMap<String, Files> {
    let all: Files = skills
        .iter()
        .flat_map(|(path, files)| {
            files.iter().map(move |(file, bytes)| (format!("skill://{path}/{file}"), bytes.clone()))
        })
        .collect();
    let of = |root: &str| {
        let inside = |uri: &str| uri.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'));
        all.iter().filter(|(uri, _)| inside(uri)).map(|(uri, bytes)| (uri.clone(), bytes.clone())).collect()
    };
    skills.iter().map(|(path, _)| format!("skill://{path}")).map(|root| (root.clone(), of(&root))).collect()
}

/// Every folder below a root, each with its direct children.
fn folders(root: &str, files: &Files) -> BTreeMap<String, BTreeSet<String>> {
    let mut folders = BTreeMap::new();
    for uri in files.keys() {
        let mut child = uri.as_str();
        while child != root {
            let (folder, _) = child.rsplit_once('/').unwrap();
            folders.entry(folder.to_owned()).or_insert_with(BTreeSet::new).insert(child.to_owned());
            child = folder;
        }
    }
    folders
}

fn uris(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|each| each["uri"].as_str().unwrap().to_owned()).collect()
}

/// The bytes of a listed digest.
fn digest(listed: &Value) -> Vec<u8> {
    let digits = listed.as_str().and_then(|text| text.strip_prefix("sha256:")).unwrap().as_bytes();
    digits.chunks(2).map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn c2_c5_a_digest_is_of_the_bytes_that_a_read_returns(skills in skills(), number in any::<prop::sample::Index>()) {
        let mut declared: Vec<Skill> = skills.iter().map(|(path, files)| Skill::new(*path, files.clone())).collect();
        // The order of declaration does not matter.
        declared.rotate_left(number.index(3));
        let server = serve(declared);
        let expected = expected(&skills);
        for mut client in clients(&server) {
            let list = client.result("skills/list", json!({}));
            let entries = list["skills"].as_array().unwrap();
            prop_assert_eq!(entries.len(), expected.len());
            for entry in entries {
                let root = entry["uri"].as_str().unwrap().strip_suffix("/SKILL.md").unwrap();
                let files = &expected[root];
                prop_assert_eq!(uris(&entry["resources"]), files.keys().cloned().collect::<Vec<_>>());
                for file in entry["resources"].as_array().unwrap() {
                    let uri = file["uri"].as_str().unwrap();
                    let read = client.read(uri);
                    prop_assert_eq!(&read, &files[uri]);
                    prop_assert_eq!(file["size"].as_u64(), u64::try_from(read.len()).ok());
                    prop_assert_eq!(digest(&file["digest"]), Sha256::digest(&read).to_vec());
                }
                for (folder, children) in folders(root, files) {
                    let listed = client.result("resources/directory/read", json!({ "uri": folder }));
                    prop_assert_eq!(uris(&listed["resources"]), children.into_iter().collect::<Vec<_>>());
                }
            }
        }
    }
}
