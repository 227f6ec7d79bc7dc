//! The trait of a kind of work, behind the job that a driver sees (`handle.rs`). A new kind is a new file beside the others.

use std::any::Any;
use std::sync::{Arc, Weak};
use std::task::{Context as TaskContext, Poll};
use std::time::Instant;

use super::event::JobEvent;
use crate::permits::Permits;
use crate::session::Cancel;
use crate::telemetry::RequestSpan;

/// One kind of work. The methods are those of [`Job`](super::handle::Job); the defaults do nothing.
pub(super) trait Work: Send {
    /// The name in the `Debug` output of the job.
    fn name(&self) -> &'static str;

    fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<JobEvent>;

    fn set_span(&mut self, _: RequestSpan) {}

    fn set_peer(&mut self, _: Arc<dyn Any + Send + Sync>) {}

    fn set_permits(&mut self, _: Arc<dyn Permits>) {}

    fn poll_timeout(&mut self, _: Instant) -> Option<Instant> {
        None
    }

    fn handle_timeout(&mut self, _: Instant) {}

    fn is_cancelled(&self) -> bool {
        false
    }

    fn canceller(&self) -> Option<Weak<dyn Cancel>> {
        None
    }

    fn unsent_bytes(&self) -> usize {
        0
    }

    fn is_waiting_for_client(&self) -> bool {
        false
    }

    fn handle_disconnect(&mut self) {}

    fn handle_shutdown(&mut self) {}

    fn needs_stream(&self) -> bool {
        false
    }

    fn is_cancelled_by_disconnect(&self) -> bool {
        false
    }
}
