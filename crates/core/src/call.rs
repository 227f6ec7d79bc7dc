//! The requests that a client can send and the replies that the engine gives, independent of any revision.

use std::borrow::Cow;

use bytes::Bytes;

use crate::changes::Lists;
use crate::model::{CacheHints, Metadata, Primitive};
use crate::rpc::Raw;

/// A request of a client. The row decides which method and parameters stand for it.
#[derive(Debug)]
pub(crate) enum Call<'a> {
    /// Completes one argument of a template or a prompt. In a box, since other requests are more frequent and smaller.
    Complete(Box<Complete<'a>>),
    /// The identity and the capabilities of the server, without a handshake.
    Discover,
    /// Opens a handshake.
    Initialize {
        requested: Cow<'a, str>,
    },
    /// Lists a page of one primitive.
    List {
        primitive: Primitive,
        cursor: Option<&'a str>,
    },
    /// Opens a held stream of change notifications, with these lists and with the resources of an array of URIs.
    Listen {
        lists: Lists,
        uris: Option<Raw<'a>>,
    },
    /// Subscribes to the changes of a resource, or ends that.
    Subscribe {
        uri: &'a str,
        ends: bool,
    },
    Ping,
    /// Reads or calls one of a primitive, by its name.
    Use {
        primitive: Primitive,
        /// For a resource, its URI.
        name: &'a str,
        /// A JSON object, if the request has it.
        arguments: Option<Raw<'a>>,
    },
}

/// A request to complete one argument.
#[derive(Debug)]
pub(crate) struct Complete<'a> {
    pub(crate) reference: Reference,
    /// The name of the argument.
    pub(crate) name: String,
    /// What is typed of its value.
    pub(crate) value: String,
    /// As sent. Not every revision has it.
    pub(crate) context: Option<Raw<'a>>,
}

/// What has the argument.
#[derive(Debug)]
pub(crate) enum Reference {
    /// A prompt, by its name.
    Prompt(String),
    /// A template or a resource, by its URI.
    Resource(String),
}

/// The kind of a result.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum ResultKind {
    /// The request is done.
    #[default]
    Complete,
}

/// A successful reply; an unsuccessful one is a [`crate::rejection::Rejection`]. Either gets codes and names of a revision only
/// when it is encoded.
#[derive(Debug, Default)]
pub(crate) struct Reply<'a> {
    pub(crate) kind: ResultKind,
    /// Cache hints, if the method has them. Sent if the revision has them too.
    pub(crate) cache: Option<CacheHints>,
    /// The author's `_meta` of the whole result.
    pub(crate) meta: Option<&'a Metadata>,
    /// The method's own members, encoded for the fields of the row and mostly shared with other replies: head, payload,
    /// tail, in this order.
    pub(crate) members: [Bytes; 3],
}

impl Reply<'_> {
    pub(crate) fn members(members: impl Into<Bytes>) -> Self {
        Self { members: [members.into(), Bytes::new(), Bytes::new()], ..Self::default() }
    }
}
