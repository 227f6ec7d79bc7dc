//! Takes the process's standard streams for the protocol and gives everybody else harmless ones.
//!
//! **No descriptor is ever made non-blocking**: the parent, stderr or a terminal may share its settings. One that the
//! parent made non-blocking is waited for all the same.

#[cfg(unix)]
pub(crate) use self::unix::take;

/// The two streams, with nothing guarded: there is no safe way to point a standard handle elsewhere.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn take(_guarded: bool) -> std::io::Result<(std::io::Stdin, std::io::Stdout)> {
    Ok((std::io::stdin(), std::io::stdout()))
}

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io::{self, Read, Write};
    use std::os::fd::AsFd;

    use rustix::event::{PollFd, PollFlags, poll};

    /// The real stdin and stdout, as descriptors that child processes do not inherit.
    pub(crate) fn take(guarded: bool) -> io::Result<(Taken, Taken)> {
        // A clone is closed on exec.
        let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        if guarded {
            rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
            rustix::stdio::dup2_stdout(io::stderr())?;
        }
        Ok((Taken(input), Taken(output)))
    }

    /// A descriptor that blocks, even if the parent made it non-blocking.
    pub(crate) struct Taken(File);

    impl Taken {
        fn wait_for(&self, readiness: PollFlags) -> io::Result<()> {
            poll(&mut [PollFd::new(&self.0, readiness)], None)?;
            Ok(())
        }
    }

    impl Read for Taken {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            loop {
                match self.0.read(buf) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        self.wait_for(PollFlags::IN)?;
                    }
                    outcome => return outcome,
                }
            }
        }
    }

    impl Write for Taken {
        fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
            loop {
                match self.0.write(buf) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        self.wait_for(PollFlags::OUT)?;
                    }
                    outcome => return outcome,
                }
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
