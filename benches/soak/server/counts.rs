//! The server's counters: running author code, and failures, on purpose and others.

use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use grange_core::HandlerFailure;

/// Shared by all readers and tools.
#[derive(Default)]
pub(crate) struct Counts {
    running: AtomicI64,
    begun: AtomicU64,
    finished: AtomicU64,
    timed_out: AtomicU64,
    unexpected: AtomicU64,
}

/// The payload of a panic on purpose.
pub(crate) struct OnPurpose;

/// The text of an error on purpose.
pub(crate) const ON_PURPOSE: &str = "on purpose";

impl Counts {
    /// Counts author code as running until the result is dropped.
    pub(crate) fn begin(self: &Arc<Self>) -> Running {
        self.running.fetch_add(1, Ordering::SeqCst);
        self.begun.fetch_add(1, Ordering::SeqCst);
        Running(self.clone())
    }

    /// Counts a failure from `on_error`.
    pub(crate) fn note(&self, failure: &HandlerFailure) {
        match failure {
            HandlerFailure::Error(error) if error.to_string() == ON_PURPOSE => {}
            HandlerFailure::Public { .. } | HandlerFailure::Panicked(_) => {}
            HandlerFailure::TimedOut(_) => {
                self.timed_out.fetch_add(1, Ordering::SeqCst);
            }
            failure => {
                eprintln!("soak-server: not on purpose: {failure}");
                self.unexpected.fetch_add(1, Ordering::SeqCst);
            }
        }
    }

    /// Counts panics that are not on purpose, and prints them as usual.
    pub(crate) fn watch_panics(self: &Arc<Self>) {
        let counts = self.clone();
        let show = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| {
            if !panicked.payload().is::<OnPurpose>() {
                counts.unexpected.fetch_add(1, Ordering::SeqCst);
                show(panicked);
            }
        }));
    }

    /// All counters as JSON.
    pub(crate) fn to_json(&self) -> String {
        let of = |count: &AtomicU64| count.load(Ordering::SeqCst);
        serde_json::json!({
            "running": self.running.load(Ordering::SeqCst),
            "begun": of(&self.begun),
            "finished": of(&self.finished),
            "timedOut": of(&self.timed_out),
            "unexpected": of(&self.unexpected),
        })
        .to_string()
    }
}

/// Running author code. If it is dropped without `finish`, it was cancelled.
pub(crate) struct Running(Arc<Counts>);

impl Running {
    /// The code ended by itself.
    pub(crate) fn finish(self) {
        self.0.finished.fetch_add(1, Ordering::SeqCst);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}
