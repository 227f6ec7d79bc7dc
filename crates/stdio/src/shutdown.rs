//! When to stop: a future that the driver polls beside its work.

use std::fmt;
use std::pin::Pin;
use std::task::Context;

use grange_core::Error;

/// Resolves when serving is to end; never, unless one was given.
#[derive(Default)]
pub(crate) struct Shutdown(Option<Pin<Box<dyn Future<Output = ()> + Send>>>);

impl Shutdown {
    pub(crate) fn new(future: impl Future<Output = ()> + Send + 'static) -> Self {
        Self(Some(Box::pin(future)))
    }

    /// The signals that ask a process to end. From here on they no longer kill it.
    #[cfg(unix)]
    pub(crate) fn signals() -> Result<Self, Error> {
        use std::task::Poll;

        use tokio::signal::unix::{SignalKind, signal};
        let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        Ok(Self::new(std::future::poll_fn(move |cx| {
            // Both are polled, so that both wake.
            let (terminated, interrupted) = (terminate.poll_recv(cx), interrupt.poll_recv(cx));
            if terminated.is_ready() || interrupted.is_ready() { Poll::Ready(()) } else { Poll::Pending }
        })))
    }

    /// The signals that ask a process to end. From here on they no longer kill it.
    #[cfg(not(unix))]
    pub(crate) fn signals() -> Result<Self, Error> {
        Ok(Self::new(async { drop(tokio::signal::ctrl_c().await) }))
    }

    /// Whether it is time. Says so once.
    pub(crate) fn poll_now(&mut self, cx: &mut Context<'_>) -> bool {
        let due = self.0.as_mut().is_some_and(|future| future.as_mut().poll(cx).is_ready());
        if due {
            self.0 = None;
        }
        due
    }
}

impl fmt::Debug for Shutdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Shutdown(when told)" } else { "Shutdown(never)" })
    }
}
