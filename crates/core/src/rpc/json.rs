//! Writes JSON objects into a byte buffer. Reading is in `read.rs`, strings are in `escape.rs`.

use super::escape::{escape_separators, is_plain, write_json, write_string};
use super::id::IdToken;

/// Writes one JSON object, member by member, into a buffer.
pub(crate) struct Json<'a> {
    out: &'a mut Vec<u8>,
    first: bool,
}

impl<'a> Json<'a> {
    /// Opens an object.
    pub(crate) fn object(out: &'a mut Vec<u8>) -> Self {
        out.push(b'{');
        Self { out, first: true }
    }

    /// Closes the object.
    pub(crate) fn end(self) {
        self.out.push(b'}');
    }

    /// Starts a member whose name needs no escape. The caller writes its value into the returned buffer.
    pub(crate) fn member(&mut self, name: &'static str) -> &mut Vec<u8> {
        debug_assert!(is_plain(name), "{name:?} is not its own spelling");
        self.separate();
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.out
    }

    fn separate(&mut self) {
        if !self.first {
            self.out.push(b',');
        }
        self.first = false;
    }

    pub(crate) fn string(&mut self, name: &'static str, value: &str) {
        write_string(self.member(name), value);
    }

    pub(crate) fn optional(&mut self, name: &'static str, value: Option<&str>) {
        if let Some(value) = value {
            self.string(name, value);
        }
    }

    pub(crate) fn number(&mut self, name: &'static str, value: u64) {
        write_number(self.member(name), value);
    }

    /// A member whose value is an id, as received.
    pub(crate) fn id(&mut self, name: &'static str, id: IdToken<'_>) {
        id.write(self.member(name));
    }

    /// A member whose value is JSON from outside, which may have characters that are sent as escapes.
    pub(crate) fn foreign(&mut self, name: &'static str, value: &[u8]) {
        escape_separators(self.member(name), value);
    }

    /// A member whose value is JSON that may be sent as it is.
    pub(crate) fn raw(&mut self, name: &'static str, value: &[u8]) {
        self.member(name).extend_from_slice(value);
    }

    /// A member whose name comes from the author, and may need escapes.
    pub(crate) fn value(&mut self, name: &str, value: &serde_json::Value) {
        self.separate();
        write_string(self.out, name);
        self.out.push(b':');
        write_value(self.out, value);
    }
}

/// Appends an unsigned integer.
pub(crate) fn write_number(out: &mut Vec<u8>, value: u64) {
    serde_json::to_writer(out, &value).expect("an integer is representable and a vector takes every write");
}

/// Appends a value.
pub(crate) fn write_value(out: &mut Vec<u8>, value: &serde_json::Value) {
    write_json(out, value).expect("a JSON value is representable and a vector takes every write");
}

/// Appends a comma-separated array.
pub(crate) fn write_array<T>(
    out: &mut Vec<u8>,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut Vec<u8>, T),
) {
    out.push(b'[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(out, item);
    }
    out.push(b']');
}
