//! What the revisions with an `initialize` handshake share, and the readers of parameters that all revisions share.

use std::borrow::Cow;

use super::mirror::{self, Exchange, Header, Lookup};
use super::select::{Asked, Channel, Chosen, Named, Refused, Selected};
use super::{Era, Fields, Method, Need, Refusal, Revision, Served, ToolFields};
use crate::call::{Call, Reply};
use crate::conversation::Conversation;
use crate::fault::Fault;
use crate::model::Metadata;
use crate::rpc::{Code, Params, Raw, Slot, cut, key, write_string, write_value};

/// The first such revision; later rows say how they differ.
pub(super) const FIRST: Era = Era {
    revision: Revision::V2024_10_07,
    name: "",
    handshake: true,
    batches: false,
    knows_header: false,
    headerless: false,
    disconnect_cancels: false,
    requests: true,
    primed_streams: false,
    progress_message: false,
    fields: &Fields::BARE,
    tools: &ToolFields::BARE,
    methods: METHODS,
    // There is no code for it yet.
    missing_capabilities: Code::INVALID_REQUEST,
    unknown_resource: Code::RESOURCE_NOT_FOUND,
    refusal,
    open_result,
};

/// As it was changed for later rows.
pub(super) const MIDDLE: Era = Era { progress_message: true, tools: &ToolFields::ANNOTATED, ..FIRST };

/// The notification that ends a handshake.
pub(crate) const INITIALIZED: &str = "notifications/initialized";
pub(crate) const INITIALIZE: &str = "initialize";
const PING: &str = "ping";

const METHODS: &[Method] = &[
    Method { name: "resources/read", needs: Need::Resources, mirrored: None, read: read_resource },
    Method { name: "resources/list", needs: Need::Resources, mirrored: None, read: list_resources },
    Method { name: "resources/templates/list", needs: Need::Resources, mirrored: None, read: list_templates },
    Method { name: "tools/call", needs: Need::Tools, mirrored: None, read: call_tool },
    Method { name: "tools/list", needs: Need::Tools, mirrored: None, read: list_tools },
    Method { name: INITIALIZE, needs: Need::Nothing, mirrored: None, read: initialize },
    Method { name: PING, needs: Need::Nothing, mirrored: None, read: |_| Ok(Call::Ping) },
];

pub(super) fn has_method(name: &str) -> bool {
    METHODS.iter().any(|method| method.name == name)
}

/// A request that carries `_meta` of another type is ill-typed, in every method.
fn typed<'a>(params: &'a Params<'a>) -> Result<&'a Params<'a>, Fault> {
    if params.meta.wrong { Err(Fault::InvalidParams("\"_meta\" must be an object".into())) } else { Ok(params) }
}

pub(super) fn read_resource<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Fault> {
    match &typed(params)?.uri {
        Slot::Text(uri) => Ok(Call::ReadResource { uri }),
        Slot::Absent => Err(Fault::InvalidParams("\"uri\" is missing: name the resource to read".into())),
        Slot::Null | Slot::Other => Err(Fault::InvalidParams("\"uri\" must be a string".into())),
    }
}

pub(super) fn list_resources<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Fault> {
    Ok(Call::ListResources { cursor: cursor(params)? })
}

pub(super) fn list_templates<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Fault> {
    Ok(Call::ListTemplates { cursor: cursor(params)? })
}

pub(super) fn list_tools<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Fault> {
    Ok(Call::ListTools { cursor: cursor(params)? })
}

pub(super) fn call_tool<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Fault> {
    let name = match &typed(params)?.name {
        Slot::Text(name) => name,
        Slot::Absent => return Err(Fault::InvalidParams("\"name\" is missing: name the tool to call".into())),
        Slot::Null | Slot::Other => return Err(Fault::InvalidParams("\"name\" must be a string".into())),
    };
    match params.optional("arguments") {
        Some(arguments) if !arguments.is_object() => {
            Err(Fault::InvalidParams("\"arguments\" must be an object".into()))
        }
        arguments => Ok(Call::Tool { name, arguments }),
    }
}

fn cursor<'a>(params: &'a Params<'a>) -> Result<Option<&'a str>, Fault> {
    match &typed(params)?.cursor {
        Slot::Text(cursor) => Ok(Some(cursor)),
        Slot::Absent | Slot::Null => Ok(None),
        Slot::Other => Err(Fault::InvalidParams("\"cursor\" must be a string".into())),
    }
}

fn initialize<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Fault> {
    let params = typed(params)?;
    let requested = params.other("protocolVersion").and_then(Raw::as_string).map(Cow::Owned);
    let requested = requested.ok_or(Fault::InvalidParams("\"protocolVersion\" must be a string".into()))?;
    Ok(Call::Initialize { requested })
}

/// Every answer to a well-formed message is an answer; only the message itself, or its revision, can be refused.
fn refusal(fault: &Fault) -> Refusal {
    match fault {
        Fault::Busy => Refusal::Busy,
        Fault::MissingScopes(scopes) => Refusal::MissingScopes(scopes.clone()),
        Fault::UnknownSession => Refusal::NoSuchSession,
        Fault::HeaderMismatch(_) | Fault::InvalidRequest(_) | Fault::NoSession | Fault::UnsupportedVersion { .. } => {
            Refusal::Invalid
        }
        _ => Refusal::None,
    }
}

fn open_result(out: &mut Vec<u8>, reply: &Reply<'_>, _server_info: &[u8]) {
    let Some(meta) = reply.meta.filter(|meta| !meta.is_empty()) else { return };
    out.extend_from_slice(b"\"_meta\":{");
    meta_members(out, Some(meta), b"");
    out.push(b'}');
    if !reply.members.is_empty() {
        out.push(b',');
    }
}

/// The author's members of a result's `_meta`, each after a separator, the first after `first`.
pub(super) fn meta_members(out: &mut Vec<u8>, meta: Option<&Metadata>, first: &[u8]) {
    let mut separator = first;
    for (key, value) in meta.into_iter().flat_map(Metadata::iter) {
        out.extend_from_slice(separator);
        write_string(out, key);
        out.push(b':');
        write_value(out, value);
        separator = b",";
    }
}

/// Which row an unmarked request belongs to, and whether it is served.
pub(super) fn check(asked: &Asked<'_>, served: &Served) -> Selected {
    let modern = &super::ALL[super::ALL.len() - 1];
    let refuse = |fault| Refused { era: modern, fault };
    let newest = served.newest_legacy();
    let opens = asked.opens_handshake();
    if let (Channel::Http(exchange), Some(era)) = (asked.channel, newest) {
        match exchange.session() {
            Lookup::Known(conversation) => return in_session(exchange, conversation),
            Lookup::Unknown => return Err(Refused { era, fault: Fault::UnknownSession }),
            Lookup::Missing if !opens => return Err(Refused { era, fault: Fault::NoSession }),
            Lookup::Missing | Lookup::NotKept => {}
        }
    }
    let era = match asked.channel {
        _ if opens => newest.ok_or_else(|| no_handshake(asked, served)),
        Channel::Http(exchange) => match Named::of(exchange) {
            Named::Absent => headerless(served),
            Named::Row(era) => served.named(era.name).ok_or_else(|| unsupported(era.name, served)),
            Named::Later(name) => Err(unsupported(&cut(&name), served)),
            Named::Nothing(what) => Err(no_revision(what, served)),
        },
        Channel::Pipe { negotiated: Some(era) } => Ok(era),
        Channel::Pipe { negotiated: None } => match newest {
            Some(era) if asked.notification || asked.method == PING => Ok(era),
            _ => Err(unopened(served)),
        },
    };
    era.map(|era| Chosen { era, conversation: None }).map_err(refuse)
}

/// In a session the revision that its handshake settled on is in force. The header may repeat it, and say no other.
fn in_session(exchange: &dyn Exchange, conversation: Conversation) -> Selected {
    let era = Era::named(conversation.version()).expect("a conversation's revision is from the table");
    let refuse = |said: &[u8]| {
        let (said, version) = (String::from_utf8_lossy(said), era.name);
        let said = cut(&said);
        let fault = format!("the MCP-Protocol-Version header says {said:?}, and this session settled on {version}");
        Err(Refused { era, fault: Fault::InvalidRequest(fault.into()) })
    };
    match exchange.header(mirror::PROTOCOL_VERSION) {
        Header::One(value) if mirror::trim(value) != era.name.as_bytes() => refuse(value),
        Header::Many => refuse(b"several things"),
        Header::One(_) | Header::Absent => Ok(Chosen { era, conversation: Some(conversation) }),
    }
}

/// No header and no marks: the revision that had no header yet, if it or another such one is served.
fn headerless(served: &Served) -> Result<&'static Era, Fault> {
    let rows = || served.rows.iter().rev().copied().filter(|era| era.handshake);
    if let Some(era) = rows().find(|era| era.headerless).or_else(|| rows().find(|era| !era.knows_header)) {
        return Ok(era);
    }
    let named = "the MCP-Protocol-Version header is missing";
    Err(Fault::HeaderMismatch(format!("{named}: this server serves {}", served.names().join(", "))))
}

/// A revision with a handshake that the author does not serve. With nothing modern served the refusal must not look
/// like a modern one, or a client would stop falling back.
fn unsupported(requested: &str, served: &Served) -> Fault {
    let supported = served.names();
    if served.modern().next().is_some() {
        Fault::UnsupportedVersion { requested: requested.to_owned(), supported }
    } else {
        Fault::InvalidRequest(format!("{requested} is not served; this server serves {}", supported.join(", ")).into())
    }
}

/// Never the code for a header that differs from the body, nor the one for an unsupported version: either would stop a client
/// from falling back.
fn no_revision(what: String, served: &Served) -> Fault {
    let supported = served.names().join(", ");
    Fault::InvalidRequest(format!("the MCP-Protocol-Version header {what}: this server serves {supported}").into())
}

fn no_handshake(asked: &Asked<'_>, served: &Served) -> Fault {
    let supported = served.names();
    match asked.channel {
        Channel::Http(_) => Fault::HeaderMismatch(format!(
            "this server has no \"initialize\" handshake: send the MCP-Protocol-Version header with one of {}",
            supported.join(", ")
        )),
        Channel::Pipe { .. } => {
            let requested = asked.params.string("protocolVersion").unwrap_or_default().into_owned();
            Fault::UnsupportedVersion { requested, supported }
        }
    }
}

fn unopened(served: &Served) -> Fault {
    let handshake = if served.newest_legacy().is_some() { "; or open with \"initialize\"" } else { "" };
    Fault::InvalidParams(
        format!(
            "_meta[\"{}\"] and _meta[\"{}\"] are missing: this server serves {}{handshake}",
            key::PROTOCOL_VERSION,
            key::CLIENT_CAPABILITIES,
            served.names().join(", ")
        )
        .into(),
    )
}
