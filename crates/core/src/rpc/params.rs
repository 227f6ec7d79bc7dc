//! The `params` of a message. Members that several methods share are read in place. The others stay raw JSON for the
//! one method that knows them. `_meta` is read with its request metadata of `io.modelcontextprotocol/`.

use std::borrow::Cow;

use serde::de::MapAccess;

use super::field::{DuplicateNames, Name, StringField, StringFieldSeed};
use super::read::{Members, Object, Raw, Scope, Skip};
use super::repeated::repeated_name;

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

/// The parameters of a request or notification. Absent `params` are an empty object.
#[derive(Debug, Default)]
pub(crate) struct Params<'a> {
    pub(crate) uri: StringField<'a>,
    pub(crate) cursor: StringField<'a>,
    pub(crate) name: StringField<'a>,
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

    /// A required member that only one method knows.
    pub(crate) fn other(&self, name: &str) -> Option<Raw<'a>> {
        self.others.iter().find(|(other, _)| other == name).map(|(_, raw)| *raw)
    }

    /// An optional member that only one method knows. Null counts as absent.
    pub(crate) fn optional(&self, name: &str) -> Option<Raw<'a>> {
        self.other(name).filter(|raw| !raw.is_null())
    }

    /// The named member as a string, wherever it is stored.
    pub(crate) fn string(&self, name: &str) -> Option<Cow<'_, str>> {
        match name {
            "uri" => self.uri.text().map(Cow::Borrowed),
            "name" => self.name.text().map(Cow::Borrowed),
            "cursor" => self.cursor.text().map(Cow::Borrowed),
            _ => self.other(name)?.as_string().map(Cow::Owned),
        }
    }
}

/// `params._meta`. Members that only author code needs are read when it calls for them (`reread.rs`).
#[derive(Debug, Default)]
pub(crate) struct Meta<'a> {
    pub(crate) version: StringField<'a>,
    pub(crate) capabilities: Kind,
    /// Whether it has a mark, which shows that the request is modern.
    pub(crate) marked: bool,
    /// Whether it is present and not an object.
    pub(crate) wrong: bool,
    pub(super) progress_token: Option<Raw<'a>>,
    repeated: Option<String>,
}

/// The type of a member whose value does not matter.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum Kind {
    #[default]
    Absent,
    Null,
    Object,
    Other,
}

impl Params<'_> {
    pub(super) fn seed<const C: bool>(scope: Scope<C>) -> Object<ParamsMembers, C> {
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

    fn read<A: MapAccess<'de>, const C: bool>(self, mut members: A, inner: Scope<C>) -> Result<Self::Value, A::Error> {
        let mut params = Params::default();
        let mut seen = DuplicateNames::default();
        while let Some(Name(name)) = members.next_key()? {
            match &*name {
                "uri" => params.uri = members.next_value_seed(StringFieldSeed(inner))?,
                "cursor" => params.cursor = members.next_value_seed(StringFieldSeed(inner))?,
                "name" => params.name = members.next_value_seed(StringFieldSeed(inner))?,
                "_meta" => params.meta = members.next_value_seed(Object { members: MetaMembers, scope: inner })?,
                _ => {
                    let value = members.next_value_seed(inner.raw())?;
                    // An intermediary may mirror an argument, at any depth, into a header.
                    if name == "arguments" {
                        params.repeated = repeated_name(value.text());
                    }
                    params.others.push((name.clone(), value));
                }
            }
            seen.note(name);
        }
        params.repeated = seen.repeated.or(params.repeated);
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

    fn read<A: MapAccess<'de>, const C: bool>(self, mut members: A, inner: Scope<C>) -> Result<Self::Value, A::Error> {
        let mut meta = Meta::default();
        let mut seen = DuplicateNames::default();
        while let Some(Name(name)) = members.next_key()? {
            match &*name {
                // Where these two have a meaning they are required, so null is a wrong type there.
                key::PROTOCOL_VERSION => {
                    meta.version = members.next_value_seed(StringFieldSeed(inner))?;
                    meta.marked = true;
                }
                key::CLIENT_CAPABILITIES => {
                    meta.capabilities = members.next_value_seed(Object { members: KindMembers, scope: inner })?;
                    meta.marked = true;
                }
                key::CLIENT_INFO | key::LOG_LEVEL => {
                    let kind = members.next_value_seed(Object { members: KindMembers, scope: inner })?;
                    meta.marked |= kind != Kind::Null;
                }
                key::PROGRESS_TOKEN => meta.progress_token = Some(members.next_value_seed(inner.raw())?),
                _ => members.next_value_seed(Skip(inner))?,
            }
            seen.note(name);
        }
        meta.repeated = seen.repeated;
        Ok(meta)
    }
}

/// Reads the type of a value.
#[derive(Clone, Copy)]
struct KindMembers;

impl<'de> Members<'de> for KindMembers {
    type Value = Kind;

    fn null(self) -> Kind {
        Kind::Null
    }

    fn not_an_object(self) -> Kind {
        Kind::Other
    }

    fn read<A: MapAccess<'de>, const C: bool>(self, mut members: A, inner: Scope<C>) -> Result<Kind, A::Error> {
        while members.next_key_seed(Skip(inner))?.is_some() {
            members.next_value_seed(Skip(inner))?;
        }
        Ok(Kind::Object)
    }
}
