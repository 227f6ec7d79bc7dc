//! Reads single members of a message that was read before, and keeps nothing of the others. Used only when author code
//! calls for them. They stay JSON; `values.rs` makes values of them.

use serde::de::MapAccess;

use super::field::Name;
use super::id::{IdToken, RequestId};
use super::message::{Message, read_frame, read_message};
use super::read::{Members, Object, Raw, Scope, Skip, parse};

/// The `_meta` of a request that was read before; `None` if it is not an object.
pub(crate) fn request_meta(request: &[u8]) -> Option<Raw<'_>> {
    member_of_params(request, "_meta").filter(|meta| meta.is_object())
}

/// One member of the `_meta` of a request that was read before.
pub(crate) fn meta_member<'a>(request: &'a [u8], name: &str) -> Option<Raw<'a>> {
    parse(read_frame(request).ok()?.text(), Within("params", Within("_meta", Only(name)))).ok()?
}

/// One member of the `params` of a request that was read before.
pub(crate) fn member_of_params<'a>(request: &'a [u8], name: &str) -> Option<Raw<'a>> {
    parse(read_frame(request).ok()?.text(), Within("params", Only(name))).ok()?
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
