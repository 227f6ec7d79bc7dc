//! Takes standard input and output for the protocol: the rest of the process gets others.
//!
//! It then reads an empty input, and its writes to standard output go to standard error, which `stderr.rs` guards.

use std::io;
use std::sync::{Mutex, PoisonError};

#[cfg(not(unix))]
pub use self::plain::{Input, Output};
#[cfg(unix)]
pub use self::unix::{Input, Output};

/// The real standard input and output.
#[derive(Debug)]
pub struct Streams {
    /// From the host.
    pub input: Input,
    /// To the host.
    pub output: Output,
    /// Whether [`guard_streams`] took them before: text that was printed since then did not reach the host.
    pub guarded_before: bool,
}

/// The streams that [`guard_streams`] took, until [`take_streams`] is called.
static KEPT: Mutex<Option<Streams>> = Mutex::new(None);

/// Takes the real streams now, for a later [`take_streams`]: from here on no text that the process prints reaches the real standard
/// output. Calling it again changes nothing.
///
/// ```
/// grange_process::guard_streams()?;
/// println!("this goes to standard error");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// From the system, such as too many open files. Nothing is taken then.
pub fn guard_streams() -> io::Result<()> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.is_none() {
        let (input, output) = take(true)?;
        *kept = Some(Streams { input, output, guarded_before: true });
    }
    Ok(())
}

/// The real streams, as descriptors that child processes do not inherit. With `guarded` the rest of the process gets others;
/// without, it keeps the same ones, unless [`guard_streams`] took them before.
///
/// ```
/// let streams = grange_process::take_streams(true)?;
/// streams.output.write_all(b"this is for the host\n")?;
/// println!("this goes to standard error");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// From the system, such as too many open files.
pub fn take_streams(guarded: bool) -> io::Result<Streams> {
    if let Some(kept) = KEPT.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Ok(kept);
    }
    let (input, output) = take(guarded)?;
    Ok(Streams { input, output, guarded_before: false })
}

#[cfg(unix)]
use self::unix::take;

#[cfg(not(unix))]
use self::plain::take;

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io::{self, Read, Seek, Write};
    use std::os::fd::{AsFd, BorrowedFd};
    use std::os::unix::fs::FileTypeExt;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use crate::blocking::{waiting, write_all};

    /// The bytes that a write to a pipe takes without waiting, once `poll(2)` reports it as writable. A socket takes more.
    const AT_ONCE: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

    pub(super) fn take(guarded: bool) -> io::Result<(Input, Output)> {
        // A cloned descriptor is closed on exec.
        let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let output = Output { is_stream: is_stream(&output), file: output };
        let input = Input { is_stream: is_stream(&input), file: input };
        if guarded {
            rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
            crate::stderr::redirect_stdout()?;
        }
        Ok((input, output))
    }

    /// Whether it is a pipe or a socket, for which `poll(2)` reports on every system whether a read or a write would wait.
    fn is_stream(file: &File) -> bool {
        file.metadata().is_ok_and(|metadata| {
            let kind = metadata.file_type();
            kind.is_fifo() || kind.is_socket()
        })
    }

    /// The real standard input. Reading waits, even if the parent made the descriptor non-blocking.
    #[derive(Debug)]
    pub struct Input {
        file: File,
        is_stream: bool,
    }

    impl Input {
        /// The descriptor to wait for, if it is a pipe or a socket, for which `poll(2)` reports when a read does not wait.
        pub fn to_watch(&self) -> Option<BorrowedFd<'_>> {
            self.is_stream.then(|| self.file.as_fd())
        }

        /// Reads once; does not wait if the parent made the descriptor non-blocking.
        pub fn read_now(&self, bytes: &mut [u8]) -> io::Result<usize> {
            (&self.file).read(bytes)
        }
    }

    impl Read for Input {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            waiting(&self.file, PollFlags::IN, |mut file| file.read(bytes))
        }
    }

    /// The real standard output.
    #[derive(Debug)]
    pub struct Output {
        file: File,
        is_stream: bool,
    }

    impl Output {
        /// Writes all bytes, and waits even if the parent made the descriptor non-blocking.
        pub fn write_all(&self, bytes: &[u8]) -> io::Result<()> {
            write_all(&self.file, bytes)
        }

        /// Writes the bytes that can be written without waiting; `None` if that may be none.
        pub fn write_now(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
            if !self.is_stream || bytes.len() > AT_ONCE {
                return Ok(None);
            }
            let mut fds = [PollFd::new(&self.file, PollFlags::OUT)];
            // A broken pipe counts as writable: the write then fails.
            if poll(&mut fds, Some(&Timespec::default())).unwrap_or(0) == 0 {
                return Ok(None);
            }
            match (&self.file).write(bytes) {
                Ok(written) => Ok(Some(written)),
                Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {
                    Ok(None)
                }
                Err(error) => Err(error),
            }
        }

        /// The number of bytes that were written to a file before; 0 if that is not known.
        pub fn position(&self) -> u64 {
            (&self.file).stream_position().unwrap_or(0)
        }
    }
}

#[cfg(not(unix))]
mod plain {
    use std::io::{self, Read, Stdin, Stdout, Write};

    #[allow(clippy::unnecessary_wraps, reason = "the signature of the other systems")]
    pub(super) fn take(_guarded: bool) -> io::Result<(Input, Output)> {
        Ok((Input(io::stdin()), Output(io::stdout())))
    }

    /// Standard input.
    #[derive(Debug)]
    pub struct Input(Stdin);

    impl Read for Input {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.0.read(bytes)
        }
    }

    /// Standard output.
    #[derive(Debug)]
    pub struct Output(Stdout);

    impl Output {
        /// Writes all bytes.
        pub fn write_all(&self, bytes: &[u8]) -> io::Result<()> {
            let mut output = self.0.lock();
            output.write_all(bytes)?;
            output.flush()
        }

        /// Writes the bytes that can be written without waiting: not known on these systems.
        #[allow(clippy::unnecessary_wraps, clippy::unused_self, reason = "the signature of the other systems")]
        pub fn write_now(&self, _bytes: &[u8]) -> io::Result<Option<usize>> {
            Ok(None)
        }

        /// The number of bytes that were written to a file before: not known on these systems.
        #[allow(clippy::unused_self, reason = "the signature of the other systems")]
        pub fn position(&self) -> u64 {
            0
        }
    }
}
