//! The signals that end a server process: SIGTERM and SIGINT, or Ctrl-C where there are none.

use std::io;

/// Resolves at the first such signal. From the call on they no longer end the process by themselves.
#[cfg(unix)]
pub(crate) fn end_signal() -> io::Result<impl Future<Output = ()>> {
    use std::task::Poll;
    use tokio::signal::unix::{SignalKind, signal};

    let mut signals = [signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?];
    Ok(std::future::poll_fn(move |cx| {
        let came = signals.iter_mut().any(|signal| signal.poll_recv(cx).is_ready());
        if came { Poll::Ready(()) } else { Poll::Pending }
    }))
}

/// Resolves at the first such signal.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn end_signal() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    })
}
