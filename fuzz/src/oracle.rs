//! Checks of the engine's output, with an independent parser for input and output.

use std::collections::HashSet;

use bytes::Bytes;
use grange_core::{Limits, Wire};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// An id, decoded: `"1"` is not `1`, and `"\u0061"` is `"a"`.
pub(crate) type Id = Value;

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a RawValue>,
}

/// Checks the invariants of every outgoing message and returns its messages: one, or those of a batch.
pub(crate) fn outgoing(wire: Wire) -> Vec<Value> {
    let length = wire.len();
    let parts: Vec<Bytes> = wire.clone().into_parts().collect();
    let bytes = wire.into_bytes();
    assert_eq!(parts.concat(), bytes, "the parts are not the whole");
    assert_eq!(length, bytes.len(), "the length is not that of the bytes");
    assert!(!bytes.contains(&b'\n'), "a raw line feed is sent");
    let is_separated = |separator: &str| bytes.windows(separator.len()).any(|part| part == separator.as_bytes());
    assert!(!["\u{85}", "\u{2028}", "\u{2029}"].into_iter().any(is_separated), "a raw line separator is sent");
    let value: Value = serde_json::from_slice(&bytes)
        .unwrap_or_else(|error| panic!("the output is not JSON ({error}): {}", String::from_utf8_lossy(&bytes)));
    let messages = match value {
        Value::Array(messages) => messages,
        message => vec![message],
    };
    assert!(!messages.is_empty(), "an empty batch is sent");
    messages.iter().for_each(well_formed);
    messages
}

fn well_formed(message: &Value) {
    assert_eq!(message["jsonrpc"], "2.0", "{message}");
    let has = |name: &str| message.get(name).is_some();
    let kinds = [has("method"), has("result"), has("error")];
    assert_eq!(kinds.iter().filter(|kind| **kind).count(), 1, "{message}");
    assert!(
        !has("id") || message["id"].is_string() || message["id"].is_i64() || message["id"].is_number(),
        "{message}"
    );
    assert!(has("id") || !has("result"), "a result without an id: {message}");
    completed(&message["result"]["completion"]);
}

/// A completion has at most a hundred values, each once, and none that no variable can carry.
fn completed(completion: &Value) {
    let Some(values) = completion["values"].as_array() else { return };
    let values: Vec<&str> = values.iter().map(|value| value.as_str().expect("a value is a string")).collect();
    assert!(values.len() <= 100 && completion["hasMore"].is_boolean(), "{completion}");
    assert!(!values.iter().any(|value| value.contains('\0')), "{completion}");
    assert_eq!(values.iter().collect::<HashSet<_>>().len(), values.len(), "{completion}");
    let total = completion["total"].as_u64().unwrap_or(values.len() as u64);
    assert!(completion["hasMore"] == true || total == values.len() as u64, "{completion}");
}

/// The id of one outgoing message, as JSON text.
pub(crate) fn written_id(wire: &Wire) -> Option<String> {
    let bytes = wire.clone().into_bytes();
    let envelope: Envelope<'_> = serde_json::from_slice(&bytes).ok()?;
    envelope.id.map(|raw| raw.get().to_owned())
}

/// The id of one incoming request, as it is echoed, if it is unambiguous: the message is JSON, no member of the
/// envelope is duplicate, and the id has a valid type and length. Line separators are echoed as escapes.
pub(crate) fn sent_id(frame: &[u8]) -> Option<String> {
    // The derived parser would accept an array as an object.
    serde_json::from_slice::<Value>(frame).ok().filter(Value::is_object)?;
    let envelope: Envelope<'_> = serde_json::from_slice(frame).ok()?;
    envelope.method.filter(|method| method.get().starts_with('"'))?;
    let text = envelope.id?.get();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_echoed = text.len() <= Limits::default().id_bytes && (integer && text.len() < 300 || text.starts_with('"'));
    let separators = [("\u{2028}", "\\u2028"), ("\u{2029}", "\\u2029"), ("\u{85}", "\\u0085")];
    let escaped = || separators.into_iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    is_echoed.then(escaped)
}

/// The ids that an answer to this frame may have, once for each occurrence. `None`: the frame is not JSON or is
/// ambiguous, and one answer may have any id.
pub(crate) fn answerable(frame: &[u8]) -> Option<Vec<Id>> {
    let value: Value = serde_json::from_slice(frame).ok()?;
    let messages = match value {
        Value::Array(messages) => messages,
        message => vec![message],
    };
    Some(messages.iter().filter_map(|message| message.get("id").cloned()).collect())
}
