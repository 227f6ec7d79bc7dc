//! Providers: values that readers ask for by type, made on first use and once for each read.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use super::context::Context;
use super::failure::{Cause, ReadError};

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
}

#[derive(Clone)]
enum Provider {
    Value(Shared),
    Computed(Arc<dyn Fn(Context) -> Making + Send + Sync>),
}

impl Providers {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// A value shared by all reads. Replaces the provider of that type.
    pub fn value<T: Send + Sync + 'static>(&mut self, value: T) {
        self.by_type.insert(TypeId::of::<T>(), Provider::Value(Arc::new(value)));
    }

    /// A value made when a read first asks for it. Replaces the provider of that type.
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
                    Err(error) => Err(error.into()),
                }
            })
        };
        self.by_type.insert(TypeId::of::<T>(), Provider::Computed(Arc::new(make)));
    }
}

impl fmt::Debug for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Providers({})", self.by_type.len())
    }
}

/// What one read has been provided with so far.
#[derive(Default)]
pub(super) struct Provided {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    cells: HashMap<TypeId, Arc<OnceCell<Shared>>>,
    /// Which provider waits for which, to tell a cycle from a wait.
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
    /// The value of that type; `within` is the provider that asks, if one does.
    pub(super) async fn get<T: Send + Sync + 'static>(
        &self,
        providers: &Providers,
        within: Option<TypeId>,
        context: impl FnOnce(TypeId) -> Context,
    ) -> Result<Arc<T>, ReadError> {
        let wanted = TypeId::of::<T>();
        let shared = match providers.by_type.get(&wanted) {
            None => return Err(ReadError(Cause::MissingProvider(type_name::<T>()))),
            Some(Provider::Value(value)) => value.clone(),
            Some(Provider::Computed(make)) => {
                let (cell, _wait) =
                    self.enter(within, wanted).ok_or(ReadError(Cause::ProviderCycle(type_name::<T>())))?;
                cell.get_or_try_init(|| make(context(wanted))).await?.clone()
            }
        };
        Ok(shared.downcast().expect("a provider is kept under the type it gives"))
    }

    fn enter(&self, within: Option<TypeId>, wanted: TypeId) -> Option<(Arc<OnceCell<Shared>>, Option<Wait<'_>>)> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let wait = match within {
            Some(asking) if state.reaches(wanted, asking) => return None,
            Some(asking) => {
                state.waits.push((asking, wanted));
                Some(Wait { provided: self, edge: (asking, wanted) })
            }
            None => None,
        };
        Some((state.cells.entry(wanted).or_default().clone(), wait))
    }
}

/// One provider waiting for another, until this is dropped.
struct Wait<'a> {
    provided: &'a Provided,
    edge: (TypeId, TypeId),
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        let mut state = self.provided.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = state.waits.iter().position(|edge| *edge == self.edge) {
            state.waits.swap_remove(index);
        }
    }
}
