//! Any byte stream as a transport. The process's own streams, which have to be guarded, are in `stdio.rs`.

use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::task::{Poll, ready};

use grange_core::{Error, Server, Transport};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Handle;
use tokio::task::unconstrained;
use tokio::time::sleep_until;

use crate::driver::{Driver, is_gone};
use crate::shutdown::Shutdown;

/// Serves one client over a byte stream: its two directions, such as the halves of a Unix socket, a TCP connection or a
/// duplex in memory.
///
/// Serving ends when the input does. To serve many clients, accept connections in a loop and give each a clone of the
/// server.
///
/// ```
/// use grange_core::{Resource, Server};
/// use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let guide = Resource::builder().uri("docs://guide").name("guide").text("# Guide").build();
/// let server = Server::builder("documentation", "1.0.0").resource(guide).build()?;
///
/// let (client, served) = tokio::io::duplex(4096);
/// let (read, write) = tokio::io::split(served);
/// let serving = tokio::spawn(server.listen(grange_stdio::pipe(read, write)));
///
/// let (answers, mut requests) = tokio::io::split(client);
/// requests.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").await?;
/// let answer = BufReader::new(answers).lines().next_line().await?;
/// assert_eq!(answer.as_deref(), Some(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#));
///
/// requests.shutdown().await?; // the end of input ends the serving
/// serving.await??;
/// # Ok(())
/// # }
/// ```
pub fn pipe<R, W>(read: R, write: W) -> Pipe<R, W>
where
    R: AsyncRead + Send,
    W: AsyncWrite + Send,
{
    Pipe { read, write, shutdown: Shutdown::default() }
}

/// A byte stream to serve on; see [`pipe`].
#[must_use = "a transport serves when it is given to `Server::listen`"]
pub struct Pipe<R, W> {
    read: R,
    write: W,
    shutdown: Shutdown,
}

impl<R, W> Pipe<R, W> {
    /// Ends gracefully when this future resolves, as if the input had ended.
    ///
    /// ```
    /// # let (read, write) = (tokio::io::empty(), tokio::io::sink());
    /// let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    /// let transport = grange_stdio::pipe(read, write).shutdown(async { drop(stopped.await) });
    /// ```
    pub fn shutdown(self, when: impl Future<Output = ()> + Send + 'static) -> Self {
        Self { shutdown: Shutdown::new(when), ..self }
    }
}

impl<R: AsyncRead + Send, W: AsyncWrite + Send> Transport for Pipe<R, W> {
    async fn serve(self, server: Server) -> Result<(), Error> {
        let (mut read, mut write) = (pin!(self.read), pin!(self.write));
        let mut driver = Driver::new(server, self.shutdown, &runtime()?);
        let mut clock = None;
        let over = poll_fn(|cx| {
            if let Poll::Ready(outcome) = driver.poll(cx, read.as_mut(), write.as_mut()) {
                return Poll::Ready(outcome);
            }
            let Some(due) = driver.due() else { return Poll::Pending };
            ready!(clock.get_or_insert_with(|| Box::pin(sleep_until(due))).as_mut().poll(cx));
            Poll::Ready(driver.give_up())
        });
        // The driver bounds its turns itself. With the runtime's own budget, its wake-up would wait behind the task that its worker
        // runs next, which may block.
        match unconstrained(over).await {
            Err(error) if !is_gone(&error) => Err(error.into()),
            _ => Ok(()),
        }
    }
}

/// The runtime on which the jobs run.
pub(crate) fn runtime() -> Result<Handle, Error> {
    let missing = "a byte stream is served on a tokio runtime: call `listen` inside one, as `#[tokio::main]` makes it";
    Handle::try_current().map_err(|_| Error::Config(missing.into()))
}

impl<R, W> fmt::Debug for Pipe<R, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipe").field("shutdown", &self.shutdown).finish_non_exhaustive()
    }
}
