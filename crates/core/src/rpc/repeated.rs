//! Finds a name that one object has twice, at any depth. Only for JSON that was checked before, because this scan reads
//! nothing but strings and brackets.

use std::borrow::Cow;

use super::field::DuplicateNames;
use super::number::end_of_string;

/// The first name that one object in this JSON has twice. Names are compared decoded: `"\u0061"` is `"a"`.
pub(super) fn repeated_name(json: &str) -> Option<String> {
    let bytes = json.as_bytes();
    let mut open: Vec<DuplicateNames<'_>> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'"' => {
                at = end_of_string(bytes, start);
                let names = open.last_mut().filter(|_| is_name(&bytes[at..]));
                if let Some(names) = names {
                    names.note(decoded(&json[start..at]));
                    if names.repeated.is_some() {
                        return names.repeated.take();
                    }
                }
            }
            b'{' | b'[' => open.push(DuplicateNames::default()),
            b'}' | b']' => drop(open.pop()),
            _ => {}
        }
    }
    None
}

/// Whether the string before this is the name of a member, which only a colon can follow.
fn is_name(rest: &[u8]) -> bool {
    rest.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n')) == Some(&b':')
}

fn decoded(string: &str) -> Cow<'_, str> {
    let inside = &string[1..string.len() - 1];
    // The string was checked when it was read, so it decodes.
    if inside.contains('\\') { serde_json::from_str(string).unwrap_or_default() } else { inside.into() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[test]
    fn w2_5_a_repeated_name_is_found_at_any_depth_and_in_any_spelling() {
        for (json, repeated) in [
            (r#"{"a":1,"a":2}"#, Some("a")),
            (r#"{"a":1,"\u0061":2}"#, Some("a")),
            (r#"{ "a" : 1 , "b" : { "c" : [ { "d" : 1 , "d" : 2 } ] } }"#, Some("d")),
            (r#"{"a":{"b":1},"c":{"b":1,"e":"b"},"b":["b","b"]}"#, None),
            (r#"{"a":"a","b":"a","c":"\"a\":1,\"a\":1"}"#, None),
            (r#"{"":1,"":2}"#, Some("")),
            (r#"{"\\":1,"\"":2,"\\\"":3}"#, None),
            (r#"{"é":1,"\u00e9":2}"#, Some("é")),
            (r#""a""#, None),
            ("[]", None),
        ] {
            assert_eq!(repeated_name(json).as_deref(), repeated, "{json}");
        }
    }

    /// JSON whose objects have few names, so that some are repeated, in two spellings.
    fn any_object() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![Just("0"), Just("\"a\""), Just("\"\\\"a\\\":\""), Just("null")].prop_map(str::to_owned);
        leaf.prop_recursive(4, 32, 4, |inner| {
            let name = prop::sample::select(vec!["a", "b", "\\u0061", "c", "\\\\", "\\\""]);
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(" ,"))),
                prop::collection::vec((name, inner), 0..4).prop_map(|members| {
                    let members = members.iter().map(|(name, value)| format!("\"{name}\" :{value}"));
                    format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
                }),
            ]
        })
    }

    fn count(value: &Value) -> usize {
        match value {
            Value::Array(items) => items.iter().map(count).sum(),
            Value::Object(members) => members.values().map(|value| 1 + count(value)).sum(),
            _ => 0,
        }
    }

    proptest! {
        #[test]
        fn a_name_is_repeated_exactly_if_a_map_has_fewer(json in any_object()) {
            let names = json.matches("\" :").count();
            let kept = count(&serde_json::from_str(&json).expect("JSON"));
            prop_assert!(repeated_name(&json).is_none() || kept < names, "{}", json);
            prop_assert!(repeated_name(&json).is_some() || kept == names, "{}", json);
        }
    }
}
