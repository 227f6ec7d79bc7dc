//! When to stop: a future that the driver polls beside its work.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::task::Context;

/// Resolves when serving is to end; never, unless one was given.
#[derive(Default)]
pub(crate) struct Shutdown(Option<Pin<Box<dyn Future<Output = ()> + Send>>>);

impl Shutdown {
    pub(crate) fn new(future: impl Future<Output = ()> + Send + 'static) -> Self {
        Self(Some(Box::pin(future)))
    }

    /// Resolves at the signals that ask a process to end. From here on they no longer end it by themselves.
    pub(crate) fn signals() -> io::Result<Self> {
        Ok(Self::new(grange_process::shutdown_signal()?))
    }

    /// Whether it has resolved; `true` once.
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
        f.write_str(if self.0.is_some() { "Shutdown(future)" } else { "Shutdown(never)" })
    }
}
