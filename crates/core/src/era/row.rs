//! A revision's row: flags for its features, and functions for its behavior. **It reads the parameters of its methods into a [`Call`],
//! and writes a [`Reply`] or a [`Rejection`] as a message.**
//!
//! Not here: the rows themselves (`table.rs`), and which row a request belongs to (`select.rs`).

use std::borrow::Cow;
use std::fmt;

use bytes::Bytes;

use super::fields::{Fields, ToolFields};
use super::revision::Revision;
use crate::call::{Call, Reply};
use crate::model::{Capability, Primitive, Text};
use crate::rejection::Rejection;
use crate::rpc::{Code, IdToken, Params, Raw, StringField, Wire, write_error};

/// The notification that ends a handshake.
pub(crate) const INITIALIZED: &str = "notifications/initialized";
pub(crate) const INITIALIZE: &str = "initialize";
pub(super) const CALL_TOOL: &str = "tools/call";
pub(super) const PING: &str = "ping";

/// The kind of a rejection, for a transport that has status codes. The transport chooses the code.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Status {
    /// No rejection: the request was handled, with a result or an error.
    Ok,
    /// The request is invalid.
    Invalid,
    /// The caller's token lacks these scopes, which are separated by spaces.
    MissingScopes(Text),
    /// The method does not exist.
    NoSuchMethod,
    /// The session does not exist.
    NoSuchSession,
    /// The server is at a limit. The client may try again.
    Busy,
}

/// One method of a revision.
pub(crate) struct Method {
    pub(crate) name: &'static str,
    /// The capability that the server must have for this method.
    pub(crate) needs: Option<Capability>,
    /// The parameter that the header `Mcp-Name` mirrors, if any.
    pub(super) mirrored: Option<&'static str>,
    pub(crate) read: for<'a> fn(&'a Params<'a>) -> Result<Call<'a>, Rejection>,
}

/// A revision's row.
#[allow(clippy::struct_excessive_bools, reason = "a row is flags: each is one independent fact of a revision")]
pub(crate) struct Era {
    pub(crate) revision: Revision,
    pub(crate) name: &'static str,
    /// Whether a client opens with `initialize`; otherwise every request has the marks.
    pub(crate) handshake: bool,
    /// Whether a client may send a batch: an array of messages.
    pub(crate) batches: bool,
    /// Whether clients of this revision send the version header over HTTP.
    pub(super) knows_header: bool,
    /// Whether a request without a version header and without marks belongs to this revision.
    pub(super) headerless: bool,
    /// Whether, over HTTP, the end of the connection cancels the request.
    pub(crate) disconnect_cancels: bool,
    /// Whether the server may send requests to the client.
    pub(crate) requests: bool,
    /// Whether an event stream in a session opens with an event that has only an id, with which the client can resume.
    pub(crate) id_only_first_event: bool,
    /// Whether a progress notification may have a message.
    pub(super) progress_message: bool,
    /// Whether the capability `completions` is declared. Without it the method is served as well.
    pub(super) declares_completions: bool,
    /// Whether a request to complete an argument may have the values of others.
    pub(super) completion_context: bool,
    pub(crate) fields: &'static Fields,
    pub(crate) tools: &'static ToolFields,
    pub(crate) methods: &'static [Method],
    pub(super) missing_capabilities: Code,
    pub(super) unknown_resource: Code,
    pub(super) status: fn(&Rejection) -> Status,
    /// Writes the members of a result that come before the method's own, from the reply and `serverInfo`. The flag
    /// states whether the method has members; then a comma follows.
    pub(super) open_result: fn(&mut Vec<u8>, &Reply<'_>, &[u8], bool),
}

impl Era {
    pub(crate) fn method(&self, name: &str) -> Option<&'static Method> {
        self.methods.iter().find(|method| method.name == name)
    }

    /// Whether the revision declares a capability that the server has.
    pub(crate) fn declares(&self, capability: Capability) -> bool {
        capability != Capability::Completions || self.declares_completions
    }

    pub(crate) fn code(&self, rejection: &Rejection) -> Code {
        match rejection {
            Rejection::Author { code, .. } => Code(*code),
            Rejection::Busy | Rejection::NoRoomForAnswer => Code::BUSY,
            Rejection::HeaderMismatch(_) => Code::HEADER_MISMATCH,
            Rejection::Internal => Code::INTERNAL,
            Rejection::InvalidParams(_)
            | Rejection::LongUri
            | Rejection::UnknownArgument(_)
            | Rejection::UnknownCursor
            | Rejection::UnknownTool(_) => Code::INVALID_PARAMS,
            Rejection::InvalidRequest(_)
            | Rejection::MissingScopes(_)
            | Rejection::NoSession
            | Rejection::UnknownSession => Code::INVALID_REQUEST,
            Rejection::MissingCapabilities(_) => self.missing_capabilities,
            Rejection::UnknownMethod(_) => Code::METHOD_NOT_FOUND,
            Rejection::UnknownResource { .. } => self.unknown_resource,
            Rejection::UnsupportedVersion { .. } => Code::UNSUPPORTED_VERSION,
        }
    }

    /// Encodes an error response, and returns the kind of its rejection.
    pub(crate) fn write_rejection(&self, id: Option<IdToken<'_>>, rejection: &Rejection) -> (Wire, Status) {
        let bytes = write_error(id, self.code(rejection), &rejection.message(), rejection.data().as_ref());
        (Wire::one(bytes), (self.status)(rejection))
    }
}

impl fmt::Debug for Era {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Rejects a request whose `_meta` is not an object, in every method.
pub(super) fn typed<'a>(params: &'a Params<'a>) -> Result<&'a Params<'a>, Rejection> {
    if params.meta.wrong { Err(Rejection::InvalidParams("\"_meta\" must be an object".into())) } else { Ok(params) }
}

/// Reads the request of a page of one primitive's list.
pub(super) fn list<'a>(params: &'a Params<'a>, primitive: Primitive) -> Result<Call<'a>, Rejection> {
    Ok(Call::List { primitive, cursor: cursor(params)? })
}

/// Reads the request of one resource, by its URI.
pub(super) fn by_uri<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Rejection> {
    let name = required(&typed(params)?.uri, "uri", Primitive::Resource)?;
    Ok(Call::Use { primitive: Primitive::Resource, name, arguments: None })
}

/// Reads the request to subscribe to one resource, or to end that, by its URI.
pub(super) fn subscribe<'a>(params: &'a Params<'a>, ends: bool) -> Result<Call<'a>, Rejection> {
    Ok(Call::Subscribe { uri: required(&typed(params)?.uri, "uri", Primitive::Resource)?, ends })
}

/// Reads the request of one of another primitive, by its name and with arguments.
pub(super) fn by_name<'a>(params: &'a Params<'a>, primitive: Primitive) -> Result<Call<'a>, Rejection> {
    let name = required(&typed(params)?.name, "name", primitive)?;
    match params.optional("arguments") {
        Some(arguments) if !arguments.is_object() => {
            Err(Rejection::InvalidParams("\"arguments\" must be an object".into()))
        }
        arguments => Ok(Call::Use { primitive, name, arguments }),
    }
}

fn required<'a>(field: &'a StringField<'_>, member: &str, primitive: Primitive) -> Result<&'a str, Rejection> {
    let purpose = primitive.purpose();
    match field {
        StringField::Text(text) => Ok(text),
        StringField::Absent => {
            Err(Rejection::InvalidParams(format!("\"{member}\" is missing: name the {purpose}").into()))
        }
        StringField::Null | StringField::Other => {
            Err(Rejection::InvalidParams(format!("\"{member}\" must be a string").into()))
        }
    }
}

fn cursor<'a>(params: &'a Params<'a>) -> Result<Option<&'a str>, Rejection> {
    match &typed(params)?.cursor {
        StringField::Text(cursor) => Ok(Some(cursor)),
        StringField::Absent | StringField::Null => Ok(None),
        StringField::Other => Err(Rejection::InvalidParams("\"cursor\" must be a string".into())),
    }
}

pub(super) fn initialize<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Rejection> {
    let params = typed(params)?;
    let requested = params.other("protocolVersion").and_then(Raw::as_string).map(Cow::Owned);
    let requested = requested.ok_or(Rejection::InvalidParams("\"protocolVersion\" must be a string".into()))?;
    Ok(Call::Initialize { requested })
}

/// Encodes the results of one request.
#[derive(Clone, Copy)]
pub(crate) struct ReplyWriter<'a> {
    pub(crate) era: &'static Era,
    pub(crate) id: IdToken<'a>,
    /// `serverInfo`, encoded for the row.
    pub(crate) server_info: &'a [u8],
}

impl ReplyWriter<'_> {
    /// Encodes a result whose members are encoded already. Small members are copied into one buffer; a large one stays
    /// a slice of its own.
    pub(crate) fn write(&self, reply: Reply<'_>) -> Wire {
        let is_large = |part: &Bytes| part.len() > Wire::SLICED;
        let copied = reply.members.iter().map(Bytes::len).take_while(|length| *length <= Wire::SLICED).sum();
        let has_members = reply.members.iter().any(|part| !part.is_empty());
        let mut out = self.open(&reply, has_members, copied);
        let [first, payload, last] = reply.members;
        if is_large(&first) {
            return Wire::three(out, first, closed(&[&payload, &last]));
        }
        out.extend_from_slice(&first);
        if is_large(&payload) {
            return Wire::three(out, payload, closed(&[&last]));
        }
        out.extend_from_slice(&payload);
        out.extend_from_slice(&last);
        out.extend_from_slice(b"}}");
        Wire::one(out)
    }

    /// Encodes a result whose members `write` appends, at least one, in about `size` bytes.
    pub(crate) fn write_with(&self, reply: &Reply<'_>, size: usize, write: impl FnOnce(&mut Vec<u8>, &Era)) -> Wire {
        let mut out = self.open(reply, true, size);
        write(&mut out, self.era);
        out.extend_from_slice(b"}}");
        Wire::one(out)
    }

    /// The envelope, up to the first member of the method.
    fn open(&self, reply: &Reply<'_>, has_members: bool, size: usize) -> Vec<u8> {
        let mut out = Vec::with_capacity(192 + self.id.len() + self.server_info.len() + size);
        out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
        self.id.write(&mut out);
        out.extend_from_slice(b",\"result\":{");
        (self.era.open_result)(&mut out, reply, self.server_info, has_members);
        out
    }
}

fn closed(parts: &[&Bytes]) -> Bytes {
    let mut out = Vec::with_capacity(parts.iter().map(|part| part.len()).sum::<usize>() + 2);
    for part in parts {
        out.extend_from_slice(part);
    }
    out.extend_from_slice(b"}}");
    out.into()
}
