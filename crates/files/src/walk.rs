//! Reads folders beneath the root into an index: one, or all below one.

use std::ffi::OsString;
use std::io;

use cap_std::fs::DirEntry;

use crate::index::{Folder, Identity, Index, join};
use crate::root::{Root, file, identity};

/// Most files of a directory.
pub(crate) const FILES: usize = 100_000;
/// Most folders inside each other.
const DEPTH: usize = 64;

/// Decides by its path whether a file is served.
pub(crate) type Filter = dyn Fn(&str) -> bool + Send + Sync;

/// Counts of what cannot be served.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct LeftOut {
    pub(crate) names: usize,
    pub(crate) files: usize,
    pub(crate) folders: usize,
}

/// A folder in another one.
#[derive(Debug)]
pub(crate) struct Subfolder {
    pub(crate) name: String,
    pub(crate) identity: Identity,
}

/// What was found so far.
pub(crate) struct Walk<'a> {
    root: &'a Root,
    filter: &'a Filter,
    /// Called for each folder before it is read, so that it is watched by then.
    enter: &'a mut dyn FnMut(&str),
    /// How many more files there may be.
    room: usize,
    pub(crate) found: Index,
    pub(crate) left_out: LeftOut,
    /// Folders that could not be read.
    pub(crate) failed: Vec<(String, io::Error)>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(root: &'a Root, filter: &'a Filter, enter: &'a mut dyn FnMut(&str), most: usize) -> Self {
        let (found, left_out) = (Index::default(), LeftOut::default());
        Self { root, filter, enter, room: most, found, left_out, failed: Vec::new() }
    }

    /// So many files fewer are there beside those that are found.
    pub(crate) fn free(&mut self, files: usize) {
        self.room += files;
    }

    /// Reads a folder and all below it.
    pub(crate) fn deep(&mut self, path: &str, identity: Identity) {
        let mut waiting = vec![(path.to_owned(), identity)];
        while let Some((path, identity)) = waiting.pop() {
            let subfolders = self.folder(&path, identity);
            waiting.extend(subfolders.into_iter().map(|inner| (join(&path, &inner.name), inner.identity)));
        }
    }

    /// Reads one folder and returns those in it. `identity` is that of the folder that was listed, if it was.
    pub(crate) fn folder(&mut self, path: &str, identity: Identity) -> Vec<Subfolder> {
        if !path.is_empty() && path.split('/').count() > DEPTH {
            self.left_out.folders += 1;
            return Vec::new();
        }
        (self.enter)(path);
        self.read(path, identity).unwrap_or_else(|error| {
            self.failed.push((path.to_owned(), error));
            Vec::new()
        })
    }

    fn read(&mut self, path: &str, listed: Identity) -> io::Result<Vec<Subfolder>> {
        let dir = self.root.folder(path)?;
        let mut folder = Folder { identity: identity(&dir.dir_metadata()?), ..Folder::default() };
        // A link that was put in the place of the folder leads to another one.
        if listed.is_some_and(|listed| Some(listed) != folder.identity) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let mut subfolders = Vec::new();
        for entry in dir.entries()? {
            let entry = entry?;
            if let Some(name) = self.name(entry.file_name()) {
                match self.entry(&mut folder, path, name, &entry) {
                    Ok(subfolder) => subfolders.extend(subfolder),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(error),
                }
            }
        }
        self.found.folders.insert(path.to_owned(), folder);
        Ok(subfolders)
    }

    /// The name of an entry that may be served.
    fn name(&mut self, name: OsString) -> Option<String> {
        if name.as_encoded_bytes().starts_with(b".") {
            return None;
        }
        let name = name.into_string().ok();
        self.left_out.names += usize::from(name.is_none());
        name
    }

    fn entry(
        &mut self,
        folder: &mut Folder,
        path: &str,
        name: String,
        entry: &DirEntry,
    ) -> io::Result<Option<Subfolder>> {
        let kind = entry.file_type()?;
        if kind.is_dir() {
            return Ok(Some(Subfolder { name, identity: identity(&entry.metadata()?) }));
        }
        folder.has_links |= kind.is_symlink();
        let path = join(path, &name);
        if !(kind.is_file() || kind.is_symlink()) || !(self.filter)(&path) {
            return Ok(None);
        }
        // A link that leads nowhere, or out, is no error of the folder.
        let found =
            if kind.is_file() { Some(file(&entry.metadata()?)) } else { self.root.target(&path).ok().flatten() };
        if let Some(found) = found {
            if self.room == 0 {
                self.left_out.files += 1;
            } else {
                self.room -= 1;
                folder.files.insert(name, found);
            }
        }
        Ok(None)
    }
}
