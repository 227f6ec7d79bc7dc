//! Reads and writes that wait even if the parent made the descriptor non-blocking: **its settings are never changed**, since other
//! processes may share them.

use std::fs::File;
use std::io::{self, Write};

use rustix::event::{PollFd, PollFlags, poll};

/// Writes all bytes, and waits even if the parent made the descriptor non-blocking.
pub(crate) fn write_all(file: &File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match waiting(file, PollFlags::OUT, |mut file| file.write(bytes)) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Repeats the call, after a wait, until it does not fail with `WouldBlock`.
pub(crate) fn waiting(
    file: &File,
    readiness: PollFlags,
    mut call: impl FnMut(&File) -> io::Result<usize>,
) -> io::Result<usize> {
    loop {
        match call(file) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                poll(&mut [PollFd::new(file, readiness)], None)?;
            }
            outcome => return outcome,
        }
    }
}
