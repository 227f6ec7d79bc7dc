//! Properties of all files: no panic, each error text is one line with a remedy, and accepted frontmatter is JSON with
//! the same content in the same order.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use crate::{Frontmatter, check_file_path, check_file_set, check_skill_name, check_skill_path, mime_type};

/// JSON that keeps the order of its keys.
#[derive(Clone, Debug, PartialEq)]
enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Json, E> {
        value.to_string().parse().map(Json::Number).map_err(E::custom)
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Json, E> {
        value.to_string().parse().map(Json::Number).map_err(E::custom)
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = access.next_element()? {
            values.push(value);
        }
        Ok(Json::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Json::Map(entries))
    }
}

impl Json {
    /// As a flow collection or scalar on one line with strings in double quotes: the common syntax of JSON and YAML.
    fn flow(&self) -> String {
        let quoted = |text: &str| serde_json::to_string(text).unwrap();
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Number(value) => value.to_string(),
            Self::Text(text) => quoted(text),
            Self::List(values) => format!("[{}]", values.iter().map(Self::flow).collect::<Vec<_>>().join(", ")),
            Self::Map(entries) => {
                let entry = |(key, value): &(String, Self)| format!("{}: {}", quoted(key), value.flow());
                format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// The same in block style, at this column.
    fn block(&self, column: usize) -> String {
        let indent = " ".repeat(column);
        match self {
            Self::List(values) if !values.is_empty() => {
                let item = |value: &Self| format!("\n{indent}- {}", value.block(column + 2).trim_start());
                values.iter().map(item).collect()
            }
            Self::Map(entries) if !entries.is_empty() => {
                let entry = |(key, value): &(String, Self)| {
                    format!("\n{indent}{}: {}", serde_json::to_string(key).unwrap(), value.block(column + 2))
                };
                entries.iter().map(entry).collect()
            }
            other => other.flow(),
        }
    }
}

fn json() -> impl Strategy<Value = Json> {
    const TEXT: &str = "[a-z0-9:#_'\"\\\\\n\t é😀{}\\[\\],&*!|>%@-]{0,8}";
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<i32>().prop_map(|number| Json::Number(f64::from(number))),
        // serde_json parses other fractions with an error in the last digit.
        any::<i32>().prop_map(|number| Json::Number(f64::from(number) / 64.0)),
        TEXT.prop_map(Json::Text),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let entries = vec((TEXT, inner.clone()), 0..4).prop_map(|mut entries: Vec<(String, Json)>| {
            let mut seen = std::collections::HashSet::new();
            entries.retain(|(key, _)| seen.insert(key.clone()));
            Json::Map(entries)
        });
        prop_oneof![vec(inner, 0..4).prop_map(Json::List), entries]
    })
}

/// A file made of pieces of YAML syntax.
fn yaml_like() -> impl Strategy<Value = Vec<u8>> {
    const PIECES: [&str; 44] = [
        "a",
        "b: ",
        "- ",
        "? ",
        ": ",
        "\n",
        "\n  ",
        "\n    - ",
        "\"",
        "'",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "|\n  ",
        ">+\n",
        "&a ",
        "*a",
        "!!str ",
        "!!int ",
        "!x ",
        "#",
        " # c",
        "\t",
        "---",
        "...",
        "é",
        "\u{85}",
        "\u{feff}",
        "\\",
        "\\ud800",
        "%",
        "~",
        "017",
        "1:30",
        "<<: ",
        "0x",
        "1e400",
        "2026-01-01 ",
        "\r\n",
        "\r",
        "name: y\n",
        "metadata:\n  ",
    ];
    let head =
        prop_oneof![Just("---\n"), Just("---\nname: x\ndescription: D.\n"), Just("\u{feff}---\r\nname: x\n"), Just("")];
    let tail = prop_oneof![Just("\n---\n"), Just("\r\n--- \t"), Just("")];
    let body = vec(prop::sample::select(&PIECES[..]), 0..24);
    (head, body, tail).prop_map(|(head, body, tail)| format!("{head}{}{tail}", body.concat()).into_bytes())
}

fn check_outcome(file: &[u8]) -> Result<(), TestCaseError> {
    let messages = match Frontmatter::parse(file) {
        Err(error) => vec![error.to_string()],
        Ok(frontmatter) => {
            let parsed = serde_json::from_str::<Json>(frontmatter.json());
            let Ok(Json::Map(entries)) = parsed else { panic!("no JSON: {}", frontmatter.json()) };
            prop_assert!(entries.contains(&("name".to_owned(), Json::Text(frontmatter.name().to_owned()))));
            frontmatter.lints().iter().map(ToString::to_string).collect()
        }
    };
    for message in messages {
        prop_assert!(message.contains(": "), "no remedy: {message}");
        prop_assert!(!message.contains(char::is_control), "raw control character: {message:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_panic(bytes in vec(any::<u8>(), 0..200)) {
        check_outcome(&bytes)?;
        check_outcome(&[b"---\n", &bytes[..], b"\n---\n"].concat())?;
        check_outcome(&[b"---\nname: x\ndescription: D.\n", &bytes[..], b"\n---\n"].concat())?;
    }

    #[test]
    fn no_yaml_panics(file in yaml_like()) {
        check_outcome(&file)?;
    }

    #[test]
    fn crlf_changes_no_value(file in yaml_like()) {
        let unix = String::from_utf8(file).unwrap().replace('\r', "");
        let windows = unix.replace('\n', "\r\n");
        let parsed = [unix, windows].map(|file| Frontmatter::parse(file.as_bytes()));
        let found = parsed.map(|parsed| parsed.map(|frontmatter| frontmatter.json().to_owned()));
        prop_assert_eq!(&found[0], &found[1]);
    }

    #[test]
    fn values_and_their_order_are_those_of_the_file(value in json()) {
        let expected = Json::Map(vec![
            ("name".to_owned(), Json::Text("x".to_owned())),
            ("description".to_owned(), Json::Text("D.".to_owned())),
            ("v".to_owned(), value.clone()),
        ]);
        for written in [value.flow(), value.block(2)] {
            for ending in ["\n", "\r\n"] {
                let file = format!("---\nname: x\ndescription: D.\nv: {written}\n---\n").replace('\n', ending);
                let frontmatter = Frontmatter::parse(file.as_bytes());
                prop_assert!(frontmatter.is_ok(), "{file:?}: {frontmatter:?}");
                let parsed: Json = serde_json::from_str(frontmatter.unwrap().json()).unwrap();
                prop_assert_eq!(&parsed, &expected, "{:?}", file);
            }
        }
    }

    #[test]
    fn plain_integers_keep_their_digits(digits in "[1-9][0-9]{0,300}", sign in "-?") {
        let file = format!("---\nname: x\ndescription: D.\nv: {sign}{digits}\n---\n");
        let frontmatter = Frontmatter::parse(file.as_bytes()).unwrap();
        let end = format!("\"v\":{sign}{digits}}}");
        prop_assert!(frontmatter.json().ends_with(&end), "{}", frontmatter.json());
    }

    #[test]
    fn no_path_panics_and_a_valid_path_is_unchanged_in_a_uri(path in "[a-zA-Z0-9/.%?#@: |é\\\\-]{0,16}|[a-z0-9/._~!$&'()*+,;=:@-]{1,16}", bytes in vec(any::<u8>(), 0..8)) {
        for message in [check_file_path(&path), check_skill_path(&path)].into_iter().filter_map(Result::err) {
            let message = message.to_string();
            prop_assert!(message.contains(": ") && !message.contains(char::is_control), "{message:?}");
        }
        for (outcome, uri) in [
            (check_skill_path(&path), format!("skill://{path}/SKILL.md")),
            (check_file_path(&path), format!("skill://x/{path}")),
        ] {
            if outcome.is_ok() {
                prop_assert_eq!(grange_uri::check_resource(&uri), Ok(()), "{}", uri);
            }
        }
        let _ = (check_skill_name(&path), check_file_set([path.as_str(), "a"]));
        prop_assert!(grange_uri::check_mime(mime_type(&path, &bytes)).is_ok());
    }
}
