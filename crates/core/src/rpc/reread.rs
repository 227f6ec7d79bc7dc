//! Reads more of a message that was read before: its metadata and single members. Used only when author code calls for
//! them.

use std::borrow::Cow;

use bytes::Bytes;
use serde::Deserialize;
use serde::de::MapAccess;
use serde_json::{Map, Value};

use super::field::Name;
use super::id::{IdToken, RequestId};
use super::message::{Message, read_frame, read_message};
use super::read::{Members, Object, Raw, Scope, Skip, parse};

/// The `_meta` of a request that was read before.
pub(crate) fn request_meta(request: &[u8]) -> Map<String, Value> {
    let Ok(frame) = read_frame(request) else { return Map::new() };
    values(parse(frame.text(), Within("params", Within("_meta", Each))).unwrap_or_default())
}

/// One member of the `_meta` of a request that was read before.
pub(crate) fn meta_member<'a>(request: &'a [u8], name: &str) -> Option<Raw<'a>> {
    parse(read_frame(request).ok()?.text(), Within("params", Within("_meta", Only(name)))).ok()?
}

/// The `params` of a request that was read before, without `_meta`: names, and values as JSON.
pub(crate) fn request_params(request: &Bytes) -> Vec<(String, Bytes)> {
    let Ok(frame) = read_frame(request) else { return Vec::new() };
    let params = parse(frame.text(), Within("params", Each)).unwrap_or_default().into_iter();
    let params = params.filter(|(name, _)| name != "_meta");
    params.map(|(name, raw)| (name.into_owned(), request.slice_ref(raw.text().as_bytes()))).collect()
}

/// The members of a value that was read before; empty if it is not an object.
pub(crate) fn members(raw: Raw<'_>) -> Map<String, Value> {
    values(parse(raw.text(), Each).unwrap_or_default())
}

/// Leaves out a member with a number that no double can hold, because [`Value`] cannot hold it either.
fn values(members: Vec<(Cow<'_, str>, Raw<'_>)>) -> Map<String, Value> {
    members.into_iter().filter_map(|(name, raw)| Some((name.into_owned(), value(raw)?))).collect()
}

fn value(raw: Raw<'_>) -> Option<Value> {
    to_value(raw).ok()
}

/// A value that was read before.
///
/// # Errors
/// If it has a number that no double can hold.
pub(crate) fn to_value(raw: Raw<'_>) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(raw.text());
    // The nesting was checked when the message was read.
    deserializer.disable_recursion_limit();
    Value::deserialize(&mut deserializer)
}

/// Longest progress token, in bytes of its JSON, since every notification repeats it. A longer one counts as absent.
const LONGEST_TOKEN: usize = 4 * 1024;

/// The progress token of a request that was read before: a string or an integer.
pub(crate) fn progress_token(request: &[u8]) -> Option<RequestId> {
    match read_message(read_frame(request).ok()?, usize::MAX) {
        Message::Request(request) => {
            let token = request.params.meta.progress_token.and_then(IdToken::new);
            token.filter(|token| token.len() <= LONGEST_TOKEN).map(IdToken::to_owned)
        }
        _ => None,
    }
}

impl<'a> Raw<'a> {
    /// The member with that name, the last if it is repeated; `None` if the value is not an object.
    pub(crate) fn member(self, name: &str) -> Option<Raw<'a>> {
        parse(self.text(), Only(name)).ok()?
    }
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

/// One member of an object, as JSON. Nothing else is kept.
#[derive(Clone, Copy)]
struct Only<'n>(&'n str);

impl<'de> Members<'de> for Only<'_> {
    type Value = Option<Raw<'de>>;

    fn not_an_object(self) -> Self::Value {
        None
    }

    fn read<A: MapAccess<'de>, const C: bool>(self, mut members: A, inner: Scope<C>) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some(Name(name)) = members.next_key()? {
            let value = members.next_value_seed(inner.raw())?;
            found = if name == self.0 { Some(value) } else { found };
        }
        Ok(found)
    }
}

/// One member of an object, and how to read its value.
#[derive(Clone, Copy)]
struct Within<'n, M>(&'n str, M);

impl<'de, M: Members<'de, Value: Default>> Members<'de> for Within<'_, M> {
    type Value = M::Value;

    fn not_an_object(self) -> Self::Value {
        M::Value::default()
    }

    fn read<A: MapAccess<'de>, const C: bool>(self, mut members: A, inner: Scope<C>) -> Result<Self::Value, A::Error> {
        let (wanted, mut within) = (self.0, Some(self.1));
        let mut found = M::Value::default();
        while let Some(Name(name)) = members.next_key()? {
            match within.take_if(|_| name == wanted) {
                Some(within) => found = members.next_value_seed(Object { members: within, scope: inner })?,
                None => members.next_value_seed(Skip(inner))?,
            }
        }
        Ok(found)
    }
}
