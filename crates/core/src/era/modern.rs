//! What the rows of the revisions without a handshake share: every request carries its own metadata, every result its
//! envelope.
//!
//! Not here: how such a request is recognised and checked (`select/modern.rs`).

use super::fields::{Fields, ToolFields};
use super::names::meta_members;
use super::params::{CALL_TOOL, call_tool, list_resources, list_templates, list_tools, listen, read_resource};
use super::revision::Revision;
use super::row::{Era, Method, Need, Refusal};
use crate::call::{Call, Reply};
use crate::fault::Fault;
use crate::rpc::{Code, key, write_number};

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
    id_only_first_event: false,
    progress_message: true,
    fields: &Fields::FULL,
    tools: &ToolFields::ANY,
    methods: METHODS,
    missing_capabilities: Code::MISSING_CAPABILITIES,
    unknown_resource: Code::INVALID_PARAMS,
    refusal,
    open_result,
};

const METHODS: &[Method] = &[
    Method { name: "resources/read", needs: Need::Resources, mirrored: Some("uri"), read: read_resource },
    Method { name: "resources/list", needs: Need::Resources, mirrored: None, read: list_resources },
    Method { name: "resources/templates/list", needs: Need::Resources, mirrored: None, read: list_templates },
    Method { name: CALL_TOOL, needs: Need::Tools, mirrored: Some("name"), read: call_tool },
    Method { name: "tools/list", needs: Need::Tools, mirrored: None, read: list_tools },
    Method { name: "server/discover", needs: Need::Nothing, mirrored: None, read: |_| Ok(Call::Discover) },
    Method { name: "subscriptions/listen", needs: Need::Nothing, mirrored: None, read: listen },
];

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
    meta_members(out, reply.meta, b",");
    out.push(b'}');
    if !reply.members.is_empty() {
        out.push(b',');
    }
}
