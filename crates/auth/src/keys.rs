//! The keys of an issuer, kept: when they are fetched, who waits for that, and what holds while the issuer is down.
//!
//! ```text
//!              the key is there, and fresh ──────────────► use it
//!              the key is there, and old ─┐
//!              no such key ───────────────┼─► the floor is over ───► fetch; all who need it wait for the one fetch
//!              nothing fetched yet ───────┘   the floor is not over ► say what is known now
//! ```
//!
//! - **One fetch at a time**, and none sooner than the floor after the one before, whatever clients send: a token with an id
//!   that does not exist costs the issuer nothing more.
//! - A fetch runs as a task of its own, so that a client that goes away does not take it from those who wait too.
//! - While the last fetch failed, old keys serve at once, until they are too old; the fetches go on beside it.
//! - A clock that is set back makes keys due, never unfit.

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

/// A source may be asked for several documents, each of which has its own bound.
const FETCH_TIME: Duration = Duration::from_secs(15);

/// How long keys are good for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ages {
    /// Between two fetches, at least.
    pub(crate) floor: Duration,
    /// Until keys are fetched again.
    pub(crate) fresh: Duration,
    /// Until keys that could not be fetched again serve no more.
    pub(crate) stale: Duration,
}

/// The keys of one issuer. Cheap to clone.
#[derive(Clone)]
pub(crate) enum Keys {
    /// Given by the author.
    Fixed(Arc<KeySet>),
    Fetched(Arc<Cache>),
}

/// What is known of a token's key.
pub(crate) enum Look {
    /// The set has it.
    Found(Arc<KeySet>),
    Rejected(TokenError),
    /// It may be known once this changes; then [`Keys::settled`] says.
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

    /// Looks for a key after a wait, and never says to wait again.
    pub(crate) fn settled(&self, wanted: Wanted<'_>) -> Look {
        match self {
            Self::Fixed(_) => self.look(wanted),
            Self::Fetched(cache) => cache.settle(&cache.state(), cache.clock.now(), wanted),
        }
    }
}

/// What a set says of a key that it has; `None` if it has none.
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
    /// When the set came.
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
        // Read under the lock, so that no fetch ends in this request's future.
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

    /// What holds without asking the issuer again.
    fn settle(&self, state: &State, now: SystemTime, wanted: Wanted<'_>) -> Look {
        let serves = state.fetched.is_some_and(|then| age(then, now).is_none_or(|age| age < self.ages.stale));
        let set = state.set.as_ref().filter(|_| serves);
        let nothing_new = set.is_none() || state.failed;
        let unknown = if nothing_new { TokenError::Unreachable } else { TokenError::UnknownKey };
        set.and_then(|set| found(set, wanted)).unwrap_or(Look::Rejected(unknown))
    }

    /// The fetch that runs, begun now if one may be.
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
