//! A revision's row: flags for what the revision has, and function pointers for what it does.
//!
//! Not here: the rows themselves (`table.rs`), and which row a request belongs to (`select.rs`).

use std::fmt;

use super::fields::{Fields, ToolFields};
use super::revision::Revision;
use crate::call::{Call, Reply};
use crate::fault::Fault;
use crate::model::{Primitive, Text};
use crate::rpc::{Code, IdToken, Params, Wire, write_error};

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
    /// What must have been declared for it.
    pub(crate) needs: Option<Primitive>,
    /// The parameter that `Mcp-Name` mirrors, where the method has one.
    pub(super) mirrored: Option<&'static str>,
    pub(crate) read: for<'a> fn(&'a Params<'a>) -> Result<Call<'a>, Fault>,
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
    pub(super) knows_header: bool,
    /// Whether a request without a version header and without marks is taken for this revision.
    pub(super) headerless: bool,
    /// Over HTTP, whether the end of the connection cancels the request.
    pub(crate) disconnect_cancels: bool,
    /// Whether the server may send requests to the client.
    pub(crate) requests: bool,
    /// Whether an event stream in a session opens with an event that only has an id, by which the client can come back.
    pub(crate) id_only_first_event: bool,
    /// Whether progress has a message.
    pub(super) progress_message: bool,
    pub(crate) fields: &'static Fields,
    pub(crate) tools: &'static ToolFields,
    pub(crate) methods: &'static [Method],
    pub(super) missing_capabilities: Code,
    pub(super) unknown_resource: Code,
    pub(super) refusal: fn(&Fault) -> Refusal,
    /// Writes the members of a result that come before the method's own: from the reply and `serverInfo`, and a comma if the method has
    /// some.
    pub(super) open_result: fn(&mut Vec<u8>, &Reply<'_>, &[u8], bool),
}

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
            Fault::InvalidParams(_) | Fault::LongUri | Fault::UnknownCursor | Fault::UnknownTool(_) => {
                Code::INVALID_PARAMS
            }
            Fault::InvalidRequest(_) | Fault::MissingScopes(_) | Fault::NoSession | Fault::UnknownSession => {
                Code::INVALID_REQUEST
            }
            Fault::MissingCapabilities(_) => self.missing_capabilities,
            Fault::UnknownMethod(_) => Code::METHOD_NOT_FOUND,
            Fault::UnknownResource { .. } => self.unknown_resource,
            Fault::UnsupportedVersion { .. } => Code::UNSUPPORTED_VERSION,
        }
    }

    /// Encodes a refusal.
    pub(crate) fn write_fault(&self, id: Option<IdToken<'_>>, fault: &Fault) -> (Wire, Refusal) {
        let bytes = write_error(id, self.code(fault), &fault.message(), fault.data().as_ref());
        (Wire::one(bytes), (self.refusal)(fault))
    }
}

impl fmt::Debug for Era {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
