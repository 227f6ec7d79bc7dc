//! The values that the rows of the revisions without a handshake share: every request carries its own metadata, every
//! result its envelope.
//!
//! Not here: how such a request is recognized and checked (`select.rs`).

use super::completion::complete;
use super::fields::{Fields, ToolFields};
use super::listen::listen;
use super::names::{meta_members, result_type};
use super::revision::Revision;
use super::row::{CALL_TOOL, Era, Method, Status, by_name, by_uri, list};
use crate::call::{Call, Reply};
use crate::model::Capability::{Completions, Resources, Tools};
use crate::model::Primitive::{Resource, Template, Tool};
use crate::rejection::Rejection;
use crate::rpc::{Code, key, write_number};

/// The first such revision. Later rows state only their differences from it.
pub(super) const FIRST: Era = Era {
    revision: Revision::V2026_07_28,
    name: "",
    handshake: false,
    batches: false,
    knows_header: true,
    headerless: false,
    disconnect_cancels: true,
    requests: false,
    id_only_first_event: false,
    progress_message: true,
    declares_completions: true,
    completion_context: true,
    fields: &Fields::FULL,
    tools: &ToolFields::ANY,
    methods: METHODS,
    missing_capabilities: Code::MISSING_CAPABILITIES,
    unknown_resource: Code::INVALID_PARAMS,
    status,
    open_result,
};

const METHODS: &[Method] = &[
    Method { name: "resources/read", needs: Some(Resources), mirrored: Some("uri"), read: by_uri },
    Method { name: "resources/list", needs: Some(Resources), mirrored: None, read: |params| list(params, Resource) },
    Method {
        name: "resources/templates/list",
        needs: Some(Resources),
        mirrored: None,
        read: |params| list(params, Template),
    },
    Method { name: CALL_TOOL, needs: Some(Tools), mirrored: Some("name"), read: |params| by_name(params, Tool) },
    Method { name: "tools/list", needs: Some(Tools), mirrored: None, read: |params| list(params, Tool) },
    Method { name: "completion/complete", needs: Some(Completions), mirrored: None, read: complete },
    Method { name: "server/discover", needs: None, mirrored: None, read: |_| Ok(Call::Discover) },
    Method { name: "subscriptions/listen", needs: None, mirrored: None, read: listen },
];

/// An error of a handler is an ordinary answer; an error before the handler is a rejection (2026-07-28
/// streamable-http).
fn status(rejection: &Rejection) -> Status {
    match rejection {
        Rejection::Author { .. }
        | Rejection::Internal
        | Rejection::LongUri
        | Rejection::UnknownArgument(_)
        | Rejection::UnknownCursor
        | Rejection::UnknownResource { .. }
        | Rejection::UnknownTool(_) => Status::Ok,
        Rejection::UnknownSession => Status::NoSuchSession,
        Rejection::Busy | Rejection::NoRoomForAnswer => Status::Busy,
        Rejection::MissingScopes(scopes) => Status::MissingScopes(scopes.clone()),
        Rejection::UnknownMethod(_) => Status::NoSuchMethod,
        Rejection::HeaderMismatch(_)
        | Rejection::InvalidParams(_)
        | Rejection::InvalidRequest(_)
        | Rejection::MissingCapabilities(_)
        | Rejection::NoSession
        | Rejection::UnsupportedVersion { .. } => Status::Invalid,
    }
}

fn open_result(out: &mut Vec<u8>, reply: &Reply<'_>, server_info: &[u8], has_members: bool) {
    out.extend_from_slice(result_type(reply.kind));
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
    meta_members(out, reply.meta, b",");
    out.push(b'}');
    if has_members {
        out.push(b',');
    }
}
