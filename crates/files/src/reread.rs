//! Reads again what hints point to, and takes the old state of that out of the index.

use std::collections::BTreeSet;
use std::io::ErrorKind;

use crate::hint::Hints;
use crate::index::{Index, join, split};
use crate::walk::Walk;

/// Reads again where the hints say. Returns the part of the index that was read again, as it was before; it is no longer in the index.
pub(crate) fn reread(walk: &mut Walk<'_>, index: &mut Index, hints: &Hints) -> Index {
    if hints.all {
        walk.deep("", None);
        return std::mem::take(index);
    }
    let mut before = Index::default();
    for path in places(index, hints) {
        // With the whole folder that it was in, it was read already.
        let Some(old) = index.folders.remove(&path) else { continue };
        walk.free(old.files.len());
        before.folders.insert(path.clone(), old);
        again(walk, index, &mut before, &path, hints);
    }
    before
}

/// The known folders that are to be read. Those with links always are: what a link leads to can be in a folder that nobody watches.
fn places(index: &Index, hints: &Hints) -> BTreeSet<String> {
    let is_wanted = |path: &String, has_links: bool| has_links || hints.folders.contains(path);
    let wanted = index.folders.iter().filter(|(path, folder)| is_wanted(path, folder.has_links));
    wanted.map(|(path, _)| path.clone()).collect()
}

/// Reads one folder, and whole folders in it that are new, exchanged or hinted at.
fn again(walk: &mut Walk<'_>, index: &mut Index, before: &mut Index, path: &str, hints: &Hints) {
    let mut gone: BTreeSet<String> = index.subfolders(path).into_iter().collect();
    for inner in walk.folder(path, None) {
        gone.remove(&inner.name);
        let inside = join(path, &inner.name);
        let known = index.folders.get(&inside).map(|folder| folder.identity);
        if known != Some(inner.identity) || hints.entries.contains(&inside) {
            take(walk, index, before, &inside);
            walk.deep(&inside, inner.identity);
        }
    }
    for name in gone {
        take(walk, index, before, &join(path, &name));
    }
}

fn take(walk: &mut Walk<'_>, index: &mut Index, before: &mut Index, path: &str) {
    let taken = index.take(path);
    walk.free(taken.len());
    before.extend(taken);
}

/// Keeps the old state of folders that could not be read for a passing reason, such as too many open files. Returns where to look again.
pub(crate) fn keep_failed(walk: &mut Walk<'_>, before: &Index) -> Hints {
    let is_lasting =
        |kind| matches!(kind, ErrorKind::NotFound | ErrorKind::PermissionDenied | ErrorKind::NotADirectory);
    let mut again = Hints::default();
    for (path, error) in std::mem::take(&mut walk.failed) {
        if !is_lasting(error.kind()) {
            walk.found.extend(before.clone().take(&path));
            tracing::debug!(target: "grange", folder = path, %error, "a folder could not be read: it is kept as it was");
            again.folders.extend([split(&path).0.to_owned(), path.clone()]);
            again.entries.insert(path);
        }
    }
    again
}
