//! The process's own streams as a transport: guarded, served by a thread of their own, ended by signals.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use grange_core::{Error, Server, Transport};
use grange_process::{Streams, guard_stderr, guard_streams, take_streams};

use crate::input::Input;
use crate::pipe::runtime;
use crate::pump::Output;
use crate::shutdown::Shutdown;
use crate::thread;

/// Serves the host that started this process, over the process's own standard streams.
///
/// **Only protocol lines reach the real stdout.** Serving takes the real streams and gives the rest of the process others: what
/// `println!` or a logger writes to stdout from then on goes to stderr, a read of stdin finds it empty, and child processes inherit
/// neither. [`Stdio::unguarded`] leaves the streams as they are. Text that was printed before is on stdout already: [`stdio_guard`],
/// called first in `main`, guards from there.
///
/// **No write to stderr waits for the host**, even if it never reads or closes it: lines that do not fit into 256 KiB are dropped whole,
/// and counted on stderr once the host reads again. Lines that are written just before an abort may be lost.
///
/// Serving ends when the host closes its end, or at SIGTERM or SIGINT (Ctrl-C); every accepted request is answered
/// before. A process can serve its streams once.
///
/// ```no_run
/// # use grange_core::Server;
/// # async fn serve(server: Server) -> Result<(), grange_core::Error> {
/// server.listen(grange_stdio::stdio()).await
/// # }
/// ```
pub fn stdio() -> Stdio {
    Stdio { guarded: true, shutdown: None }
}

/// Takes the process's standard input and output for [`stdio`] now, so that text that is printed before `listen` does not reach the
/// host: it goes to stderr. Call it first in `main`. Calling it again changes nothing.
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// grange_stdio::stdio_guard()?;
/// println!("this goes to stderr");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// From the system, such as too many open files. Nothing is guarded then.
pub fn stdio_guard() -> io::Result<()> {
    guard_streams()
}

/// The process's own streams; see [`stdio`].
#[derive(Debug)]
#[must_use = "a transport serves when it is given to `Server::listen`"]
pub struct Stdio {
    guarded: bool,
    shutdown: Option<Shutdown>,
}

impl Stdio {
    /// Ends gracefully when this future resolves, as if the input had ended. It replaces SIGTERM and SIGINT, which the program then
    /// handles itself.
    ///
    /// ```
    /// let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    /// let transport = grange_stdio::stdio().shutdown(async { drop(stopped.await) });
    /// ```
    pub fn shutdown(self, when: impl Future<Output = ()> + Send + 'static) -> Self {
        Self { shutdown: Some(Shutdown::new(when)), ..self }
    }

    /// Leaves the process's stdin and stdout where they are, unless [`stdio_guard`] took them. A stray `println!` then corrupts
    /// the protocol.
    ///
    /// ```
    /// let transport = grange_stdio::stdio().unguarded();
    /// ```
    pub fn unguarded(self) -> Self {
        Self { guarded: false, ..self }
    }
}

impl Transport for Stdio {
    async fn serve(self, server: Server) -> Result<(), Error> {
        static TAKEN: AtomicBool = AtomicBool::new(false);
        let runtime = runtime()?;
        if TAKEN.swap(true, Ordering::Relaxed) {
            return Err(Error::Config(
                "stdio is served already, and a process can serve its own streams once: serve the next client over \
                 `pipe(…)` or `http(…)`, or start another process"
                    .into(),
            ));
        }
        let shutdown = self.shutdown.map_or_else(Shutdown::signals, Ok);
        let shutdown =
            shutdown.map_err(failed("SIGTERM and SIGINT cannot be handled", "give `.shutdown(…)` instead"))?;
        // Before the streams are taken, since stdout then goes to stderr.
        let _stderr = guard_stderr().map_err(failed("standard error cannot be guarded", LIMITS))?;
        let streams = take_streams(self.guarded).map_err(failed("the standard streams cannot be taken", LIMITS))?;
        report(&streams, self.guarded);
        let streams = Input::start(streams.input).and_then(|input| Ok((input, Output::start(streams.output)?)));
        let streams = streams.map_err(failed("a thread for the standard streams cannot be started", LIMITS))?;
        thread::serve(server, streams, shutdown, &runtime).await
    }
}

/// The remedy for errors of the system at the start of a server.
const LIMITS: &str = "raise the limits of open files and threads";

fn failed(what: &'static str, remedy: &'static str) -> impl FnOnce(io::Error) -> Error {
    move |error| Error::Io(io::Error::new(error.kind(), format!("{what}: {error}; {remedy}")))
}

/// Logs that stdio is served, and whether something was printed to the real stdout.
fn report(streams: &Streams, guarded: bool) {
    let before = streams.output.position();
    if before > 0 {
        tracing::warn!(
            bytes = before,
            "something was written to standard output before serving began, where only the protocol belongs: call \
             `grange::stdio_guard()` first in `main`, and print to standard error"
        );
    }
    if streams.guarded_before {
        tracing::info!(guarded_since = "stdio_guard", "serving over stdio");
    } else if guarded {
        tracing::info!(
            guarded_since = "listen",
            "serving over stdio; what was printed before went to the host: `grange::stdio_guard()`, called first in \
             `main`, guards from there"
        );
    } else {
        tracing::info!(guarded_since = "never", "serving over stdio, unguarded: print nothing to standard output");
    }
}
