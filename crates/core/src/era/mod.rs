//! The protocol revisions: **a revision is a row in [`ALL`], and no other file of the project names one.**
//!
//! A row is a static with flags for what the revision has and function pointers for what it does. Code outside asks the
//! row; nothing compares revisions, which therefore have no order. `modern.rs` and `legacy.rs` hold what the rows of one
//! generation share, `select.rs` decides which row a request belongs to, `wire.rs` has every JSON name we send.

mod legacy;
mod mirror;
mod modern;
mod select;
mod tools;
mod wire;

#[cfg(test)]
mod table;

use std::fmt;

use bytes::Bytes;

use crate::call::{Call, Members, Reply};
use crate::fault::Fault;
use crate::model::Text;
use crate::rpc::{Code, IdToken, Params, Wire, write_error};

pub(crate) use legacy::{INITIALIZE, INITIALIZED};
pub use mirror::{Clock, Exchange, Header, Lookup};
pub(crate) use select::{Asked, Channel, Chosen, Selected, select};
pub(crate) use tools::{ToolFields, tool_entry, tool_result};
pub(crate) use wire::{
    CANCELLED, Capabilities, Fields, cancelled_notification, capabilities, discovered, initialized, item, item_ends,
    progress, request, resource_entry, server_info, subscription_acknowledged, subscription_ended, withdrawn,
};

/// A protocol revision. Revisions have no order: ask what one has, not how new it is.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Revision {
    V2024_10_07,
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
}

impl Revision {
    /// Every revision, oldest first.
    pub const ALL: [Self; 6] = [
        Self::V2024_10_07,
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];

    /// The revisions in which a client opens with a handshake, oldest first: those in which a server can ask its clients, as
    /// [`host`](crate::host()) does.
    ///
    /// ```
    /// use grange_core::{Revision, Server};
    /// let server = Server::builder("summaries", "1.0.0").client_requests().revisions(Revision::HANDSHAKE).build()?;
    /// assert!(Revision::HANDSHAKE.iter().all(|revision| revision.has_handshake()));
    /// # Ok::<(), grange_core::BuildError>(())
    /// ```
    pub const HANDSHAKE: [Self; 5] =
        [Self::V2024_10_07, Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25];

    /// The name on the wire, as in `2025-06-18`.
    pub fn name(self) -> &'static str {
        self.era().name
    }

    /// The revision of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        ALL.iter().find(|era| era.name == name).map(|era| era.revision)
    }

    /// Whether clients of this revision say so in an `MCP-Protocol-Version` header over HTTP.
    pub fn has_version_header(self) -> bool {
        self.era().knows_header
    }

    /// Whether a client opens with an `initialize` handshake; otherwise every request stands alone and carries its own
    /// metadata.
    pub fn has_handshake(self) -> bool {
        self.era().handshake
    }

    pub(crate) fn era(self) -> &'static Era {
        ALL.iter().find(|era| era.revision == self).expect("every revision has its row")
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a transport that has statuses should rate an answer. What the numbers are is the transport's to know.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Refusal {
    /// The request was handled, whatever came of it.
    None,
    /// The request is at fault.
    Invalid,
    /// Whoever asks needs a token with these scopes, which are separated by spaces.
    MissingScopes(Text),
    /// There is no such method.
    NoSuchMethod,
    /// There is no such session.
    NoSuchSession,
    /// The server has no room; the request may be tried again.
    Busy,
}

/// One method of a revision.
pub(crate) struct Method {
    pub(crate) name: &'static str,
    /// The capability that must be declared for it.
    pub(crate) needs: Need,
    /// The parameter that `Mcp-Name` mirrors, where the method has one.
    mirrored: Option<&'static str>,
    pub(crate) read: for<'a> fn(&'a Params<'a>) -> Result<Call<'a>, Fault>,
}

/// What a server must have declared.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Need {
    Nothing,
    Resources,
    Tools,
}

/// A revision's row.
#[allow(clippy::struct_excessive_bools, reason = "a row is flags: each is one independent fact of a revision")]
pub(crate) struct Era {
    pub(crate) revision: Revision,
    pub(crate) name: &'static str,
    /// Opens with `initialize`; otherwise every request is marked with its own metadata.
    pub(crate) handshake: bool,
    /// Whether an array of messages is a message.
    pub(crate) batches: bool,
    /// Whether clients of this revision know the version header of HTTP.
    knows_header: bool,
    /// Whether a request without a version header and without marks is taken for this revision.
    headerless: bool,
    /// Over HTTP, whether the end of the connection cancels the request.
    pub(crate) disconnect_cancels: bool,
    /// Whether the server may send requests to the client.
    pub(crate) requests: bool,
    /// Whether an event stream in a session opens with an event that only has an id, by which the client can come back.
    pub(crate) primed_streams: bool,
    /// Whether progress has a message.
    progress_message: bool,
    pub(crate) fields: &'static Fields,
    pub(crate) tools: &'static ToolFields,
    pub(crate) methods: &'static [Method],
    missing_capabilities: Code,
    unknown_resource: Code,
    refusal: fn(&Fault) -> Refusal,
    /// Writes the members of a result that come before the reply's own.
    open_result: fn(&mut Vec<u8>, &Reply<'_>, &[u8]),
}

/// Every revision, oldest first.
pub(crate) static ALL: [Era; 6] = [
    Era { revision: Revision::V2024_10_07, name: "2024-10-07", batches: true, ..legacy::FIRST },
    Era { revision: Revision::V2024_11_05, name: "2024-11-05", batches: true, ..legacy::FIRST },
    Era { revision: Revision::V2025_03_26, name: "2025-03-26", batches: true, headerless: true, ..legacy::MIDDLE },
    Era {
        revision: Revision::V2025_06_18,
        name: "2025-06-18",
        knows_header: true,
        fields: &Fields::TITLED,
        tools: &ToolFields::STRUCTURED,
        ..legacy::MIDDLE
    },
    Era {
        revision: Revision::V2025_11_25,
        name: "2025-11-25",
        knows_header: true,
        primed_streams: true,
        fields: &Fields::FULL,
        tools: &ToolFields::FULL,
        ..legacy::MIDDLE
    },
    Era { revision: Revision::V2026_07_28, name: "2026-07-28", ..modern::FIRST },
];

impl Era {
    pub(crate) fn method(&self, name: &str) -> Option<&'static Method> {
        self.methods.iter().find(|method| method.name == name)
    }

    pub(crate) fn code(&self, fault: &Fault) -> Code {
        match fault {
            Fault::Author { code, .. } => Code(*code),
            Fault::Busy => Code::BUSY,
            Fault::HeaderMismatch(_) => Code::HEADER_MISMATCH,
            Fault::Internal => Code::INTERNAL,
            Fault::InvalidParams(_) | Fault::UnknownCursor | Fault::UnknownTool(_) => Code::INVALID_PARAMS,
            Fault::InvalidRequest(_) | Fault::MissingScopes(_) | Fault::NoSession | Fault::UnknownSession => {
                Code::INVALID_REQUEST
            }
            Fault::MissingCapabilities(_) => self.missing_capabilities,
            Fault::UnknownMethod(_) => Code::METHOD_NOT_FOUND,
            Fault::UnknownResource { .. } => self.unknown_resource,
            Fault::UnsupportedVersion { .. } => Code::UNSUPPORTED_VERSION,
        }
    }

    /// The row of that name, for a name that came from the table.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|era| era.name == name)
    }

    /// Encodes a refusal.
    pub(crate) fn write_fault(&self, id: Option<IdToken<'_>>, fault: &Fault) -> (Wire, Refusal) {
        let bytes = write_error(id, self.code(fault), &fault.message(), fault.data().as_ref());
        (Wire::one(bytes), (self.refusal)(fault))
    }

    /// Encodes a result. Small ones are copied into one buffer; a large payload stays its own slice.
    pub(crate) fn write_reply(&self, id: IdToken<'_>, reply: Reply<'_>, server_info: &[u8]) -> Wire {
        /// Above this many bytes, copying costs more than sending another slice.
        const SLICED: usize = 8 * 1024;
        let copied = match &reply.members {
            Members::Contents { contents, .. } => contents.items.iter().map(wire::item_size).sum(),
            Members::Encoded(parts) => {
                parts.iter().map(Bytes::len).take_while(|length| *length <= SLICED).sum::<usize>()
            }
        };
        let mut out = Vec::with_capacity(192 + id.text().len() + server_info.len() + copied);
        out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
        out.extend_from_slice(id.text().as_bytes());
        out.extend_from_slice(b",\"result\":{");
        (self.open_result)(&mut out, &reply, server_info);
        let [first, payload, last] = match reply.members {
            Members::Encoded(parts) => parts,
            Members::Contents { contents, listing, content_meta } => {
                wire::contents(&mut out, contents, listing, content_meta, self.fields);
                out.extend_from_slice(b"}}");
                return Wire::one(out);
            }
        };
        if first.len() > SLICED {
            return Wire::three(out, first, closed(&[&payload, &last]));
        }
        out.extend_from_slice(&first);
        if payload.len() > SLICED {
            return Wire::three(out, payload, closed(&[&last]));
        }
        out.extend_from_slice(&payload);
        out.extend_from_slice(&last);
        out.extend_from_slice(b"}}");
        Wire::one(out)
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

/// Whether any revision has that method.
pub(crate) fn has_method(name: &str) -> bool {
    ALL.iter().any(|era| era.method(name).is_some())
}

/// The rows a server serves: all of them unless the author narrowed them.
#[derive(Clone, Debug)]
pub(crate) struct Served {
    rows: Vec<&'static Era>,
}

impl fmt::Debug for Era {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Default for Served {
    fn default() -> Self {
        Self { rows: ALL.iter().collect() }
    }
}

impl Served {
    /// Only these, in the table's order whatever the author's was.
    pub(crate) fn only(revisions: &[Revision]) -> Self {
        Self { rows: ALL.iter().filter(|era| revisions.contains(&era.revision)).collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn named(&self, name: &str) -> Option<&'static Era> {
        self.rows.iter().copied().find(|era| era.name == name)
    }

    fn modern(&self) -> impl DoubleEndedIterator<Item = &'static Era> {
        self.rows.iter().copied().filter(|era| !era.handshake)
    }

    fn newest_legacy(&self) -> Option<&'static Era> {
        self.rows.iter().rev().copied().find(|era| era.handshake)
    }

    /// What `initialize` settles on: the revision asked for if it has a handshake and is served, else the newest that is.
    pub(crate) fn negotiate(&self, requested: &str) -> Option<&'static Era> {
        self.named(requested).filter(|era| era.handshake).or_else(|| self.newest_legacy())
    }

    /// The names of all rows, newest first.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.rows.iter().rev().map(|era| era.name).collect()
    }

    pub(crate) fn modern_names(&self) -> Vec<&'static str> {
        self.modern().rev().map(|era| era.name).collect()
    }
}
