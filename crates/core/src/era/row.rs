//! A revision's row: flags for its features, and function pointers for its behavior.
//!
//! Not here: the rows themselves (`table.rs`), and which row a request belongs to (`select.rs`).

use std::fmt;

use super::fields::{Fields, ToolFields};
use super::revision::Revision;
use crate::call::{Call, Reply};
use crate::model::{Primitive, Text};
use crate::rejection::Rejection;
use crate::rpc::{Code, IdToken, Params, Wire, write_error};

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
    /// The primitive that the server must have for this method.
    pub(crate) needs: Option<Primitive>,
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

    pub(crate) fn code(&self, rejection: &Rejection) -> Code {
        match rejection {
            Rejection::Author { code, .. } => Code(*code),
            Rejection::Busy => Code::BUSY,
            Rejection::HeaderMismatch(_) => Code::HEADER_MISMATCH,
            Rejection::Internal => Code::INTERNAL,
            Rejection::InvalidParams(_) | Rejection::LongUri | Rejection::UnknownCursor | Rejection::UnknownTool(_) => {
                Code::INVALID_PARAMS
            }
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
