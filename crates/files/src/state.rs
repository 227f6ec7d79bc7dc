//! What is known of a directory, and the one place that changes it: looks at the disk, compares, and changes the shelf.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grange_core::{Resource, WeakShelf};

use crate::diff::{Diff, Written};
use crate::hint::Hints;
use crate::index::Index;
use crate::reread::{keep_failed, reread};
use crate::resource::resource;
use crate::root::Root;
use crate::source::Source;
use crate::walk::{FILES, Filter, LeftOut, Walk};

/// A directory, its index and its shelf.
pub(crate) struct State {
    path: PathBuf,
    prefix: String,
    source: Arc<Source>,
    /// Weak, because the shelf decides how long a directory is followed.
    shelf: WeakShelf,
    held: Mutex<Held>,
}

struct Held {
    index: Index,
    filter: Box<Filter>,
    /// Warned of already.
    warned: LeftOut,
}

/// A folder that cannot be read.
pub(crate) type Failed = (String, io::Error);

impl State {
    pub(crate) fn new(path: &Path, prefix: &str, root: Root, shelf: WeakShelf) -> Self {
        let held = Held { index: Index::default(), filter: Box::new(|_| true), warned: LeftOut::default() };
        let source = Arc::new(Source::new(root));
        Self { path: path.to_owned(), prefix: prefix.to_owned(), source, shelf, held: Mutex::new(held) }
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a directory or a server still has the shelf.
    pub(crate) fn is_needed(&self) -> bool {
        self.shelf.upgrade().is_some()
    }

    pub(crate) fn set_filter(&self, filter: Box<Filter>) {
        self.held().filter = filter;
        self.look(&Hints::all(), &mut |_| {});
    }

    /// The first look, which fails if a folder cannot be read.
    pub(crate) fn open(&self) -> Result<(), Failed> {
        let mut held = self.held();
        let Held { index, filter, warned } = &mut *held;
        let Some(root) = self.source.root() else { return Ok(()) };
        let mut enter = |_: &str| {};
        let mut walk = Walk::new(&root, &**filter, &mut enter, FILES);
        walk.deep("", None);
        // A folder that vanished meanwhile is none.
        let is_there = |(path, error): &Failed| path.is_empty() || error.kind() != io::ErrorKind::NotFound;
        if let Some(failed) = std::mem::take(&mut walk.failed).into_iter().find(is_there) {
            return Err(failed);
        }
        let (found, left_out) = (walk.found, walk.left_out);
        self.publish(&Diff::between(index, &found, &Written::default()), &found);
        *index = found;
        self.warn(warned, left_out);
        Ok(())
    }

    /// Looks where the hints say, and changes the shelf. Returns where to look again. `enter` is called with each folder before it is read.
    pub(crate) fn look(&self, hints: &Hints, enter: &mut dyn FnMut(&str)) -> Hints {
        let mut held = self.held();
        let Held { index, filter, warned } = &mut *held;
        let Some(root) = self.source.root() else {
            let before = std::mem::take(index);
            self.publish(&Diff::between(&before, index, &Written::default()), index);
            return Hints::default();
        };
        let most = if hints.all { FILES } else { FILES.saturating_sub(index.len()) };
        let mut walk = Walk::new(&root, &**filter, enter, most);
        let before = reread(&mut walk, index, hints);
        let again = keep_failed(&mut walk, &before);
        let (after, left_out) = (walk.found, walk.left_out);
        let written = Written::new(hints.written.iter().map(String::as_str), &after);
        self.publish(&Diff::between(&before, &after, &written), &after);
        index.extend(after);
        self.warn(warned, left_out);
        again
    }

    /// Finds out whether another directory, or none, is at the path by now. Returns the one that is there.
    pub(crate) fn follow_root(&self) -> Option<Arc<Root>> {
        let current = self.source.root().filter(|root| root.is_at(&self.path));
        if current.is_some() {
            return current;
        }
        let opened = Root::open(&self.path).ok().map(Arc::new);
        self.source.set_root(opened.clone());
        opened
    }

    /// Changes the shelf at once. The files that came or changed are in `after`.
    fn publish(&self, diff: &Diff, after: &Index) {
        let Some(served) = self.shelf.upgrade().filter(|_| !diff.is_empty()) else { return };
        let changed = diff.inserted.iter().chain(&diff.updated);
        let resources: Vec<Resource> = changed.filter_map(|path| self.resource(path, after)).collect();
        let outcome = served.change(|set| {
            for path in &diff.removed {
                set.remove(&crate::uri::uri(&self.prefix, path));
            }
            for resource in resources {
                set.insert(resource);
            }
        });
        if let Err(error) = outcome {
            tracing::warn!(target: "grange", directory = %self.path.display(), %error, "files are not served");
        }
    }

    fn resource(&self, path: &str, after: &Index) -> Option<Resource> {
        after.file(path).map(|file| resource(&self.source, &self.prefix, path, file))
    }

    /// Warns once of each kind of what is left out.
    fn warn(&self, warned: &mut LeftOut, found: LeftOut) {
        let directory = self.path.display();
        let is_new = |count: usize, before: &mut usize| count > 0 && std::mem::replace(before, count) == 0;
        if is_new(found.names, &mut warned.names) {
            let count = found.names;
            tracing::warn!(target: "grange", %directory, count, "names that are not UTF-8 are left out: rename them");
        }
        if is_new(found.files, &mut warned.files) {
            let count = found.files;
            tracing::warn!(target: "grange", %directory, count, "files beyond {FILES} are left out: use `filter`");
        }
        if is_new(found.folders, &mut warned.folders) {
            let count = found.folders;
            tracing::warn!(target: "grange", %directory, count, "folders inside too many others are left out: nest less");
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").field("path", &self.path).field("prefix", &self.prefix).finish_non_exhaustive()
    }
}
