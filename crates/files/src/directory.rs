//! A directory of files as a shelf of resources: what an author uses.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use grange_core::{CacheScope, Shelf};

use crate::error::{DirectoryError, Problem};
use crate::follow::{Means, follow};
use crate::hint::Hints;
use crate::root::Root;
use crate::signal::Signal;
use crate::state::State;
use crate::uri;

/// The files below a directory, each as one resource. Add it to a server with `.shelf(&directory)`. Clones are the same directory.
///
/// ```
/// use grange_core::Server;
/// use grange_files::Directory;
///
/// let manual = Directory::open("src", "docs://manual/")?.filter(|path| path.ends_with(".rs")).watch()?;
/// let server = Server::builder("manual", "1.0.0").shelf(&manual).build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The URI of a file is the prefix and its path below the directory, with all but unreserved characters escaped; its name is that path. Its
/// MIME type is that of the extension. **A URI of a client never becomes a path**: it is compared with those of the files that were found.
///
/// Left out are names that begin with a dot or are not UTF-8, links that lead out of the directory or to a folder, pipes and devices, files
/// beyond 100,000, and folders inside 64 others.
#[derive(Clone)]
pub struct Directory {
    pub(crate) state: Arc<State>,
    shelf: Shelf,
    /// Of the thread that follows the directory, if there is one.
    signal: Arc<Signal>,
}

impl Directory {
    /// Finds all files below a directory. The prefix is that of their URIs, as `docs://manual/`.
    ///
    /// Without [`watch`](Self::watch) or [`poll`](Self::poll), the list stays as it is until [`rescan`](Self::rescan); a read always gives
    /// what the file has then.
    ///
    /// # Errors
    /// The directory or a folder below it cannot be read, or the prefix makes no URIs.
    pub fn open(path: impl AsRef<Path>, prefix: &str) -> Result<Self, DirectoryError> {
        let path = path.as_ref();
        uri::check(prefix).map_err(|error| DirectoryError(Problem::Prefix { prefix: prefix.to_owned(), error }))?;
        let unreadable = |path: &Path, error| DirectoryError(Problem::Unreadable { path: path.to_owned(), error });
        let root = Root::open(path).map_err(|error| unreadable(path, error))?;
        let shelf = Shelf::new();
        let state = State::new(path, prefix, root, shelf.downgrade());
        state.open().map_err(|(folder, error)| unreadable(&path.join(folder), error))?;
        Ok(Self { state: Arc::new(state), shelf, signal: Arc::default() })
    }

    /// Serves only the files for whose paths, with `/` between segments, the function returns `true`. It is called for each file whenever
    /// its folder is read.
    #[must_use]
    pub fn filter(self, filter: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.state.set_filter(Box::new(filter));
        self
    }

    /// The most bytes of a file that is read; a larger one is an error that says so. Default: 16 MiB.
    #[must_use]
    pub fn max_bytes(self, bytes: u64) -> Self {
        self.state.source().set_max_bytes(bytes);
        self
    }

    /// Who may share a cached list with these files; see [`Shelf::cache_scope`].
    #[must_use]
    pub fn cache_scope(mut self, scope: CacheScope) -> Self {
        self.shelf = self.shelf.cache_scope(scope);
        self
    }

    /// Follows the directory: a thread waits for events of the file system, and reads again the folders where something has changed, after
    /// 100 ms without an event and at most 1 s. It ends within a second after the directory and all servers with it are dropped.
    ///
    /// Where there are no events (a network file system, no watches left), all is read every 30 s, and a warning says so. If the directory
    /// vanishes, its resources do too, until there is one at the path again.
    ///
    /// # Errors
    /// The thread cannot start.
    pub fn watch(self) -> Result<Self, DirectoryError> {
        self.follow(Means::Events)
    }

    /// Follows the directory without events of the file system: reads all folders at this interval. Use it in place of
    /// [`watch`](Self::watch) for a file system that has no events and is not recognised, such as some mounts of containers.
    ///
    /// ```
    /// use std::time::Duration;
    /// use grange_files::Directory;
    /// let manual = Directory::open("src", "docs://manual/")?.poll(Duration::from_secs(10))?;
    /// # Ok::<(), grange_files::DirectoryError>(())
    /// ```
    ///
    /// # Errors
    /// The thread cannot start.
    pub fn poll(self, every: Duration) -> Result<Self, DirectoryError> {
        self.follow(Means::Poll(every))
    }

    /// Reads all folders now, for example on SIGHUP, and returns when the resources are those of the disk.
    pub fn rescan(&self) {
        self.state.follow_root();
        self.state.look(&Hints::all(), &mut |_| {});
        // The thread watches folders that it did not know.
        self.signal.add(Hints::all());
    }

    fn follow(self, means: Means) -> Result<Self, DirectoryError> {
        let started = follow(Arc::clone(&self.state), Arc::clone(&self.signal), means);
        started.map_err(|error| DirectoryError(Problem::Thread(error)))?;
        Ok(self)
    }
}

/// The shelf with the files. Changes that others make to it last until the file changes.
impl AsRef<Shelf> for Directory {
    fn as_ref(&self) -> &Shelf {
        &self.shelf
    }
}

impl fmt::Debug for Directory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, len) = (self.state.path(), self.shelf.len());
        f.debug_struct("Directory").field("path", &path).field("len", &len).finish_non_exhaustive()
    }
}
