//! The served directory by its handle: whatever is below it is opened beneath the handle, so that no link and no exchanged folder leads
//! out of it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions};

use crate::index::{self, Identity};

/// An open directory.
#[derive(Debug)]
pub(crate) struct Root {
    dir: Dir,
    identity: Identity,
    /// Its path, with links resolved.
    path: PathBuf,
}

impl Root {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let path = fs::canonicalize(path)?;
        let dir = Dir::open_ambient_dir(&path, ambient_authority())?;
        Ok(Self { identity: identity(&dir.dir_metadata()?), dir, path })
    }

    pub(crate) fn identity(&self) -> Identity {
        self.identity
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether this directory is the one at a path now.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        let is_same = |found: fs::Metadata| identity(&Metadata::from_just_metadata(found)) == self.identity;
        fs::canonicalize(path).is_ok_and(|path| path == self.path) && fs::metadata(path).is_ok_and(is_same)
    }

    /// Opens a folder.
    pub(crate) fn folder(&self, path: &str) -> io::Result<Dir> {
        if path.is_empty() { self.dir.try_clone() } else { self.dir.open_dir(path) }
    }

    /// The file to which a link leads. `None` if it is no regular file.
    pub(crate) fn target(&self, link: &str) -> io::Result<Option<index::File>> {
        let found = self.dir.metadata(link)?;
        Ok(found.is_file().then(|| file(&found)))
    }

    /// Opens a regular file. Nothing else is opened, because an open of a device can change it.
    pub(crate) fn file(&self, path: &str) -> io::Result<File> {
        let no_file = || io::Error::from(io::ErrorKind::NotFound);
        if !self.dir.metadata(path)?.is_file() {
            return Err(no_file());
        }
        let file = self.dir.open_with(path, &options())?;
        if file.metadata()?.is_file() { Ok(file) } else { Err(no_file()) }
    }

    /// Whether changes that other machines make here come without events: the file system is that of a network, or of the host of a
    /// virtual machine.
    #[cfg(target_os = "linux")]
    pub(crate) fn is_remote(&self) -> bool {
        /// `f_type` of statfs(2): NFS, SMB (three), FUSE and virtiofs, 9P, AFS, Ceph, the shared folders of a virtual machine.
        const REMOTE: [u64; 9] =
            [0x6969, 0x517B, 0xFE53_4D42, 0xFF53_4D42, 0x6573_5546, 0x0102_1997, 0x5346_414F, 0x00C3_6400, 0x786F_4256];
        let kind = rustix::fs::fstatfs(&self.dir).ok().and_then(|found| u64::try_from(found.f_type).ok());
        kind.is_some_and(|kind| REMOTE.contains(&kind))
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn is_remote(&self) -> bool {
        false
    }
}

/// What the index has of a file.
pub(crate) fn file(found: &Metadata) -> index::File {
    let modified = found.modified().ok().map(cap_std::time::SystemTime::into_std);
    index::File { size: found.len(), modified, identity: identity(found) }
}

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "other systems have no identity")]
pub(crate) fn identity(found: &Metadata) -> Identity {
    use cap_std::fs::MetadataExt as _;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
pub(crate) fn identity(_found: &Metadata) -> Identity {
    None
}

/// A file that was exchanged for a pipe must not wait for another process.
fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::NONBLOCK.union(rustix::fs::OFlags::NOCTTY).bits();
        options.custom_flags(i32::try_from(flags).unwrap_or_default());
    }
    options
}
