//! The host's declaration in its handshake, read strictly: only an explicit `true` is an offer.

use serde_json::Value;

use crate::define::Context;
use crate::rpc::integer_of;

const KEY: &str = "ai.nimblebrain/host-resources";

/// The extension as the client declares it.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each is one independent offer of the host")]
pub(super) struct Capability {
    pub(super) read: bool,
    pub(super) list: bool,
    pub(super) write: bool,
    pub(super) range: bool,
    pub(super) max_size: Option<u64>,
    pub(super) schemes: Vec<String>,
}

impl Capability {
    /// Looks in `extensions` first, then in `experimental`, where older hosts declare it.
    pub(super) fn of(context: &Context) -> Option<Self> {
        let block = |place| context.client_capability(&[place, KEY]);
        let block = block("extensions").or_else(|| block("experimental"))?;
        let says = |part: &str, what: &str| block.get(part).and_then(|part| part.get(what));
        let is_on = |part, what| says(part, what) == Some(&Value::Bool(true));
        let schemes = block.get("schemes").and_then(Value::as_array);
        Some(Self {
            read: is_on("read", "enabled"),
            list: is_on("list", "enabled"),
            write: is_on("write", "enabled"),
            range: is_on("read", "range"),
            max_size: says("read", "maxSize").and_then(integer_of),
            schemes: schemes.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect(),
        })
    }
}
