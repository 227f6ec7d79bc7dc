//! Providers: values that readers and tools get by type, made on first use and once for each request.
//!
//! A type is provided as itself or in an `Arc`. Both count as one type: `get::<T>()` finds either, and to provide both
//! would be to provide the same type twice.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use tokio::sync::OnceCell;

use super::context::Context;
use super::error::{Cause, ReadError};
use super::missing::Missing;
use crate::changes::Changes;
use crate::lock::lock;
use crate::model::Target;

type Shared = Arc<dyn Any + Send + Sync>;
type Making = Pin<Box<dyn Future<Output = Result<Shared, ReadError>> + Send>>;

/// The providers of a server, or of one test.
///
/// ```
/// use grange_core::Providers;
/// struct Db(&'static str);
/// let mut providers = Providers::new();
/// providers.value(Db("memory"));
/// providers.computed(|_cx| async { Ok::<_, std::io::Error>(41_u32) });
/// ```
#[derive(Clone, Default)]
pub struct Providers {
    by_type: HashMap<TypeId, Provider>,
    /// Where author code announces changes.
    changes: Changes,
}

#[derive(Clone)]
struct Provider {
    /// The name of the type that it gives.
    name: &'static str,
    /// The id of an `Arc` of that type.
    in_arc: TypeId,
    source: Source,
}

#[derive(Clone)]
enum Source {
    Value(Shared),
    Computed(Arc<dyn Fn(Context) -> Making + Send + Sync>),
}

impl Providers {
    /// An empty set of providers.
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn set_changes(&mut self, changes: Changes) {
        self.changes = changes;
    }

    pub(super) fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Provides a value that all requests share. Replaces the provider of that type, in an `Arc` or not.
    pub fn value<T: Send + Sync + 'static>(&mut self, value: T) {
        self.add::<T>(Source::Value(Arc::new(value)));
    }

    /// Provides a value that is made on first use, once for each request. Replaces the provider of that type, in an
    /// `Arc` or not.
    pub fn computed<T, E, F, Fut>(&mut self, make: F)
    where
        T: Send + Sync + 'static,
        E: Into<ReadError>,
        F: Fn(Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T, E>> + Send + 'static,
    {
        let make = move |cx| -> Making {
            let making = make(cx);
            Box::pin(async move {
                match making.await {
                    Ok(value) => Ok(Arc::new(value) as Shared),
                    Err(error) => Err(of_provider::<T>(error.into())),
                }
            })
        };
        self.add::<T>(Source::Computed(Arc::new(make)));
    }

    fn add<T: Send + Sync + 'static>(&mut self, source: Source) {
        if let Some((clashing, _)) = self.clashing::<T>() {
            self.by_type.remove(&clashing);
        }
        let provider = Provider { name: type_name::<T>(), in_arc: TypeId::of::<Arc<T>>(), source };
        self.by_type.insert(TypeId::of::<T>(), provider);
    }

    /// The provider that gives `T` already, in an `Arc` or not.
    fn clashing<T: 'static>(&self) -> Option<(TypeId, &'static str)> {
        let (own, in_arc) = (TypeId::of::<T>(), TypeId::of::<Arc<T>>());
        let direct = [own, in_arc].into_iter().find_map(|id| Some((id, self.by_type.get(&id)?.name)));
        let bare = || self.by_type.iter().find(|(_, provider)| provider.in_arc == own);
        direct.or_else(|| bare().map(|(id, provider)| (*id, provider.name)))
    }

    /// The name of the type with which `T` is provided already, in an `Arc` or not.
    pub(crate) fn giving<T: 'static>(&self) -> Option<&'static str> {
        self.clashing::<T>().map(|(_, name)| name)
    }

    fn missing<T>(&self, requester: Requester<'_>) -> ReadError {
        let within = requester.within.and_then(|id| self.by_type.get(&id)).map(|provider| provider.name);
        let provided = self.by_type.values().map(|provider| provider.name);
        ReadError(Cause::MissingProvider(Missing::new(type_name::<T>(), requester.target, within, provided)))
    }
}

/// An error of the provider of `T`. Errors that were made on purpose stay as they are.
fn of_provider<T>(error: ReadError) -> ReadError {
    match error.0 {
        Cause::Private(error) => ReadError(Cause::Provider { provides: type_name::<T>(), error }),
        cause => ReadError(cause),
    }
}

impl fmt::Debug for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Providers({})", self.by_type.len())
    }
}

/// The code that needs a value.
#[derive(Clone, Copy)]
pub(super) struct Requester<'a> {
    pub(super) target: &'a Target,
    /// The type whose provider needs the value, if not `target` itself.
    pub(super) within: Option<TypeId>,
}

/// The provided values of one request.
#[derive(Default)]
pub(super) struct Provided {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    cells: HashMap<TypeId, Arc<OnceCell<Shared>>>,
    /// The provider that waits and the provider that it waits for, to find a cycle.
    waits: Vec<(TypeId, TypeId)>,
}

impl State {
    fn reaches(&self, from: TypeId, to: TypeId) -> bool {
        let mut seen = vec![from];
        let mut next = 0;
        while let Some(&at) = seen.get(next) {
            if at == to {
                return true;
            }
            for (_, target) in self.waits.iter().filter(|(waiting, _)| *waiting == at) {
                if !seen.contains(target) {
                    seen.push(*target);
                }
            }
            next += 1;
        }
        false
    }
}

impl Provided {
    /// The value of that type, provided as itself or in an `Arc`.
    pub(super) async fn get<T: Send + Sync + 'static>(
        &self,
        providers: &Providers,
        requester: Requester<'_>,
        context: impl FnOnce(TypeId) -> Context,
    ) -> Result<Arc<T>, ReadError> {
        let (own, in_arc) = (TypeId::of::<T>(), TypeId::of::<Arc<T>>());
        if let Some(provider) = providers.by_type.get(&own) {
            let value = self.of(provider, own, requester.within, context).await?;
            return Ok(value.downcast().expect("a provider is kept under the type it gives"));
        }
        let Some(provider) = providers.by_type.get(&in_arc) else { return Err(providers.missing::<T>(requester)) };
        let value = self.of(provider, in_arc, requester.within, context).await?;
        let shared: Arc<Arc<T>> = value.downcast().expect("a provider is kept under the type it gives");
        Ok(Arc::clone(&shared))
    }

    /// The value that this provider, which is stored under the type `wanted`, gives to this request.
    async fn of(
        &self,
        provider: &Provider,
        wanted: TypeId,
        within: Option<TypeId>,
        context: impl FnOnce(TypeId) -> Context,
    ) -> Result<Shared, ReadError> {
        match &provider.source {
            Source::Value(value) => Ok(value.clone()),
            Source::Computed(make) => {
                let cycle = || ReadError(Cause::ProviderCycle(provider.name));
                let (cell, _wait) = self.enter(within, wanted).ok_or_else(cycle)?;
                cell.get_or_try_init(|| make(context(wanted))).await.cloned()
            }
        }
    }

    fn enter(&self, within: Option<TypeId>, wanted: TypeId) -> Option<(Arc<OnceCell<Shared>>, Option<Wait<'_>>)> {
        let mut state = lock(&self.state);
        let wait = match within {
            Some(requester) if state.reaches(wanted, requester) => return None,
            Some(requester) => {
                state.waits.push((requester, wanted));
                Some(Wait { provided: self, edge: (requester, wanted) })
            }
            None => None,
        };
        Some((state.cells.entry(wanted).or_default().clone(), wait))
    }
}

/// One provider that waits for another, until this is dropped.
struct Wait<'a> {
    provided: &'a Provided,
    edge: (TypeId, TypeId),
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        let mut state = lock(&self.provided.state);
        if let Some(index) = state.waits.iter().position(|edge| *edge == self.edge) {
            state.waits.swap_remove(index);
        }
    }
}
