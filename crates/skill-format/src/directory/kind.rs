//! The kinds of entries of a directory.

use std::io;

/// What an entry is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    Folder,
    File,
    Link,
    /// A pipe, a socket, a device.
    Other,
}

/// The error about an entry that is another one than when it was listed.
pub(super) fn changed() -> io::Error {
    io::Error::other("it was exchanged while it was read, so try again when nothing changes the directory")
}
