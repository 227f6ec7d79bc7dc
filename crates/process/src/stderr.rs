//! Guards standard error: no write to it waits or fails because the host does not read its end, or has closed it.
//!
//! If the real standard error is a pipe or a socket, descriptor 2 becomes a pipe of this process, for panics, prints, log lines and child
//! processes alike, since all of them write to the descriptor. Two threads relay the bytes:
//!
//! ```text
//! descriptor 2 ──pipe──▶ drains, never waits for the host ──Backlog──▶ writes, may wait ──▶ the real standard error
//! ```
//! Lines that do not fit into the backlog are dropped whole; their number is written once, when the host reads again. A terminal, a file
//! or the null device stays where it is: writes to those do not wait for a host.

#[cfg(any(unix, test))]
mod backlog;
#[cfg(unix)]
mod relay;

#[cfg(unix)]
pub(crate) use self::unix::redirect_stdout;
#[cfg(unix)]
use self::unix::{hold, release};

/// Keeps standard error guarded until the last such guard is dropped; see [`guard_stderr`].
#[derive(Debug)]
#[must_use = "standard error is guarded while this lives"]
pub struct StderrGuard(());

/// Guards standard error while the returned guard lives. There may be several at once.
///
/// Dropping the last one waits up to 250 ms for bytes that are not written yet, if the host reads, and restores the real descriptor, so
/// that an error which `main` returns is seen even if the process ends at once. If the host does not read, standard error stays guarded.
///
/// ```
/// let guard = grange_process::guard_stderr()?;
/// eprintln!("this line waits for no reader");
/// drop(guard);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// From the system, such as too many open files. Standard error is then unchanged.
pub fn guard_stderr() -> std::io::Result<StderrGuard> {
    hold()?;
    Ok(StderrGuard(()))
}

impl Drop for StderrGuard {
    fn drop(&mut self) {
        release();
    }
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "the signature of the other systems")]
fn hold() -> std::io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn release() {}

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

    use super::relay::Relay;

    /// The one standard error of the process.
    static STDERR: Mutex<Stderr> = Mutex::new(Stderr { holders: 0, guarded: None, has_stdout: false });

    struct Stderr {
        holders: usize,
        guarded: Option<Guarded>,
        /// Whether descriptor 1 is redirected to descriptor 2.
        has_stdout: bool,
    }

    struct Guarded {
        real: File,
        relay: Arc<Relay>,
    }

    impl Stderr {
        fn lock() -> MutexGuard<'static, Self> {
            STDERR.lock().unwrap_or_else(PoisonError::into_inner)
        }

        /// Forgets the guard if other code has redirected the descriptor away from its pipe: that redirection is kept.
        fn forget(&mut self) {
            self.guarded.take_if(|guarded| guarded.relay.is_ended());
        }

        fn guard(&mut self) -> io::Result<()> {
            let real = File::from(io::stderr().as_fd().try_clone_to_owned()?);
            let kind = real.metadata()?.file_type();
            if kind.is_fifo() || kind.is_socket() {
                let (relay, pipe) = Relay::start(real.try_clone()?)?;
                self.point_at(&pipe)?;
                self.guarded = Some(Guarded { real, relay });
            }
            Ok(())
        }

        fn point_at(&self, target: &impl AsFd) -> io::Result<()> {
            rustix::stdio::dup2_stderr(target)?;
            if self.has_stdout {
                rustix::stdio::dup2_stdout(target)?;
            }
            Ok(())
        }
    }

    pub(super) fn hold() -> io::Result<()> {
        let mut stderr = Stderr::lock();
        stderr.forget();
        if stderr.guarded.is_none() {
            stderr.guard()?;
        }
        stderr.holders += 1;
        Ok(())
    }

    pub(super) fn release() {
        let mut stderr = Stderr::lock();
        stderr.holders -= 1;
        if stderr.holders > 0 {
            return;
        }
        stderr.forget();
        if let Some(guarded) = stderr.guarded.take_if(|guarded| guarded.relay.settles()) {
            // The descriptor no longer holds the pipe, so the threads end with the last child process that does.
            if stderr.point_at(&guarded.real).is_err() {
                stderr.guarded = Some(guarded);
            }
        }
    }

    /// Redirects descriptor 1 to descriptor 2, and keeps it so when that changes.
    pub(crate) fn redirect_stdout() -> io::Result<()> {
        let mut stderr = Stderr::lock();
        rustix::stdio::dup2_stdout(io::stderr())?;
        stderr.has_stdout = true;
        Ok(())
    }
}
