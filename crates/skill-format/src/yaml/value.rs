//! The values of frontmatter, and their JSON.
//!
//! The JSON is compact and in the order of the file. A number is stored as JSON text, so that no digit is lost.

/// A value with aliases expanded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// JSON text without a fraction or exponent.
    Integer(String),
    /// JSON text.
    Float(String),
    Text(String),
    List(Vec<Value>),
    Map(Vec<Entry>),
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) value: Value,
    /// The line of the key, counted from 1 in the file.
    pub(crate) line: usize,
}

impl Value {
    /// The kind of value, for an error text.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Integer(_) => "an integer",
            Self::Float(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Map(_) => "a mapping",
        }
    }

    /// The value as the key of a mapping, as JavaScript converts it. `None` if hosts disagree.
    pub(super) fn as_key(&self) -> Option<&str> {
        match self {
            Self::Bool(true) => Some("true"),
            Self::Bool(false) => Some("false"),
            Self::Integer(text) => Some(text).filter(|text| !super::number::is_rounded(text)).map(String::as_str),
            Self::Float(text) | Self::Text(text) => Some(text),
            Self::Null | Self::List(_) | Self::Map(_) => None,
        }
    }

    /// The levels of lists and mappings, its own included.
    pub(super) fn depth(&self) -> usize {
        let deepest = |values: &mut dyn Iterator<Item = &Self>| values.map(Self::depth).max().unwrap_or_default();
        match self {
            Self::List(values) => 1 + deepest(&mut values.iter()),
            Self::Map(entries) => 1 + deepest(&mut entries.iter().map(|entry| &entry.value)),
            _ => 0,
        }
    }

    /// The approximate size of its JSON in bytes; escapes are not counted.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Null | Self::Bool(_) => 5,
            Self::Integer(text) | Self::Float(text) => text.len(),
            Self::Text(text) => text.len() + 2,
            Self::List(values) => 2 + values.iter().map(|value| value.size() + 1).sum::<usize>(),
            Self::Map(entries) => {
                2 + entries.iter().map(|entry| entry.key.len() + entry.value.size() + 4).sum::<usize>()
            }
        }
    }

    /// Appends the JSON text. The depth limit of the parser bounds the recursion.
    pub(crate) fn write(&self, json: &mut String) {
        match self {
            Self::Null => json.push_str("null"),
            Self::Bool(value) => json.push_str(if *value { "true" } else { "false" }),
            Self::Integer(text) | Self::Float(text) => json.push_str(text),
            Self::Text(text) => write_string(json, text),
            Self::List(values) => write_all(json, ['[', ']'], values, |json, value| value.write(json)),
            Self::Map(entries) => write_all(json, ['{', '}'], entries, |json, entry| {
                write_string(json, &entry.key);
                json.push(':');
                entry.value.write(json);
            }),
        }
    }
}

fn write_all<T>(json: &mut String, brackets: [char; 2], items: &[T], write: impl Fn(&mut String, &T)) {
    json.push(brackets[0]);
    for (nesting, item) in items.iter().enumerate() {
        if nesting > 0 {
            json.push(',');
        }
        write(json, item);
    }
    json.push(brackets[1]);
}

/// RFC 8259 section 7: escapes only the characters that must be.
fn write_string(json: &mut String, text: &str) {
    json.push('"');
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            '\0'..='\x1f' => {
                let escape = format!("\\u{:04x}", u32::from(character));
                json.push_str(&escape);
            }
            _ => json.push(character),
        }
    }
    json.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_as_json_requires() {
        let mut json = String::new();
        Value::Text("a\"\\/\n\r\t\u{0}\u{1f}\u{7f}é😀".to_owned()).write(&mut json);
        assert_eq!(json, "\"a\\\"\\\\/\\n\\r\\t\\u0000\\u001f\u{7f}é😀\"");
        assert_eq!(serde_json::from_str::<String>(&json).ok().as_deref(), Some("a\"\\/\n\r\t\u{0}\u{1f}\u{7f}é😀"));
    }

    #[test]
    fn collections_are_compact_and_in_order() {
        let entry = |key: &str, value| Entry { key: key.to_owned(), value, line: 1 };
        let list = Value::List(vec![Value::Null, Value::Integer("1".to_owned()), Value::List(Vec::new())]);
        let map = Value::Map(vec![entry("b", list), entry("a", Value::Bool(true)), entry("", Value::Map(Vec::new()))]);
        let mut json = String::new();
        map.write(&mut json);
        assert_eq!(json, r#"{"b":[null,1,[]],"a":true,"":{}}"#);
        assert_eq!(map.depth(), 3);
        assert!(map.size() >= json.len(), "{} for {}", map.size(), json.len());
    }
}
