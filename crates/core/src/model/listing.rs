//! What a list says of a resource, and what a server says of itself.

use super::{Annotations, Icon, Metadata, Text};

/// The listing metadata of a resource: everything `resources/list` may show, in any revision.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Listing {
    pub(crate) uri: Text,
    pub(crate) name: Text,
    pub(crate) title: Option<Text>,
    pub(crate) description: Option<Text>,
    pub(crate) mime_type: Option<Text>,
    /// Bytes of the content before any encoding.
    pub(crate) size: Option<u64>,
    pub(crate) annotations: Annotations,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Metadata,
}

/// Who the server is: `serverInfo`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Identity {
    pub(crate) name: Text,
    pub(crate) version: Text,
    pub(crate) title: Option<Text>,
    pub(crate) description: Option<Text>,
    pub(crate) website_url: Option<Text>,
    pub(crate) icons: Vec<Icon>,
}
