//! Whether the host's files can be read: the answer of `Host::status`, and part of an error.

/// Whether the host's files can be read, or why not.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum HostStatus {
    /// Files can be read.
    Available,
    /// The client does not declare the extension, or declares it in an invalid form.
    NotAdvertised,
    /// The client declares the extension without reads.
    ReadDisabled,
    /// The protocol revision has no requests to the client. Serve only revisions that have, with
    /// `.revisions(Revision::HANDSHAKE)`.
    EraUnsupported,
    /// No request can reach this client: over HTTP there is no session, or the client accepts no event stream.
    NoBackChannel,
}
