//! The signals that end a server process: SIGTERM and SIGINT, or Ctrl-C on systems without signals.

use std::io;

/// Resolves when the process is asked to end: by SIGTERM or SIGINT, or by Ctrl-C on systems without signals. From the call on they no
/// longer end it by themselves.
///
/// `Server::listen` waits for them by itself. This is for an application that mounts the HTTP service: it then ends its streams, so
/// that a graceful shutdown does not wait for them.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let signal = grange_process::shutdown_signal()?;
/// // signal.await;
/// # drop(signal);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// From the system, if it accepts no handler.
#[cfg(unix)]
pub fn shutdown_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    use std::task::Poll;

    use tokio::signal::unix::{SignalKind, signal};

    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(std::future::poll_fn(move |cx| {
        // Both are polled, so that both wake.
        let (terminated, interrupted) = (terminate.poll_recv(cx), interrupt.poll_recv(cx));
        if terminated.is_ready() || interrupted.is_ready() { Poll::Ready(()) } else { Poll::Pending }
    }))
}

/// Resolves when the process is asked to end, by Ctrl-C. From the call on it no longer ends the process by itself.
///
/// # Errors
/// None.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "the signature of the other systems")]
pub fn shutdown_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
