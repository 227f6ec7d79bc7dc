//! Raw JSON to [`Value`]s, of which a message may have a limited number: they take far more memory than their JSON. An
//! object with one short member takes about a hundred times its bytes.
//!
//! Only for JSON that was checked when its message was read.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::MapAccess;
use serde_json::{Map, Value};

use super::field::Name;
use super::number::end_of_string;
use super::read::{Members, Raw, Scope, parse};

/// Checks the number of values in JSON: arrays, objects, and whatever is in them. An empty one counts twice.
///
/// # Errors
/// The problem, with the remedy.
pub(crate) fn check_count(json: &str, most: usize) -> Result<(), String> {
    if has_more(json.as_bytes(), most) {
        return Err(format!("more than {most} JSON values: send fewer, or raise `Limits::json_values`"));
    }
    Ok(())
}

fn has_more(json: &[u8], most: usize) -> bool {
    // Each value takes a byte at least.
    if json.len() <= most {
        return false;
    }
    let (mut count, mut at) = (1, 0);
    while let Some(&byte) = json.get(at) {
        at = if byte == b'"' { end_of_string(json, at) } else { at + 1 };
        count += usize::from(matches!(byte, b',' | b'[' | b'{'));
        if count > most {
            return true;
        }
    }
    false
}

/// The value that this JSON is.
///
/// # Errors
/// If it has more values than `most`, or a number that no double can hold.
pub(crate) fn to_value(raw: Raw<'_>, most: usize) -> Result<Value, String> {
    check_count(raw.text(), most)?;
    value(raw).map_err(|error| error.to_string())
}

/// The members of an object. Left out are those with a number that no double can hold, because [`Value`] cannot hold it
/// either. Empty for a value of another type, and if there are more values than `most`.
pub(crate) fn members(raw: Raw<'_>, most: usize) -> Map<String, Value> {
    if check_count(raw.text(), most).is_err() {
        return Map::new();
    }
    let members = parse(raw.text(), Each).unwrap_or_default().into_iter();
    members.filter_map(|(name, raw)| Some((name.into_owned(), value(raw).ok()?))).collect()
}

fn value(raw: Raw<'_>) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(raw.text());
    deserializer.disable_recursion_limit();
    Value::deserialize(&mut deserializer)
}

/// Every member of an object.
#[derive(Clone, Copy)]
struct Each;

impl<'de> Members<'de> for Each {
    type Value = Vec<(Cow<'de, str>, Raw<'de>)>;

    fn not_an_object(self) -> Self::Value {
        Vec::new()
    }

    fn read<A: MapAccess<'de>, const C: bool>(self, mut members: A, inner: Scope<C>) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(Name(name)) = members.next_key()? {
            all.push((name, members.next_value_seed(inner.raw())?));
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// The values in a value, where an empty array or object counts twice.
    fn count(value: &Value) -> usize {
        match value {
            Value::Array(items) => 1 + items.iter().map(count).sum::<usize>().max(1),
            Value::Object(members) => 1 + members.values().map(count).sum::<usize>().max(1),
            _ => 1,
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf =
            prop_oneof![Just(json!(0)), Just(json!("a,[{\"")), Just(json!(null)), ".{0,3}".prop_map(Value::from)];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map(".{0,2}", inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn w2_14_values_are_counted_as_they_are_made(value in any_json()) {
            let (json, counted) = (value.to_string(), count(&value));
            prop_assert!(check_count(&json, counted).is_ok(), "{}", json);
            // JSON with fewer bytes than the limit is not counted.
            prop_assert!(check_count(&json, counted - 1).is_err() || json.len() < counted, "{}", json);
            let raw = Raw::checked_before(json.as_bytes());
            prop_assert_eq!(to_value(raw, counted), Ok(value));
        }

        #[test]
        fn w2_14_no_text_breaks_the_count(text in ".{0,40}", most in 0_usize..8) {
            let _ = check_count(&text, most);
        }
    }
}
