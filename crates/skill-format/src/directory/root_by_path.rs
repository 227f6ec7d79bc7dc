//! A directory by its path, for systems without handles of folders in the standard library or rustix.
//!
//! On Windows a file that becomes a link is noticed, because the link itself is opened. **A folder that becomes a link
//! while the directory is read is not.** Elsewhere neither is.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::kind::{Kind, changed};

/// A directory.
pub(super) struct Root(PathBuf);

impl Root {
    /// The directory at a path whose links are resolved.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        fs::read_dir(path).map(|_| Self(path.to_owned()))
    }

    /// Nothing tells two directories apart.
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "it is as where there are handles")]
    pub(super) fn identity(&self) -> io::Result<(u64, u64)> {
        Ok((0, 0))
    }

    /// The names and kinds in a folder.
    pub(super) fn entries(&self, folder: &Path) -> io::Result<Vec<(OsString, Kind)>> {
        let entries = fs::read_dir(self.0.join(folder))?;
        entries.map(|entry| entry.and_then(|entry| Ok((entry.file_name(), kind(entry.file_type()?))))).collect()
    }

    /// The kind of what is at a path; a link is a link.
    pub(super) fn kind(&self, path: &Path) -> io::Result<Kind> {
        fs::symlink_metadata(self.0.join(path)).map(|found| kind(found.file_type()))
    }

    /// Opens a regular file.
    pub(super) fn file(&self, path: &Path) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(windows)]
        {
            /// `FILE_FLAG_OPEN_REPARSE_POINT`: a link is opened, and not what it leads to.
            const LINK_ITSELF: u32 = 0x0020_0000;
            std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, LINK_ITSELF);
        }
        let file = options.open(self.0.join(path))?;
        if file.metadata()?.is_file() { Ok(file) } else { Err(changed()) }
    }
}

fn kind(found: fs::FileType) -> Kind {
    if found.is_dir() {
        Kind::Folder
    } else if found.is_file() {
        Kind::File
    } else if found.is_symlink() {
        Kind::Link
    } else {
        Kind::Other
    }
}
