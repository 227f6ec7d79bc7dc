//! Standard error, guarded: whatever is written to it never waits or fails because the host does not read, or has closed,
//! its end.
//!
//! Where the real standard error is a pipe or a socket, descriptor 2 becomes a pipe of our own, for panics, prints, log lines
//! and child processes alike, since all of them write to the descriptor. Two threads carry on what comes:
//!
//! ```text
//! descriptor 2 ──our pipe──▶ drains, never waits for the host ──Backlog──▶ writes, may wait ──▶ the real standard error
//! ```
//! What does not fit into the backlog is dropped by whole lines, counted, and said once when the host reads again. A terminal, a
//! file or the null device stays where it is: those are read, or do not wait.

#[cfg(any(unix, test))]
mod backlog;
#[cfg(unix)]
mod relay;

#[cfg(unix)]
pub(crate) use self::unix::redirect_stdout;
#[cfg(unix)]
use self::unix::{hold, release};

/// Keeps standard error guarded until the last of them is dropped; see [`guard_stderr`].
#[derive(Debug)]
#[must_use = "standard error is guarded while this lives"]
pub struct StderrGuard(());

/// Guards standard error while what it gives lives, of which there may be several at once.
///
/// Dropping the last one gives what is still on its way up to 250 ms to get out, if the host reads, and puts the real
/// descriptor back, so that what `main` reports is seen even if the process ends at once. If the host does not read, the guard
/// stays.
///
/// ```
/// let guard = grange_process::guard_stderr()?;
/// eprintln!("nobody has to read this");
/// drop(guard);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// From the system, such as too many open files. Standard error is where it was then.
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
        /// Whether descriptor 1 goes where descriptor 2 goes.
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

        /// Forgets a guard whose pipe somebody took away again, by pointing the descriptor elsewhere: what it does from there is
        /// theirs.
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
            // With our pipe gone from it, the threads end once the last child process that has it does.
            if stderr.point_at(&guarded.real).is_err() {
                stderr.guarded = Some(guarded);
            }
        }
    }

    /// Points descriptor 1 where descriptor 2 goes, now and from here on.
    pub(crate) fn redirect_stdout() -> io::Result<()> {
        let mut stderr = Stderr::lock();
        rustix::stdio::dup2_stdout(io::stderr())?;
        stderr.has_stdout = true;
        Ok(())
    }
}
