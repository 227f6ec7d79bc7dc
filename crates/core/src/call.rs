//! The narrow waist: what a client can ask and what we can answer, free of any revision.

use std::borrow::Cow;

use bytes::Bytes;

use crate::model::{CacheHints, Contents, Listing, Metadata, Primitive};
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
    pub(crate) members: Members<'a>,
}

/// The members of a result that are its method's own.
#[derive(Debug)]
pub(crate) enum Members<'a> {
    /// Encoded for the revision's row shape, and mostly shared with other answers: head, payload, tail, in this order.
    Encoded([Bytes; 3]),
    /// What a reader gave, to be encoded where it is sent.
    Contents {
        contents: &'a Contents,
        /// Of the resource.
        listing: &'a Listing,
        content_meta: &'a Metadata,
    },
}

impl Default for Members<'_> {
    fn default() -> Self {
        Self::Encoded(Default::default())
    }
}

impl Members<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Encoded(parts) => parts.iter().all(Bytes::is_empty),
            Self::Contents { .. } => false,
        }
    }
}

impl Reply<'_> {
    pub(crate) fn members(members: impl Into<Bytes>) -> Self {
        let members = Members::Encoded([members.into(), Bytes::new(), Bytes::new()]);
        Self { members, ..Self::default() }
    }
}
