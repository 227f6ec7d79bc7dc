//! The process's own streams as a transport: guarded, pumped by two threads, ended by signals.

use std::sync::atomic::{AtomicBool, Ordering};

use grange_core::{Error, Server, Transport};

use crate::driver::drive;
use crate::shutdown::Shutdown;
use crate::{guard, pump};

/// Serves the host that started this process, over the process's own standard streams.
///
/// **Nothing but protocol lines reaches the real stdout.** Serving keeps the real streams for itself and leaves the rest
/// of the process others: what `println!` or a logger writes to stdout from then on lands on stderr, what reads stdin
/// finds it empty, and child processes inherit neither. [`Stdio::unguarded`] leaves them as they are. What was printed
/// before is on stdout already, so print nothing there before serving.
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

/// The process's own streams; see [`stdio`].
#[derive(Debug)]
#[must_use = "a transport serves when it is given to `Server::listen`"]
pub struct Stdio {
    guarded: bool,
    shutdown: Option<Shutdown>,
}

impl Stdio {
    /// Ends gracefully when this resolves, as if the input had ended. It takes the place of SIGTERM and SIGINT, which are
    /// then the program's own to handle.
    ///
    /// ```
    /// let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    /// let transport = grange_stdio::stdio().shutdown(async { drop(stopped.await) });
    /// ```
    pub fn shutdown(self, when: impl Future<Output = ()> + Send + 'static) -> Self {
        Self { shutdown: Some(Shutdown::new(when)), ..self }
    }

    /// Leaves the process's streams where they are. A stray `println!` then corrupts the protocol.
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
        if TAKEN.swap(true, Ordering::Relaxed) {
            return Err(Error::Config("stdio is served already: a process can serve its own streams once".into()));
        }
        let shutdown = self.shutdown.map_or_else(Shutdown::signals, Ok)?;
        let (input, output) = guard::take(self.guarded)?;
        drive(server, pump::Input::start(input)?, pump::Output::start(output)?, shutdown).await
    }
}
