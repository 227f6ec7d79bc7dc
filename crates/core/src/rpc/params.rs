//! The `params` of a message: the members that several methods share read in place, the rest kept as raw JSON for the
//! one method that knows them, and `_meta` with the request metadata of `io.modelcontextprotocol/`.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::id::{IdToken, RequestId};
use super::json::{Members, Object, Raw, RawSeed, Skip};
use super::message::{Message, Name, Seen, read_frame, read_message};

/// The reserved names in `_meta` (2026-07-28 basic/index, "Per-request protocol fields").
pub(crate) mod key {
    pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
    pub(crate) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
    pub(crate) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
    pub(crate) const PROGRESS_TOKEN: &str = "progressToken";
    pub(crate) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
    pub(crate) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

    /// Whether a request with this member is one of a revision that marks its requests.
    pub(crate) fn is_mark(name: &str) -> bool {
        [PROTOCOL_VERSION, CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL].contains(&name)
    }
}

/// A member that ought to be a string.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) enum Slot<'a> {
    #[default]
    Absent,
    Text(Cow<'a, str>),
    /// There, and of another type.
    Other,
}

impl Slot<'_> {
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Slot::Text(text) => Some(text),
            Slot::Absent | Slot::Other => None,
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

    /// A member that only one method knows.
    pub(crate) fn other(&self, name: &str) -> Option<Raw<'a>> {
        self.others.iter().find(|(other, _)| other == name).map(|(_, raw)| *raw)
    }

    /// The named member as one that ought to be a string, wherever it is kept.
    pub(crate) fn slot(&self, name: &str) -> Slot<'_> {
        let slot = match name {
            "uri" => &self.uri,
            "name" => &self.name,
            "cursor" => &self.cursor,
            _ => {
                return self
                    .other(name)
                    .map_or(Slot::Absent, |raw| raw.as_string().map_or(Slot::Other, |text| Slot::Text(text.into())));
            }
        };
        match slot {
            Slot::Text(text) => Slot::Text(Cow::Borrowed(text)),
            Slot::Absent => Slot::Absent,
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

/// The `_meta` of a request that was read before, whole.
pub(crate) fn request_meta(request: &[u8]) -> Map<String, Value> {
    let Ok(frame) = read_frame(request) else { return Map::new() };
    // Its depth was counted when it came in.
    let mut deserializer = serde_json::Deserializer::from_str(frame.text());
    deserializer.disable_recursion_limit();
    let message = Value::deserialize(&mut deserializer).unwrap_or_default();
    match message.pointer("/params/_meta") {
        Some(Value::Object(meta)) => meta.clone(),
        _ => Map::new(),
    }
}

/// What a request that was read before wants its progress notifications to be called: a string or an integer.
pub(crate) fn progress_token(request: &[u8]) -> Option<RequestId> {
    match read_message(read_frame(request).ok()?) {
        Message::Request(request) => request.params.meta.progress_token.and_then(IdToken::new).map(IdToken::to_owned),
        _ => None,
    }
}

impl Params<'_> {
    pub(super) fn seed(depth: u8) -> Object<ParamsMembers> {
        Object { members: ParamsMembers, depth }
    }
}

/// Reads `params`.
#[derive(Clone, Copy)]
pub(super) struct ParamsMembers;

impl<'de> Members<'de> for ParamsMembers {
    type Value = Params<'de>;

    fn not_an_object(self) -> Self::Value {
        Params { wrong: true, ..Params::default() }
    }

    fn read<A: MapAccess<'de>>(self, mut members: A, depth: u8) -> Result<Self::Value, A::Error> {
        let mut params = Params::default();
        let mut seen = Seen::default();
        while let Some(Name(name)) = members.next_key()? {
            match &*name {
                "uri" => params.uri = members.next_value_seed(SlotSeed { depth })?,
                "cursor" => params.cursor = members.next_value_seed(SlotSeed { depth })?,
                "name" => params.name = members.next_value_seed(SlotSeed { depth })?,
                "_meta" => params.meta = members.next_value_seed(Object { members: MetaMembers, depth })?,
                _ => params.others.push((name.clone(), members.next_value_seed(RawSeed::within(depth))?)),
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

    fn not_an_object(self) -> Self::Value {
        Meta { wrong: true, ..Meta::default() }
    }

    fn read<A: MapAccess<'de>>(self, mut members: A, depth: u8) -> Result<Self::Value, A::Error> {
        let mut meta = Meta::default();
        let mut seen = Seen::default();
        while let Some(Name(name)) = members.next_key()? {
            match &*name {
                key::PROTOCOL_VERSION => meta.version = members.next_value_seed(SlotSeed { depth })?,
                key::CLIENT_CAPABILITIES => {
                    meta.capabilities = members.next_value_seed(Object { members: KindMembers, depth })?;
                }
                key::PROGRESS_TOKEN => meta.progress_token = Some(members.next_value_seed(RawSeed::within(depth))?),
                _ => members.next_value_seed(Skip::within(depth))?,
            }
            meta.marked |= key::is_mark(&name);
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

    fn read<A: MapAccess<'de>>(self, mut members: A, depth: u8) -> Result<Kind, A::Error> {
        while members.next_key_seed(Skip::within(depth))?.is_some() {
            members.next_value_seed(Skip::within(depth))?;
        }
        Ok(Kind::Object)
    }
}

/// Reads a member that ought to be a string, and visits it if it is none.
#[derive(Clone, Copy)]
pub(super) struct SlotSeed {
    pub(super) depth: u8,
}

impl<'de> DeserializeSeed<'de> for SlotSeed {
    type Value = Slot<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
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
        Ok(Slot::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Slot<'de>, A::Error> {
        Skip::within(self.depth).visit_seq(items)?;
        Ok(Slot::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Slot<'de>, A::Error> {
        Skip::within(self.depth).visit_map(members)?;
        Ok(Slot::Other)
    }
}
