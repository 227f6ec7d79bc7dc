//! Parks the thread that serves the process's streams: until a waker unparks it, there is input, or a time is over.

#[cfg(not(unix))]
pub(crate) use self::plain::Parker;
#[cfg(unix)]
pub(crate) use self::unix::Parker;

#[cfg(unix)]
mod unix {
    use std::io::{self, PipeReader, PipeWriter, Read, Write};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU8, Ordering};
    use std::task::{Wake, Waker};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use tokio::time::Instant;

    use crate::input::Input;

    const AWAKE: u8 = 0;
    const PARKED: u8 = 1;
    const NOTIFIED: u8 = 2;

    /// The side of the thread that parks.
    pub(crate) struct Parker {
        unparker: Arc<Unparker>,
        pipe: PipeReader,
    }

    /// The side of the wakers.
    struct Unparker {
        /// ```text
        /// AWAKE ──parks──▶ PARKED ──wake: one byte──▶ NOTIFIED ──returns──▶ AWAKE
        ///   └──────────────wake: no byte──────────────▶┘
        /// ```
        state: AtomicU8,
        pipe: PipeWriter,
    }

    impl Parker {
        pub(crate) fn new() -> io::Result<Self> {
            let (reader, writer) = io::pipe()?;
            let unparker = Unparker { state: AtomicU8::new(AWAKE), pipe: writer };
            Ok(Self { unparker: Arc::new(unparker), pipe: reader })
        }

        pub(crate) fn waker(&self) -> Waker {
            Waker::from(self.unparker.clone())
        }

        /// Parks until a waker is woken, or was since the last call; until there is input, if the driver wants more; or until that
        /// time.
        pub(crate) fn park(&self, input: &mut Input, until: Option<Instant>) {
            let state = &self.unparker.state;
            let parks = state.compare_exchange(AWAKE, PARKED, Ordering::AcqRel, Ordering::Acquire).is_ok();
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let timeout = if parks { left.and_then(|left| left.try_into().ok()) } else { Some(Timespec::default()) };
            let woken = PollFd::new(&self.pipe, PollFlags::IN);
            // An error is an interruption: the caller polls the driver and parks again.
            let has_input = if let Some(source) = input.to_watch() {
                let mut fds = [woken, PollFd::from_borrowed_fd(source, PollFlags::IN)];
                poll(&mut fds, timeout.as_ref()).is_ok_and(|found| found > 0 && !fds[1].revents().is_empty())
            } else {
                let _ = poll(&mut [woken], timeout.as_ref());
                false
            };
            if has_input {
                input.set_ready();
            }
            if state.swap(AWAKE, Ordering::AcqRel) == NOTIFIED && parks {
                // A waker of a parked thread writes one byte, before or after this.
                let _ = (&self.pipe).read(&mut [0]);
            }
        }
    }

    impl Wake for Unparker {
        fn wake(self: Arc<Self>) {
            self.wake_by_ref();
        }

        fn wake_by_ref(self: &Arc<Self>) {
            if self.state.swap(NOTIFIED, Ordering::AcqRel) == PARKED {
                let _ = (&self.pipe).write(&[0]);
            }
        }
    }
}

#[cfg(not(unix))]
mod plain {
    use std::io;
    use std::sync::{Arc, Condvar, Mutex, PoisonError};
    use std::task::{Wake, Waker};
    use std::time::Duration;

    use tokio::time::Instant;

    use crate::input::Input;

    /// Stands for no end. A wait may always end early.
    const FOR_EVER: Duration = Duration::from_secs(60 * 60);

    /// The side of the thread that parks.
    pub(crate) struct Parker(Arc<Unparker>);

    /// The side of the wakers.
    #[derive(Default)]
    struct Unparker {
        is_notified: Mutex<bool>,
        notified: Condvar,
    }

    impl Parker {
        #[allow(clippy::unnecessary_wraps, reason = "the signature of the other systems")]
        pub(crate) fn new() -> io::Result<Self> {
            Ok(Self(Arc::default()))
        }

        pub(crate) fn waker(&self) -> Waker {
            Waker::from(self.0.clone())
        }

        /// Parks until a waker is woken, or was since the last call, or until that time. The thread that reads the input wakes too.
        pub(crate) fn park(&self, _input: &mut Input, until: Option<Instant>) {
            let left = until.map_or(FOR_EVER, |until| until.saturating_duration_since(Instant::now()));
            let is_notified = self.0.is_notified.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = self.0.notified.wait_timeout_while(is_notified, left, |is_notified| !*is_notified);
            *waited.unwrap_or_else(PoisonError::into_inner).0 = false;
        }
    }

    impl Wake for Unparker {
        fn wake(self: Arc<Self>) {
            *self.is_notified.lock().unwrap_or_else(PoisonError::into_inner) = true;
            self.notified.notify_one();
        }
    }
}
