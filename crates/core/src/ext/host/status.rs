//! Whether the host's files can be read: the answer of `Host::status`, and part of an error.

/// Whether the host's files can be read, and if not why.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum HostStatus {
    /// They can.
    Available,
    /// The client does not advertise the extension, or not in a form that means anything.
    NotAdvertised,
    /// It advertises the extension, without reading.
    ReadDisabled,
    /// The protocol revision has no requests from the server to the client: serve the others only, with
    /// `.revisions(Revision::HANDSHAKE)`.
    EraUnsupported,
    /// Nothing carries a request to this client: no session over HTTP, or a client that takes no event stream.
    NoBackChannel,
}
