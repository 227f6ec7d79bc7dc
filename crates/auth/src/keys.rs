//! The cache of an issuer's keys: when they are fetched, which requests wait for that, and which keys are used while the issuer is down.
//!
//! ```text
//!              the key is cached, and fresh ─────────────► use it
//!              the key is cached, and old ┐
//!              no such key ───────────────┼─► the floor is over ───► fetch; every request that needs the key waits for that fetch
//!              nothing fetched yet ───────┘   the floor is not over ► use the cache as it is
//! ```
//!
//! The floor is the least time between two fetches.
//!
//! - **One fetch at a time**, and none before the floor is over, whatever clients send: tokens with key ids that do not exist put no
//!   load on the issuer.
//! - A fetch runs as a task of its own, so that it goes on for other requests when a client disconnects.
//! - While the last fetch failed, old keys are used at once, until they are too old; fetches go on in the background.
//! - When the clock is set back, keys are fetched again, but never rejected for their age.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::algorithm::Algorithm;
use crate::clock::{Clock, age};
use crate::key_set::{KeySet, Match, Wanted};
use crate::source::KeySource;
use crate::token_error::TokenError;

/// For the whole of [`KeySource::fetch`], which may fetch several documents, each within a time of its own.
const FETCH_TIME: Duration = Duration::from_secs(15);

/// How long keys are used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ages {
    /// Between two fetches, at least.
    pub(crate) floor: Duration,
    /// Until keys are fetched again.
    pub(crate) fresh: Duration,
    /// Until keys that could not be fetched again are no longer used.
    pub(crate) stale: Duration,
}

/// The keys of one issuer. Cheap to clone.
#[derive(Clone)]
pub(crate) enum Keys {
    /// Given by the author.
    Fixed(Arc<KeySet>),
    Fetched(Arc<Cache>),
}

/// What the cache has for a token's key.
pub(crate) enum Look {
    /// The set has it.
    Found(Arc<KeySet>),
    Rejected(TokenError),
    /// A fetch runs; once this is closed, [`Keys::settled`] has the result.
    Wait(watch::Receiver<()>),
}

impl Keys {
    /// Looks for a key, and starts a fetch where one is due.
    pub(crate) fn look(&self, wanted: Wanted<'_>) -> Look {
        match self {
            Self::Fixed(set) => found(set, wanted).unwrap_or(Look::Rejected(TokenError::UnknownKey)),
            Self::Fetched(cache) => cache.look(wanted),
        }
    }

    /// Looks for a key after a wait; never [`Look::Wait`].
    pub(crate) fn settled(&self, wanted: Wanted<'_>) -> Look {
        match self {
            Self::Fixed(_) => self.look(wanted),
            Self::Fetched(cache) => cache.settle(&cache.state(), cache.clock.now(), wanted),
        }
    }
}

/// The result for a key that the set has; `None` if it has none that fits.
fn found(set: &Arc<KeySet>, wanted: Wanted<'_>) -> Option<Look> {
    match set.find(wanted) {
        Match::Found(_) => Some(Look::Found(set.clone())),
        Match::OtherAlgorithm => Some(Look::Rejected(TokenError::KeyUse)),
        Match::Several => Some(Look::Rejected(TokenError::UnknownKey)),
        Match::Unknown => None,
    }
}

/// Keys that come from a source.
pub(crate) struct Cache {
    source: Arc<dyn KeySource>,
    algorithms: Vec<Algorithm>,
    clock: Clock,
    ages: Ages,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    set: Option<Arc<KeySet>>,
    /// When the set was fetched.
    fetched: Option<SystemTime>,
    /// When the last fetch began.
    attempted: Option<SystemTime>,
    /// Whether the last fetch failed.
    failed: bool,
    /// Closes when the fetch that runs is over.
    running: Option<watch::Receiver<()>>,
}

impl Cache {
    pub(crate) fn new(source: Arc<dyn KeySource>, algorithms: &[Algorithm], clock: Clock, ages: Ages) -> Arc<Self> {
        let algorithms = algorithms.to_vec();
        Arc::new(Self { source, algorithms, clock, ages, state: Mutex::default() })
    }

    fn look(self: &Arc<Self>, wanted: Wanted<'_>) -> Look {
        let mut state = self.state();
        // Read under the lock, so that it is never earlier than the time of a fetch that is over.
        let now = self.clock.now();
        let is_fresh = state.fetched.and_then(|then| age(then, now)).is_some_and(|age| age < self.ages.fresh);
        if is_fresh && let Some(look) = state.set.as_ref().and_then(|set| found(set, wanted)) {
            return look;
        }
        let settled = self.settle(&state, now, wanted);
        let Some(running) = self.running(&mut state, now) else { return settled };
        match settled {
            Look::Found(_) if state.failed => settled,
            _ => Look::Wait(running),
        }
    }

    /// The result without another fetch.
    fn settle(&self, state: &State, now: SystemTime, wanted: Wanted<'_>) -> Look {
        let serves = state.fetched.is_some_and(|then| age(then, now).is_none_or(|age| age < self.ages.stale));
        let set = state.set.as_ref().filter(|_| serves);
        let nothing_new = set.is_none() || state.failed;
        let unknown = if nothing_new { TokenError::Unreachable } else { TokenError::UnknownKey };
        set.and_then(|set| found(set, wanted)).unwrap_or(Look::Rejected(unknown))
    }

    /// The fetch that runs; starts one if it is due.
    fn running(self: &Arc<Self>, state: &mut State, now: SystemTime) -> Option<watch::Receiver<()>> {
        let running = state.running.take().filter(|running| running.has_changed().is_ok());
        let is_due = state.attempted.and_then(|then| age(then, now)).is_none_or(|age| age >= self.ages.floor);
        state.running = running.or_else(|| is_due.then(|| self.start(state, now)).flatten());
        state.running.clone()
    }

    fn start(self: &Arc<Self>, state: &mut State, now: SystemTime) -> Option<watch::Receiver<()>> {
        let Ok(runtime) = Handle::try_current() else {
            tracing::error!("the keys of the issuer cannot be fetched outside a tokio runtime");
            return None;
        };
        let (done, running) = watch::channel(());
        let cache = self.clone();
        state.attempted = Some(now);
        runtime.spawn(async move {
            cache.refresh().await;
            drop(done);
        });
        Some(running)
    }

    async fn refresh(&self) {
        let fetched = match timeout(FETCH_TIME, self.source.fetch()).await {
            Ok(Ok(json)) => KeySet::read(&json, &self.algorithms).map_err(|problem| format!("the JWK set {problem}")),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err(format!("it took longer than {} s", FETCH_TIME.as_secs())),
        };
        let now = self.clock.now();
        let mut state = self.state();
        state.failed = fetched.is_err();
        match fetched {
            Ok(set) => (state.set, state.fetched) = (Some(Arc::new(set)), Some(now)),
            Err(problem) => tracing::warn!(%problem, "the keys of the issuer could not be fetched"),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
