//! The requests of one client that are in flight, by id, so that the client can cancel one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use crate::lock::lock;
use crate::rpc::{IdKey, IdToken};

/// The requests in flight. Clones are the same.
#[derive(Clone, Default)]
pub(crate) struct InFlight(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    open: HashMap<IdKey, Vec<Open>>,
    last: u64,
}

/// One request, with the serial number of its guard.
type Open = (u64, Weak<dyn Cancel>);

/// Work that can be cancelled.
pub(crate) trait Cancel: Send + Sync {
    fn cancel(&self);
}

/// Keeps a request in flight until it is dropped.
pub(crate) struct InFlightGuard {
    in_flight: InFlight,
    key: IdKey,
    serial: u64,
}

impl InFlight {
    /// Lets the client cancel this work by its request's id, until the guard is dropped.
    pub(crate) fn enter(&self, id: IdToken<'_>, work: Weak<dyn Cancel>) -> InFlightGuard {
        let key = IdKey::new(id);
        let mut state = self.state();
        state.last += 1;
        let serial = state.last;
        state.open.entry(key.clone()).or_default().push((serial, work));
        drop(state);
        InFlightGuard { in_flight: self.clone(), key, serial }
    }

    /// Cancels the request with that id. If several have it, none is cancelled, because the client may mean any of
    /// them.
    pub(crate) fn cancel(&self, id: IdToken<'_>) {
        let work = match self.state().open.get(&IdKey::new(id)).map(Vec::as_slice) {
            Some([(_, work)]) => work.upgrade(),
            _ => None,
        };
        if let Some(work) = work {
            work.cancel();
        }
    }

    /// Cancels all.
    pub(crate) fn cancel_all(&self) {
        let open = std::mem::take(&mut self.state().open);
        open.into_values().flatten().filter_map(|(_, work)| work.upgrade()).for_each(|work| work.cancel());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.0)
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        let mut state = self.in_flight.state();
        if let Some(open) = state.open.get_mut(&self.key) {
            open.retain(|(serial, _)| *serial != self.serial);
            if open.is_empty() {
                state.open.remove(&self.key);
            }
        }
    }
}
