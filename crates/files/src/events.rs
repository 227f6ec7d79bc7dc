//! The events of the file system below one root.

use std::path::Path;
use std::sync::Arc;

use notify::{Config, Error, ErrorKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::hint::Hints;
use crate::root::Root;
use crate::signal::Signal;

/// Whether one watch of the root covers all below it. Elsewhere each folder is watched alone, before it is read: what comes into a new
/// folder is not missed, and hidden folders cost nothing.
const IS_RECURSIVE: bool = cfg!(any(windows, target_os = "macos"));

/// Watches folders, never files: a file that is replaced is another one.
pub(crate) struct Events {
    watcher: RecommendedWatcher,
    pub(crate) root: Arc<Root>,
    /// Why there are no more events.
    pub(crate) failure: Option<Error>,
}

impl Events {
    pub(crate) fn start(root: Arc<Root>, signal: &Arc<Signal>) -> Result<Self, Error> {
        let (signal, path) = (Arc::clone(signal), root.path().to_owned());
        let handler = move |event: Result<notify::Event, Error>| {
            signal.add(event.map_or_else(|_| Hints::all(), |event| Hints::of(&event, &path)));
        };
        let watcher = RecommendedWatcher::new(handler, Config::default().with_follow_symlinks(false))?;
        Ok(Self { watcher, root, failure: None })
    }

    /// Watches a folder, again if it was watched: it can be another one.
    pub(crate) fn watch(&mut self, folder: &str) {
        if self.failure.is_some() || IS_RECURSIVE && !folder.is_empty() {
            return;
        }
        let path = if folder.is_empty() { self.root.path().to_owned() } else { self.root.path().join(folder) };
        let mode = if IS_RECURSIVE { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        self.failure = self.watcher.watch(&path, mode).err().filter(|error| !is_gone(error, &path));
    }
}

/// Whether a watch failed only because the folder is no longer there.
fn is_gone(error: &Error, path: &Path) -> bool {
    let is_missing = matches!(&error.kind, ErrorKind::PathNotFound)
        || matches!(&error.kind, ErrorKind::Io(error) if error.kind() == std::io::ErrorKind::NotFound);
    is_missing || !path.is_dir()
}
