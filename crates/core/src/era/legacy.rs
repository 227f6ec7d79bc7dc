//! The values that the rows of the revisions with an `initialize` handshake share.
//!
//! Not here: how such a request is recognized (`select/legacy.rs`).

use super::completion::complete;
use super::fields::{Fields, ToolFields};
use super::names::meta_members;
use super::revision::Revision;
use super::row::{Era, INITIALIZE, Method, PING, Status, by_name, by_uri, initialize, list, subscribe};
use crate::call::{Call, Reply};
use crate::model::Capability::{Completions, Resources, Subscriptions, Tools};
use crate::model::Primitive::{Resource, Template, Tool};
use crate::rejection::Rejection;
use crate::rpc::Code;

/// The first such revision. Later rows state only their differences from it.
pub(super) const FIRST: Era = Era {
    revision: Revision::V2024_10_07,
    name: "",
    handshake: true,
    batches: false,
    knows_header: false,
    headerless: false,
    disconnect_cancels: false,
    requests: true,
    id_only_first_event: false,
    progress_message: false,
    declares_completions: false,
    completion_context: false,
    fields: &Fields::BARE,
    tools: &ToolFields::BARE,
    methods: METHODS,
    // MCP had no code for this yet.
    missing_capabilities: Code::INVALID_REQUEST,
    unknown_resource: Code::RESOURCE_NOT_FOUND,
    status,
    open_result,
};

/// The values that the rows from 2025-03-26 on share.
pub(super) const MIDDLE: Era =
    Era { progress_message: true, declares_completions: true, tools: &ToolFields::ANNOTATED, ..FIRST };

const METHODS: &[Method] = &[
    Method { name: "resources/read", needs: Some(Resources), mirrored: None, read: by_uri },
    Method { name: "resources/list", needs: Some(Resources), mirrored: None, read: |params| list(params, Resource) },
    Method {
        name: "resources/templates/list",
        needs: Some(Resources),
        mirrored: None,
        read: |params| list(params, Template),
    },
    Method {
        name: "resources/subscribe",
        needs: Some(Subscriptions),
        mirrored: None,
        read: |params| subscribe(params, false),
    },
    Method {
        name: "resources/unsubscribe",
        needs: Some(Subscriptions),
        mirrored: None,
        read: |params| subscribe(params, true),
    },
    Method { name: "tools/call", needs: Some(Tools), mirrored: None, read: |params| by_name(params, Tool) },
    Method { name: "tools/list", needs: Some(Tools), mirrored: None, read: |params| list(params, Tool) },
    Method { name: "completion/complete", needs: Some(Completions), mirrored: None, read: complete },
    Method { name: INITIALIZE, needs: None, mirrored: None, read: initialize },
    Method { name: PING, needs: None, mirrored: None, read: |_| Ok(Call::Ping) },
];

/// Most errors are ordinary answers. Only a problem with the message, its revision, session or scopes, or a server at
/// its limit, is a rejection.
fn status(rejection: &Rejection) -> Status {
    match rejection {
        Rejection::Busy | Rejection::NoRoomForAnswer => Status::Busy,
        Rejection::MissingScopes(scopes) => Status::MissingScopes(scopes.clone()),
        Rejection::UnknownSession => Status::NoSuchSession,
        Rejection::HeaderMismatch(_)
        | Rejection::InvalidRequest(_)
        | Rejection::NoSession
        | Rejection::UnsupportedVersion { .. } => Status::Invalid,
        _ => Status::Ok,
    }
}

fn open_result(out: &mut Vec<u8>, reply: &Reply<'_>, _server_info: &[u8], has_members: bool) {
    let Some(meta) = reply.meta.filter(|meta| !meta.is_empty()) else { return };
    out.extend_from_slice(b"\"_meta\":{");
    meta_members(out, Some(meta), b"");
    out.push(b'}');
    if has_members {
        out.push(b',');
    }
}
