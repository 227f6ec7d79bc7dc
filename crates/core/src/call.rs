//! The narrow waist: what a client can ask and what we can answer, free of any revision.

use std::borrow::Cow;

use bytes::Bytes;

use crate::model::{CacheHints, Metadata, Primitive};
use crate::rpc::Raw;

/// Everything a client can ask. The revision knows which methods and parameters stand for it.
#[derive(Debug)]
pub(crate) enum Call<'a> {
    /// What the server is and has, without a handshake.
    Discover,
    /// Opens a handshake.
    Initialize {
        requested: Cow<'a, str>,
    },
    /// A page of the list of one primitive.
    List {
        primitive: Primitive,
        cursor: Option<&'a str>,
    },
    /// Asks for a stream of change notifications.
    Listen,
    Ping,
    /// Reads or calls one by its name.
    Use {
        primitive: Primitive,
        /// A resource's is its URI.
        name: &'a str,
        /// An object, if it is there.
        arguments: Option<Raw<'a>>,
    },
}

/// What kind of result an answer is.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum ResultKind {
    /// The request is done.
    #[default]
    Complete,
}

/// A successful answer. Failures are [`crate::fault::Fault`]s; error codes exist only once either is encoded.
#[derive(Debug, Default)]
pub(crate) struct Reply<'a> {
    pub(crate) kind: ResultKind,
    /// Sent where the revision has cache hints and the method is one that carries them.
    pub(crate) cache: Option<CacheHints>,
    /// Result-level `_meta` of the author.
    pub(crate) meta: Option<&'a Metadata>,
    /// The method's own members, encoded for the shape of the row and mostly shared with other answers: head, payload, tail, in this
    /// order.
    pub(crate) members: [Bytes; 3],
}

impl Reply<'_> {
    pub(crate) fn members(members: impl Into<Bytes>) -> Self {
        Self { members: [members.into(), Bytes::new(), Bytes::new()], ..Self::default() }
    }
}
