//! What an event of the file system hints at. **An event is never believed**: it says where to look, and what is there decides.

use std::collections::BTreeSet;
use std::path::Path;

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind};

use crate::index::split;

/// Beyond this number of paths, all is read again: what waits for a look is bounded.
const MOST: usize = 10_000;

/// Where to look.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Hints {
    /// Everywhere.
    pub(crate) all: bool,
    /// In these folders.
    pub(crate) folders: BTreeSet<String>,
    /// At these entries, with all below them: they came, went or were renamed.
    pub(crate) entries: BTreeSet<String>,
    /// These files were written to, even if their metadata are the same.
    pub(crate) written: BTreeSet<String>,
}

impl Hints {
    pub(crate) fn all() -> Self {
        Self { all: true, ..Self::default() }
    }

    /// What an event hints at, below this root.
    pub(crate) fn of(event: &Event, root: &Path) -> Self {
        if event.need_rescan() {
            return Self::all();
        }
        let mut hints = Self::default();
        // A read must not announce itself. The end of a write is no read, and its data can have come without an event.
        if matches!(event.kind, EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write)) {
            return hints;
        }
        for path in event.paths.iter().filter_map(|path| relative(path, root)) {
            hints.note(event.kind, path);
        }
        hints
    }

    fn note(&mut self, kind: EventKind, path: String) {
        self.folders.insert(split(&path).0.to_owned());
        match kind {
            EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)) => {}
            EventKind::Modify(ModifyKind::Data(_)) => drop(self.written.insert(path)),
            EventKind::Modify(ModifyKind::Any) => {
                self.written.insert(path.clone());
                self.entries.insert(path);
            }
            _ => drop(self.entries.insert(path)),
        }
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.all |= other.all;
        self.folders.extend(other.folders);
        self.entries.extend(other.entries);
        self.written.extend(other.written);
        if self.folders.len() + self.entries.len() > MOST {
            self.all = true;
        }
        if self.all {
            self.folders.clear();
            self.entries.clear();
        }
        if self.written.len() > MOST {
            self.written.clear();
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.all && self.folders.is_empty()
    }
}

/// The path below the root, with `/` between segments. `None` for a name that is not UTF-8, which is never served.
fn relative(path: &Path, root: &Path) -> Option<String> {
    let segments: Option<Vec<&str>> = path.strip_prefix(root).ok()?.iter().map(|segment| segment.to_str()).collect();
    Some(segments?.join("/"))
}
