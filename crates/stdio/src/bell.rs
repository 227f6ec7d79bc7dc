//! How the thread that serves the process's streams sleeps: until it is rung for or there is input.

#[cfg(not(unix))]
pub(crate) use self::plain::Bell;
#[cfg(unix)]
pub(crate) use self::unix::Bell;

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
    const ASLEEP: u8 = 1;
    const RUNG: u8 = 2;

    /// The sleeper's side.
    pub(crate) struct Bell {
        rope: Arc<Rope>,
        pipe: PipeReader,
    }

    /// The side of those who ring.
    struct Rope {
        /// ```text
        /// AWAKE ──sleeps──▶ ASLEEP ──rings: one byte──▶ RUNG ──looks──▶ AWAKE
        ///   └──────────────rings: no byte───────────────▶┘
        /// ```
        state: AtomicU8,
        pipe: PipeWriter,
    }

    impl Bell {
        pub(crate) fn new() -> io::Result<Self> {
            let (reader, writer) = io::pipe()?;
            Ok(Self { rope: Arc::new(Rope { state: AtomicU8::new(AWAKE), pipe: writer }), pipe: reader })
        }

        pub(crate) fn waker(&self) -> Waker {
            Waker::from(self.rope.clone())
        }

        /// Sleeps until it is rung, or was since the last time; until there is input, if that is wanted; or until then.
        pub(crate) fn wait(&self, input: &mut Input, until: Option<Instant>) {
            let state = &self.rope.state;
            let sleeps = state.compare_exchange(AWAKE, ASLEEP, Ordering::AcqRel, Ordering::Acquire).is_ok();
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let timeout = if sleeps { left.and_then(|left| left.try_into().ok()) } else { Some(Timespec::default()) };
            let bell = PollFd::new(&self.pipe, PollFlags::IN);
            // An error is an interruption: whoever waits looks again.
            let has_input = if let Some(source) = input.to_watch() {
                let mut fds = [bell, PollFd::from_borrowed_fd(source, PollFlags::IN)];
                poll(&mut fds, timeout.as_ref()).is_ok_and(|found| found > 0 && !fds[1].revents().is_empty())
            } else {
                let _ = poll(&mut [bell], timeout.as_ref());
                false
            };
            if has_input {
                input.set_ready();
            }
            if state.swap(AWAKE, Ordering::AcqRel) == RUNG && sleeps {
                // Whoever rang for a sleeper writes one byte, if not yet then now.
                let _ = (&self.pipe).read(&mut [0]);
            }
        }
    }

    impl Wake for Rope {
        fn wake(self: Arc<Self>) {
            self.wake_by_ref();
        }

        fn wake_by_ref(self: &Arc<Self>) {
            if self.state.swap(RUNG, Ordering::AcqRel) == ASLEEP {
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

    /// Longer than anybody waits.
    const FOR_EVER: Duration = Duration::from_secs(60 * 60);

    /// The sleeper's side, and that of those who ring.
    pub(crate) struct Bell(Arc<Rope>);

    #[derive(Default)]
    struct Rope {
        is_rung: Mutex<bool>,
        rung: Condvar,
    }

    impl Bell {
        #[allow(clippy::unnecessary_wraps, reason = "the signature of the other systems")]
        pub(crate) fn new() -> io::Result<Self> {
            Ok(Self(Arc::default()))
        }

        pub(crate) fn waker(&self) -> Waker {
            Waker::from(self.0.clone())
        }

        /// Sleeps until it is rung, or was since the last time, or until then. A thread of the input's own rings for input.
        pub(crate) fn wait(&self, _input: &mut Input, until: Option<Instant>) {
            let left = until.map_or(FOR_EVER, |until| until.saturating_duration_since(Instant::now()));
            let is_rung = self.0.is_rung.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = self.0.rung.wait_timeout_while(is_rung, left, |is_rung| !*is_rung);
            *waited.unwrap_or_else(PoisonError::into_inner).0 = false;
        }
    }

    impl Wake for Rope {
        fn wake(self: Arc<Self>) {
            *self.is_rung.lock().unwrap_or_else(PoisonError::into_inner) = true;
            self.rung.notify_one();
        }
    }
}
