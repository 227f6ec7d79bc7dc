//! What the revisions without a handshake share: every request carries its own metadata, every result its envelope.

use std::borrow::Cow;

use super::mirror;
use super::select::{Asked, Channel, Chosen, Refused, Selected};
use super::{Era, Fields, Method, Need, Refusal, Revision, Served, ToolFields};
use crate::call::{Call, Reply};
use crate::fault::Fault;
use crate::rpc::{Code, Kind, Params, Slot, cut, key, write_number};

/// The first such revision; later rows say how they differ.
pub(super) const FIRST: Era = Era {
    revision: Revision::V2026_07_28,
    name: "",
    handshake: false,
    batches: false,
    knows_header: true,
    headerless: false,
    disconnect_cancels: true,
    requests: false,
    primed_streams: false,
    progress_message: true,
    fields: &Fields::FULL,
    tools: &ToolFields::ANY,
    methods: METHODS,
    missing_capabilities: Code::MISSING_CAPABILITIES,
    unknown_resource: Code::INVALID_PARAMS,
    refusal,
    open_result,
};

const CALL_TOOL: &str = "tools/call";

const METHODS: &[Method] = &[
    Method {
        name: "resources/read",
        needs: Need::Resources,
        mirrored: Some("uri"),
        read: super::legacy::read_resource,
    },
    Method { name: "resources/list", needs: Need::Resources, mirrored: None, read: super::legacy::list_resources },
    Method {
        name: "resources/templates/list",
        needs: Need::Resources,
        mirrored: None,
        read: super::legacy::list_templates,
    },
    Method { name: CALL_TOOL, needs: Need::Tools, mirrored: Some("name"), read: super::legacy::call_tool },
    Method { name: "tools/list", needs: Need::Tools, mirrored: None, read: super::legacy::list_tools },
    Method { name: "server/discover", needs: Need::Nothing, mirrored: None, read: |_| Ok(Call::Discover) },
    Method { name: "subscriptions/listen", needs: Need::Nothing, mirrored: None, read: listen },
];

fn listen<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Fault> {
    match params.other("notifications") {
        Some(filter) if filter.is_object() => Ok(Call::Listen),
        _ => Err(Fault::InvalidParams("\"notifications\" must be an object".into())),
    }
}

/// Whether a method is served here and nowhere with a handshake, so that its name alone marks a request.
pub(super) fn is_own_method(name: &str) -> bool {
    METHODS.iter().any(|method| method.name == name) && !super::legacy::has_method(name)
}

/// What comes of a handler is an answer; what never reached one is a refusal (2026-07-28 streamable-http).
fn refusal(fault: &Fault) -> Refusal {
    match fault {
        Fault::Author { .. }
        | Fault::Internal
        | Fault::LongUri
        | Fault::UnknownCursor
        | Fault::UnknownResource { .. }
        | Fault::UnknownTool(_) => Refusal::None,
        Fault::UnknownSession => Refusal::NoSuchSession,
        Fault::Busy => Refusal::Busy,
        Fault::MissingScopes(scopes) => Refusal::MissingScopes(scopes.clone()),
        Fault::UnknownMethod(_) => Refusal::NoSuchMethod,
        Fault::HeaderMismatch(_)
        | Fault::InvalidParams(_)
        | Fault::InvalidRequest(_)
        | Fault::MissingCapabilities(_)
        | Fault::NoSession
        | Fault::UnsupportedVersion { .. } => Refusal::Invalid,
    }
}

fn open_result(out: &mut Vec<u8>, reply: &Reply<'_>, server_info: &[u8]) {
    out.extend_from_slice(b"\"resultType\":\"complete\",");
    if let Some(cache) = reply.cache {
        out.extend_from_slice(b"\"ttlMs\":");
        write_number(out, cache.ttl_ms());
        for part in [",\"cacheScope\":\"", cache.scope.name(), "\","] {
            out.extend_from_slice(part.as_bytes());
        }
    }
    for part in ["\"_meta\":{\"", key::SERVER_INFO, "\":"] {
        out.extend_from_slice(part.as_bytes());
    }
    out.extend_from_slice(server_info);
    super::legacy::meta_members(out, reply.meta, b",");
    out.push(b'}');
    if !reply.members.is_empty() {
        out.push(b',');
    }
}

/// Rows 10 to 12 of the checks: headers mirror the body, the metadata is complete, the revision is served.
pub(super) fn check(asked: &Asked<'_>, served: &Served) -> Selected {
    let Some(newest) = served.modern().next_back() else {
        return Err(not_served(asked, served));
    };
    let refuse = |fault| Refused { era: newest, fault };
    if asked.notification {
        return Ok(Chosen { era: newest, conversation: None });
    }
    if let Channel::Http(exchange) = asked.channel {
        let member = newest.method(asked.method).and_then(|method| method.mirrored);
        mirror::check(exchange, asked, member).map_err(refuse)?;
        if asked.method == CALL_TOOL {
            mirror::check_arguments(exchange, asked).map_err(refuse)?;
        }
    }
    let version = complete(asked.params).map_err(refuse)?;
    served.named(&version).filter(|era| !era.handshake).map(|era| Chosen { era, conversation: None }).ok_or_else(|| {
        // The same as a discovery names: what a marked request can be of.
        let supported = served.modern_names();
        refuse(Fault::UnsupportedVersion { requested: version.into_owned(), supported })
    })
}

/// `_meta` has what every request must carry; gives the version.
fn complete<'a>(params: &'a Params<'a>) -> Result<Cow<'a, str>, Fault> {
    let invalid = |name: &str, what: &str| Fault::InvalidParams(format!("_meta[\"{name}\"] {what}").into());
    if params.meta.wrong {
        return Err(Fault::InvalidParams("\"_meta\" must be an object".into()));
    }
    let version = match &params.meta.version {
        Slot::Text(version) => version.clone(),
        Slot::Absent => return Err(invalid(key::PROTOCOL_VERSION, "is missing: every request carries it")),
        Slot::Null | Slot::Other => return Err(invalid(key::PROTOCOL_VERSION, "must be a string")),
    };
    match params.meta.capabilities {
        Kind::Object => Ok(version),
        Kind::Other => Err(invalid(key::CLIENT_CAPABILITIES, "must be an object")),
        Kind::Absent => {
            Err(invalid(key::CLIENT_CAPABILITIES, "is missing: every request carries it, {} if there are none"))
        }
    }
}

/// The author serves no revision of this generation. Never the code for an unsupported version: a client that sees it
/// must not fall back to the handshake, which is the way in here.
fn not_served(asked: &Asked<'_>, served: &Served) -> Refused {
    let names = served.names().join(", ");
    let era = served.newest_legacy().unwrap_or(&super::ALL[0]);
    let fault = match asked.channel {
        Channel::Http(_) => {
            Fault::InvalidRequest(format!("this server serves {names}; open with \"initialize\"").into())
        }
        Channel::Pipe { .. } => {
            let method = cut(asked.method);
            Fault::UnknownMethod(format!("{method} (this server serves {names}; open with \"initialize\")"))
        }
    };
    Refused { era, fault }
}
