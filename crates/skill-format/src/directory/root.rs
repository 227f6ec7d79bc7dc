//! A directory by its handle: whatever is below it is opened name by name, and no link is followed.
//!
//! A path that is checked and then opened can be another file by then. Here the opened file is the checked one.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, statat};
use rustix::io::Errno;

use super::kind::{Kind, changed};

/// An open directory.
pub(super) struct Root(File);

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);
/// An open of a pipe, or of a device, must not wait for another process.
const FILE: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY);
const EXACT: OFlags = OFlags::NOFOLLOW.union(OFlags::CLOEXEC);

impl Root {
    /// Opens the directory at a path whose links are resolved.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(openat(CWD, path, FOLDER | EXACT, Mode::empty())?.into()))
    }

    /// What tells this directory from another one that has its path later.
    pub(super) fn identity(&self) -> io::Result<(u64, u64)> {
        self.0.metadata().map(|found| (found.dev(), found.ino()))
    }

    /// The names and kinds in a folder.
    pub(super) fn entries(&self, folder: &Path) -> io::Result<Vec<(OsString, Kind)>> {
        let folder = self.folder(folder)?;
        let mut entries = Vec::new();
        for entry in Dir::read_from(&folder)? {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            let kind = match entry.file_type() {
                FileType::Unknown => kind_at(&folder, name)?,
                known => kind(known),
            };
            entries.push((name.to_owned(), kind));
        }
        Ok(entries)
    }

    /// The kind of what is at a path; a link is a link.
    pub(super) fn kind(&self, path: &Path) -> io::Result<Kind> {
        match path.file_name() {
            Some(name) => kind_at(&self.folder(path.parent().unwrap_or(Path::new("")))?, name),
            None => Ok(Kind::Folder),
        }
    }

    /// Opens a regular file.
    pub(super) fn file(&self, path: &Path) -> io::Result<File> {
        let folder = self.folder(path.parent().unwrap_or(Path::new("")))?;
        let file = open_at(&folder, path.file_name().unwrap_or_default(), FILE)?;
        if file.metadata()?.is_file() { Ok(file) } else { Err(changed()) }
    }

    fn folder(&self, path: &Path) -> io::Result<File> {
        path.components().try_fold(self.0.try_clone()?, |folder, component| match component {
            Component::Normal(name) => open_at(&folder, name, FOLDER),
            _ => Err(changed()),
        })
    }
}

fn open_at(folder: &File, name: &OsStr, flags: OFlags) -> io::Result<File> {
    match openat(folder, name, flags | EXACT, Mode::empty()) {
        Ok(opened) => Ok(opened.into()),
        // A link, a socket, or a file where a folder was.
        Err(Errno::LOOP | Errno::MLINK | Errno::NOTDIR | Errno::NXIO) => Err(changed()),
        Err(error) => Err(error.into()),
    }
}

fn kind_at(folder: &File, name: &OsStr) -> io::Result<Kind> {
    let found = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(kind(FileType::from_raw_mode(found.st_mode)))
}

fn kind(found: FileType) -> Kind {
    match found {
        FileType::Directory => Kind::Folder,
        FileType::RegularFile => Kind::File,
        FileType::Symlink => Kind::Link,
        _ => Kind::Other,
    }
}
