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

/// About how much memory the values of JSON take, in bytes: arrays, objects, and whatever is in them. 0 for so little that it need not be
/// counted. An empty array or object counts as two values.
///
/// # Errors
/// The problem, with the remedy, if there are more values than `most`.
pub(crate) fn memory(json: &str, most: usize) -> Result<usize, String> {
    /// JSON up to this length takes less than [`LITTLE`], and has less values than any useful limit.
    const SHORT: usize = 256;
    /// For all requests in flight together this is less than their stacks.
    const LITTLE: usize = 64 * 1024;
    let bytes = json.as_bytes();
    if bytes.len() <= most.min(SHORT) {
        return Ok(0);
    }
    let counts = count(bytes, most).ok_or_else(|| too_many(most))?;
    Ok(Some(counts.memory() + bytes.len()).filter(|bytes| *bytes > LITTLE).unwrap_or(0))
}

fn too_many(most: usize) -> String {
    format!("more than {most} JSON values: send fewer, or raise `Limits::json_values`")
}

/// How many values there are.
struct Counts {
    objects: usize,
    others: usize,
}

impl Counts {
    fn memory(&self) -> usize {
        /// A map of one member, whose node has room for eleven, and a short name.
        const OBJECT: usize = 704;
        /// A place in a list or a map that may be half empty, with a short text.
        const OTHER: usize = 192;
        self.objects.saturating_mul(OBJECT).saturating_add(self.others.saturating_mul(OTHER))
    }
}

/// `None` for more than `most`.
fn count(json: &[u8], most: usize) -> Option<Counts> {
    let (mut objects, mut others, mut at) = (0, 1, 0);
    while let Some(&byte) = json.get(at) {
        at = if byte == b'"' { end_of_string(json, at) } else { at + 1 };
        objects += usize::from(byte == b'{');
        others += usize::from(matches!(byte, b',' | b'['));
        if objects + others > most {
            return None;
        }
    }
    Some(Counts { objects, others })
}

/// The value that this JSON is. Check its [`memory`] first.
///
/// # Errors
/// If it has a number that no double can hold.
pub(crate) fn to_value(raw: Raw<'_>) -> Result<Value, String> {
    value(raw).map_err(|error| error.to_string())
}

/// The members of an object. Left out are those with a number that no double can hold, because [`Value`] cannot hold it
/// either. Empty for a value of another type. Check its [`memory`] first.
pub(crate) fn members(raw: Raw<'_>) -> Map<String, Value> {
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

    #[test]
    fn w2_14_the_memory_is_that_of_values_in_the_worst_shapes() {
        let many = |item: &str, count| format!("[{}]", vec![item; count].join(","));
        let bytes = |json: &str| memory(json, usize::MAX).expect("no limit");
        assert_eq!((bytes(&many("0", 100)), bytes(&many(r#"{"":0}"#, 40))), (0, 0), "little is not counted");
        // 12 members of an object need a second node; a number in a list needs its place alone.
        let objects = bytes(&many(r#"{"a":0}"#, 10_000));
        let numbers = bytes(&many("0", 10_000));
        assert!((8_960_000..9_100_000).contains(&objects), "{objects}");
        assert!((1_920_000..2_000_000).contains(&numbers), "{numbers}");
    }

    proptest! {
        #[test]
        fn w2_14_values_are_counted_as_they_are_made(value in any_json()) {
            let (json, counted) = (value.to_string(), count(&value));
            prop_assert!(memory(&json, counted).is_ok(), "{}", json);
            // JSON with fewer bytes than the limit is not counted if it is short.
            prop_assert!(memory(&json, counted - 1).is_err() || json.len() < counted, "{}", json);
            let raw = Raw::checked_before(json.as_bytes());
            prop_assert_eq!(to_value(raw), Ok(value));
        }

        #[test]
        fn w2_14_no_text_breaks_the_count(text in ".{0,40}", most in 0_usize..8) {
            let _ = memory(&text, most);
        }
    }
}
