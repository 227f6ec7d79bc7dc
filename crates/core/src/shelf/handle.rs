//! The author's side of a shelf.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

use super::error::ShelfError;
use super::set::ShelfSet;
use super::snapshot::Snapshot;
use crate::changes::{Hub, List};
use crate::define::definition_errors;
use crate::lock::lock;
use crate::model::CacheScope;
use crate::primitive::Resource;

/// Resources that come, go and change while the server runs. Clones are the same shelf.
///
/// Add it to a server with [`ServerBuilder::shelf`](crate::ServerBuilder::shelf), before or after it has resources. Each change is checked
/// as `build()` checks resources, is made as a whole, and is announced to clients that listen: nothing else need be announced. A request
/// sees the shelf as it was at one moment, and never waits for a change.
///
/// ```
/// use grange_core::{Resource, Server, Shelf};
///
/// let notes = Shelf::new();
/// let server = Server::builder("notes", "1.0.0").shelf(&notes).build()?;
///
/// let note = |uri: &'static str, text| Resource::builder().uri(uri).name(uri).text(text).build();
/// notes.insert(note("notes://1", "hello"))?;
/// notes.change(|set| {
///     set.remove("notes://1");
///     set.insert(note("notes://2", "both or nothing"));
/// })?;
/// assert!(notes.remove("notes://2") && notes.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Shelf {
    inner: Arc<Inner>,
    /// Of the list.
    scope: CacheScope,
}

#[derive(Default)]
struct Inner {
    /// Held only to copy or to replace the pointer.
    current: RwLock<Arc<Snapshot>>,
    /// Held during a change, so that changes come one after the other.
    writer: Mutex<()>,
    /// Of the servers that have the shelf.
    hubs: Mutex<Vec<Weak<Hub>>>,
}

impl Shelf {
    /// An empty shelf.
    pub fn new() -> Self {
        Self::default()
    }

    /// Who may share a cached list with the resources of this shelf. Default [`CacheScope::Private`], whatever the scope of the server: what
    /// the shelf will have is not known when the server is built. It is the setting of this handle, for the servers that get it.
    #[must_use]
    pub fn cache_scope(mut self, scope: CacheScope) -> Self {
        self.scope = scope;
        self
    }

    /// Adds a resource, in place of one with the same URI.
    ///
    /// # Errors
    /// All problems of the resource, as `build()` reports them.
    pub fn insert(&self, resource: Resource) -> Result<(), ShelfError> {
        self.change(|set| drop(set.insert(resource)))
    }

    /// Removes the resource with that URI, byte for byte. Returns whether it was there.
    pub fn remove(&self, uri: &str) -> bool {
        // What was not put in has no problems.
        self.change(|set| set.remove(uri).is_some()).unwrap_or(false)
    }

    /// Replaces all resources by these. What is equal to what was there is not announced.
    ///
    /// # Errors
    /// All problems of the resources, and of two with the same URI.
    pub fn replace(&self, all: impl IntoIterator<Item = Resource>) -> Result<(), ShelfError> {
        let all: Vec<_> = all.into_iter().collect();
        ShelfError::check(definition_errors(all.iter()))?;
        self.change(|set| set.replace(all))
    }

    /// Makes several changes at once: clients see all of them or none. The code gets the newest resources, and no other change is made
    /// meanwhile. It must not change this shelf in another way, which would wait for itself. Returns what it returns.
    ///
    /// # Errors
    /// All problems of the resources that were put in. The shelf then is as it was.
    pub fn change<T>(&self, change: impl FnOnce(&mut ShelfSet) -> T) -> Result<T, ShelfError> {
        let writer = lock(&self.inner.writer);
        let before = self.snapshot();
        let mut set = ShelfSet::new(&before);
        let outcome = change(&mut set);
        let (after, news) = set.conclude(&before)?;
        if !news.is_empty() {
            *self.inner.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(after);
        }
        drop(writer);
        for hub in lock(&self.inner.hubs).iter().filter_map(Weak::upgrade).collect::<Vec<_>>() {
            news.updated.iter().for_each(|uri| hub.updated_by_bytes(uri));
            if news.is_relisted {
                hub.relisted(List::Resources, None);
            }
        }
        Ok(outcome)
    }

    /// The resource with that URI, byte for byte.
    pub fn get(&self, uri: &str) -> Option<Resource> {
        self.snapshot().find(uri).cloned()
    }

    /// The number of resources.
    pub fn len(&self) -> usize {
        self.snapshot().len()
    }

    /// Whether there are no resources.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A handle that does not keep the shelf. With it, code that fills a shelf from elsewhere notices that its last owner has dropped it.
    pub fn downgrade(&self) -> WeakShelf {
        WeakShelf { inner: Arc::downgrade(&self.inner), scope: self.scope }
    }

    /// The resources at this moment.
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.inner.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn scope(&self) -> CacheScope {
        self.scope
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// Announces changes to this hub from now on, as long as it is there.
    pub(super) fn join(&self, hub: &Arc<Hub>) {
        let mut hubs = lock(&self.inner.hubs);
        hubs.retain(|each| each.strong_count() > 0 && !std::ptr::eq(each.as_ptr(), Arc::as_ptr(hub)));
        hubs.push(Arc::downgrade(hub));
    }
}

/// For what has a shelf, as a directory of `grange-files` has: it can be given to a server as the shelf itself.
impl AsRef<Shelf> for Shelf {
    fn as_ref(&self) -> &Shelf {
        self
    }
}

/// A shelf that is there as long as a [`Shelf`] or a server has it; see [`Shelf::downgrade`].
///
/// ```
/// use grange_core::Shelf;
/// let notes = Shelf::new();
/// let weak = notes.downgrade();
/// assert!(weak.upgrade().is_some());
/// drop(notes);
/// assert!(weak.upgrade().is_none());
/// ```
#[derive(Clone)]
pub struct WeakShelf {
    inner: Weak<Inner>,
    scope: CacheScope,
}

impl WeakShelf {
    /// The shelf, if it is still there.
    pub fn upgrade(&self) -> Option<Shelf> {
        self.inner.upgrade().map(|inner| Shelf { inner, scope: self.scope })
    }
}

impl fmt::Debug for WeakShelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WeakShelf")
    }
}

impl fmt::Debug for Shelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shelf").field("len", &self.len()).finish_non_exhaustive()
    }
}
