//! The `params` of a message: the members that several methods share read in place, the rest kept as raw JSON for the
//! one method that knows them, and `_meta` with the request metadata of `io.modelcontextprotocol/`.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::id::{IdToken, RequestId};
use super::message::{Message, Seen, read_frame, read_message};
use super::read::{Members, Object, Raw, RawSeed, Scope, Skip, parse};

/// The reserved names in `_meta` (2026-07-28 basic/index, "Per-request protocol fields").
pub(crate) mod key {
    pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
    pub(crate) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
    pub(crate) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
    pub(crate) const PROGRESS_TOKEN: &str = "progressToken";
    pub(crate) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
    pub(crate) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
}

/// A member that ought to be a string.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) enum Slot<'a> {
    #[default]
    Absent,
    /// There, and null: absent where the member may be, and of a wrong type where it may not.
    Null,
    Text(Cow<'a, str>),
    /// There, and of another type.
    Other,
}

impl Slot<'_> {
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Slot::Text(text) => Some(text),
            Slot::Absent | Slot::Null | Slot::Other => None,
        }
    }
}

/// The parameters of a request or notification. Absent ones are an empty object.
#[derive(Debug, Default)]
pub(crate) struct Params<'a> {
    pub(crate) uri: Slot<'a>,
    pub(crate) cursor: Slot<'a>,
    pub(crate) name: Slot<'a>,
    pub(crate) meta: Meta<'a>,
    others: Vec<(Cow<'a, str>, Raw<'a>)>,
    wrong: bool,
    repeated: Option<String>,
}

impl<'a> Params<'a> {
    pub(crate) fn is_object(&self) -> bool {
        !self.wrong
    }

    pub(super) fn repeated(&self) -> Option<&String> {
        self.repeated.as_ref().or(self.meta.repeated.as_ref())
    }

    /// A member that only one method knows and has to be there.
    pub(crate) fn other(&self, name: &str) -> Option<Raw<'a>> {
        self.others.iter().find(|(other, _)| other == name).map(|(_, raw)| *raw)
    }

    /// A member that only one method knows and may be absent, which null stands for too.
    pub(crate) fn optional(&self, name: &str) -> Option<Raw<'a>> {
        self.other(name).filter(|raw| !raw.is_null())
    }

    /// The named member as one that ought to be a string, wherever it is kept.
    pub(crate) fn slot(&self, name: &str) -> Slot<'_> {
        let slot = match name {
            "uri" => &self.uri,
            "name" => &self.name,
            "cursor" => &self.cursor,
            _ => {
                return match self.other(name) {
                    None => Slot::Absent,
                    Some(raw) if raw.is_null() => Slot::Null,
                    Some(raw) => raw.as_string().map_or(Slot::Other, |text| Slot::Text(text.into())),
                };
            }
        };
        match slot {
            Slot::Text(text) => Slot::Text(Cow::Borrowed(text)),
            Slot::Absent => Slot::Absent,
            Slot::Null => Slot::Null,
            Slot::Other => Slot::Other,
        }
    }

    /// The string that the named member is, wherever it is kept.
    pub(crate) fn string(&self, name: &str) -> Option<Cow<'_, str>> {
        match name {
            "uri" => self.uri.text().map(Cow::Borrowed),
            "name" => self.name.text().map(Cow::Borrowed),
            "cursor" => self.cursor.text().map(Cow::Borrowed),
            _ => self.other(name)?.as_string().map(Cow::Owned),
        }
    }
}

/// `params._meta`. What only a reader wants of it is read when the reader asks ([`request_meta`]).
#[derive(Debug, Default)]
pub(crate) struct Meta<'a> {
    pub(crate) version: Slot<'a>,
    pub(crate) capabilities: Kind,
    /// Has one of the protocol's own members.
    pub(crate) marked: bool,
    /// There, and no object.
    pub(crate) wrong: bool,
    progress_token: Option<Raw<'a>>,
    repeated: Option<String>,
}

/// What a member is, where its value does not matter.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum Kind {
    #[default]
    Absent,
    Object,
    Other,
}

/// The `_meta` of a request that was read before.
pub(crate) fn request_meta(request: &[u8]) -> Map<String, Value> {
    let Ok(frame) = read_frame(request) else { return Map::new() };
    let meta = |scope| Object { members: Within("params", Within("_meta", Each)), scope };
    values(parse(frame.text(), meta).unwrap_or_default())
}

/// The members of JSON that was read before; none if it is no object.
pub(crate) fn members(json: &str) -> Map<String, Value> {
    values(parse(json, |scope| Object { members: Each, scope }).unwrap_or_default())
}

/// A member with a number that no double holds is left out: [`Value`] has none.
fn values(members: Vec<(Cow<'_, str>, Raw<'_>)>) -> Map<String, Value> {
    members.into_iter().filter_map(|(name, raw)| Some((name.into_owned(), value(raw)?))).collect()
}

fn value(raw: Raw<'_>) -> Option<Value> {
    let mut deserializer = serde_json::Deserializer::from_str(raw.text());
    // Its nesting was counted when it came in.
    deserializer.disable_recursion_limit();
    Value::deserialize(&mut deserializer).ok()
}

/// What a request that was read before wants its progress notifications to be called: a string or an integer.
pub(crate) fn progress_token(request: &[u8]) -> Option<RequestId> {
    match read_message(read_frame(request).ok()?) {
        Message::Request(request) => request.params.meta.progress_token.and_then(IdToken::new).map(IdToken::to_owned),
        _ => None,
    }
}

impl<'a> Raw<'a> {
    /// A member of the object that this value is.
    pub(crate) fn member(self, name: &str) -> Option<Raw<'a>> {
        let members = parse(self.text(), |scope| Object { members: Each, scope }).ok()?;
        members.into_iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }
}

/// Every member of an object.
struct Each;

impl<'de> Members<'de> for Each {
    type Value = Vec<(Cow<'de, str>, Raw<'de>)>;

    fn not_an_object(self) -> Self::Value {
        Vec::new()
    }

    fn read<A: MapAccess<'de>>(self, mut members: A, inner: Scope) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(Name(name)) = members.next_key()? {
            all.push((name, members.next_value_seed(RawSeed(inner))?));
        }
        Ok(all)
    }
}

/// One member of an object, and what is to be read of it.
struct Within<'n, M>(&'n str, M);

impl<'de, M: Members<'de, Value: Default>> Members<'de> for Within<'_, M> {
    type Value = M::Value;

    fn not_an_object(self) -> Self::Value {
        M::Value::default()
    }

    fn read<A: MapAccess<'de>>(self, mut members: A, inner: Scope) -> Result<Self::Value, A::Error> {
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

impl Params<'_> {
    pub(super) fn seed(scope: Scope) -> Object<ParamsMembers> {
        Object { members: ParamsMembers, scope }
    }
}

/// Reads `params`.
#[derive(Clone, Copy)]
pub(super) struct ParamsMembers;

impl<'de> Members<'de> for ParamsMembers {
    type Value = Params<'de>;

    fn null(self) -> Self::Value {
        Params::default()
    }

    fn not_an_object(self) -> Self::Value {
        Params { wrong: true, ..Params::default() }
    }

    fn read<A: MapAccess<'de>>(self, mut members: A, inner: Scope) -> Result<Self::Value, A::Error> {
        let mut params = Params::default();
        let mut seen = Seen::default();
        while let Some(Name(name)) = members.next_key()? {
            match &*name {
                "uri" => params.uri = members.next_value_seed(SlotSeed(inner))?,
                "cursor" => params.cursor = members.next_value_seed(SlotSeed(inner))?,
                "name" => params.name = members.next_value_seed(SlotSeed(inner))?,
                "_meta" => params.meta = members.next_value_seed(Object { members: MetaMembers, scope: inner })?,
                _ => params.others.push((name.clone(), members.next_value_seed(RawSeed(inner))?)),
            }
            seen.note(name);
        }
        params.repeated = seen.repeated;
        Ok(params)
    }
}

/// Reads `_meta`.
#[derive(Clone, Copy)]
struct MetaMembers;

impl<'de> Members<'de> for MetaMembers {
    type Value = Meta<'de>;

    fn null(self) -> Self::Value {
        Meta::default()
    }

    fn not_an_object(self) -> Self::Value {
        Meta { wrong: true, ..Meta::default() }
    }

    fn read<A: MapAccess<'de>>(self, mut members: A, inner: Scope) -> Result<Self::Value, A::Error> {
        let mut meta = Meta::default();
        let mut seen = Seen::default();
        while let Some(Name(name)) = members.next_key()? {
            match &*name {
                key::PROTOCOL_VERSION => meta.version = members.next_value_seed(SlotSeed(inner))?,
                key::CLIENT_CAPABILITIES => {
                    meta.capabilities = members.next_value_seed(Object { members: KindMembers, scope: inner })?;
                }
                key::PROGRESS_TOKEN => meta.progress_token = Some(members.next_value_seed(RawSeed(inner))?),
                key::CLIENT_INFO | key::LOG_LEVEL => {
                    meta.marked |= !members.next_value_seed(RawSeed(inner))?.is_null();
                }
                _ => members.next_value_seed(Skip(inner))?,
            }
            // These two are required where they mean something: null is no absence then, but a wrong type.
            meta.marked |= matches!(&*name, key::PROTOCOL_VERSION | key::CLIENT_CAPABILITIES);
            seen.note(name);
        }
        meta.repeated = seen.repeated;
        Ok(meta)
    }
}

/// Visits a value and says what it is.
#[derive(Clone, Copy)]
struct KindMembers;

impl<'de> Members<'de> for KindMembers {
    type Value = Kind;

    fn not_an_object(self) -> Kind {
        Kind::Other
    }

    fn read<A: MapAccess<'de>>(self, mut members: A, inner: Scope) -> Result<Kind, A::Error> {
        while members.next_key_seed(Skip(inner))?.is_some() {
            members.next_value_seed(Skip(inner))?;
        }
        Ok(Kind::Object)
    }
}

/// Reads a member that ought to be a string, and looks at it if it is none.
#[derive(Clone, Copy)]
pub(super) struct SlotSeed(pub(super) Scope);

impl<'de> DeserializeSeed<'de> for SlotSeed {
    type Value = Slot<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        if !self.0.is_careful() {
            return deserializer.deserialize_any(self);
        }
        let raw = RawSeed(self.0).deserialize(deserializer)?;
        Ok(match raw.as_string() {
            Some(text) => Slot::Text(Cow::Owned(text)),
            None if raw.is_null() => Slot::Null,
            None => Slot::Other,
        })
    }
}

impl<'de> Visitor<'de> for SlotSeed {
    type Value = Slot<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Slot<'de>, E> {
        Ok(Slot::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Slot<'de>, E> {
        Ok(Slot::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Slot<'de>, E> {
        Ok(Slot::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Slot<'de>, E> {
        Ok(Slot::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Slot<'de>, E> {
        Ok(Slot::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Slot<'de>, E> {
        Ok(Slot::Other)
    }

    fn visit_unit<E>(self) -> Result<Slot<'de>, E> {
        Ok(Slot::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Slot<'de>, A::Error> {
        Skip(self.0).items(items)?;
        Ok(Slot::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Slot<'de>, A::Error> {
        Skip(self.0).members(members)?;
        Ok(Slot::Other)
    }
}

/// A member name, borrowed unless it was written with escapes.
pub(super) struct Name<'a>(pub(super) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Name<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(NameVisitor)
    }
}

struct NameVisitor;

impl<'de> Visitor<'de> for NameVisitor {
    type Value = Name<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Name<'de>, E> {
        Ok(Name(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Name<'de>, E> {
        Ok(Name(Cow::Owned(text.to_owned())))
    }
}
