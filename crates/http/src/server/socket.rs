//! The socket under a connection: it keeps the first bytes, by which the protocol is recognized; it fails a write that the client does
//! not take in time; it fails when the client of an awaited answer is gone; and it is closed only when a client that still sends has had
//! time to read the response.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use tokio::time::{Instant, Sleep, timeout_at};

use super::byte_stream::{ByteStream, ClientSpeed};
use super::connection_options::FAREWELL_WRITE;
use super::pace::Arrival;
use super::watched_stream::WatchedStream;
use crate::capacity::Capacity;
use crate::client_watch::{ClientWatch, Gone};
use crate::deadline::after;

/// A connection, for hyper.
pub(crate) struct Socket {
    stream: TokioIo<WatchedStream>,
    /// Read already, not yet given on.
    opening: Vec<u8>,
    arrival: Arrival,
    client: ClientWatch,
    write_timeout: Duration,
    /// A write that waits.
    stalled: Option<Stalled>,
    speed: ClientSpeed,
    writing: Writing,
    capacity: Arc<Capacity>,
    lingering: Lingering,
}

/// A write that waits: since when, and the end of its time.
struct Stalled {
    since: Instant,
    end: Pin<Box<Sleep>>,
}

impl Stalled {
    /// What the time that a write has waited shows about the client, if anything.
    fn shows(&self) -> Option<ClientSpeed> {
        const SHORT: Duration = Duration::from_millis(100);
        const LONG: Duration = Duration::from_secs(1);
        match self.since.elapsed() {
            waited if waited < SHORT => Some(ClientSpeed::Fast),
            waited if waited > LONG => Some(ClientSpeed::Slow),
            _ => None,
        }
    }
}

/// Whether a write waits for the client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writing(Arc<AtomicBool>);

impl Writing {
    pub(crate) fn waits(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How the end waits for the client: closing a socket with unread input resets it, and the client could not read the response.
///
/// ```text
/// Open ──our end sent──▶ Waiting ──their end, silence or too long──▶ Over
/// ```
enum Lingering {
    Open,
    Waiting { silence: Pin<Box<Sleep>>, total: Pin<Box<Sleep>> },
    Over,
}

impl Socket {
    pub(crate) fn new(stream: ByteStream, write_timeout: Duration, capacity: Arc<Capacity>) -> Self {
        let stream = TokioIo::new(WatchedStream::new(stream));
        let (opening, arrival, client) = (Vec::new(), Arrival::default(), ClientWatch::default());
        Self {
            stream,
            opening,
            arrival,
            client,
            write_timeout,
            stalled: None,
            speed: ClientSpeed::Slow,
            writing: Writing::default(),
            capacity,
            lingering: Lingering::Open,
        }
    }

    /// Where it is noted that bytes have arrived.
    pub(crate) fn arrival(&self) -> &Arrival {
        &self.arrival
    }

    /// Where an answer that has to wait says when its client is gone.
    pub(crate) fn client(&self) -> &ClientWatch {
        &self.client
    }

    /// Where it is noted that a write waits.
    pub(crate) fn writing(&self) -> &Writing {
        &self.writing
    }

    /// Whether the first bytes are these. They can still be read afterwards. The first must arrive within `idle`, the others within
    /// `head` from there.
    pub(crate) async fn opens_with<const N: usize>(
        &mut self,
        expected: &[u8; N],
        idle: Duration,
        head: Duration,
    ) -> io::Result<bool> {
        let mut buffer = [0; N];
        let mut end = after(idle);
        loop {
            let read = self.opening.len();
            if self.opening == expected {
                return Ok(true);
            }
            if !expected.starts_with(&self.opening) {
                return Ok(false);
            }
            let stream = self.stream.inner().get_ref();
            timeout_at(end, stream.readable()).await??;
            match stream.try_read(buffer.get_mut(read..).unwrap_or_default()) {
                Ok(0) => return Ok(false),
                Ok(more) => {
                    if read == 0 {
                        end = after(head);
                    }
                    self.opening.extend_from_slice(buffer.get(read..read + more).unwrap_or_default());
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Turns a write that waits too long into an error. A shutdown does not wait long for a client that reads nothing.
    fn within_time<T>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            if let Some(stalled) = self.stalled.take() {
                self.writing.0.store(false, Ordering::Relaxed);
                self.note_speed(stalled.shows());
            }
            return written;
        }
        self.writing.0.store(true, Ordering::Relaxed);
        let is_ending = self.capacity.is_ending();
        let time = if is_ending { self.write_timeout.min(FAREWELL_WRITE) } else { self.write_timeout };
        let stalled = || Stalled { since: Instant::now(), end: Box::pin(tokio::time::sleep(time)) };
        let Stalled { end, .. } = self.stalled.get_or_insert_with(stalled);
        // Counted from when the shutdown is noticed, if that is later.
        let latest = after(time);
        if is_ending && end.deadline() > latest {
            end.as_mut().reset(latest);
        }
        end.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }

    fn note_speed(&mut self, shown: Option<ClientSpeed>) {
        if let Some(speed) = shown.filter(|speed| *speed != self.speed) {
            self.speed = speed;
            self.stream.inner().get_ref().set_speed(speed);
        }
    }
}

impl Read for Socket {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, mut buf: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        if self.opening.is_empty() {
            let read = Pin::new(&mut self.stream).poll_read(cx, buf);
            if read.is_ready() {
                self.arrival.note();
            }
            return read;
        }
        let given = self.opening.len().min(buf.remaining());
        buf.put_slice(self.opening.get(..given).unwrap_or_default());
        self.opening.drain(..given);
        self.arrival.note();
        Poll::Ready(Ok(()))
    }
}

impl Write for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.within_time(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.within_time(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// No socket holds bytes back, so there is nothing to flush. hyper calls this each time it has polled the answer, and an error here
    /// ends the connection.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.client.gone() {
            Gone::Unwatched => Poll::Ready(Ok(())),
            gone => match self.stream.inner_mut().poll_gone(gone, cx) {
                Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into())),
                Poll::Pending => Poll::Ready(Ok(())),
            },
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if let Lingering::Open = this.lingering {
            ready!(Pin::new(&mut this.stream).poll_shutdown(cx))?;
            this.lingering = Lingering::new();
        }
        ready!(this.lingering.poll(this.stream.inner().get_ref(), cx));
        this.lingering = Lingering::Over;
        Poll::Ready(Ok(()))
    }
}

impl Lingering {
    /// How long a client may be silent before it counts as done.
    const SILENCE: Duration = Duration::from_millis(250);
    const TOTAL: Duration = Duration::from_secs(2);

    fn new() -> Self {
        let start = |time| Box::pin(tokio::time::sleep(time));
        Self::Waiting { silence: start(Self::SILENCE), total: start(Self::TOTAL) }
    }

    fn poll(&mut self, stream: &ByteStream, cx: &mut Context<'_>) -> Poll<()> {
        let Self::Waiting { silence, total } = self else { return Poll::Ready(()) };
        let mut discarded = [0; 8 * 1024];
        while let Poll::Ready(Ok(())) = stream.poll_read_ready(cx) {
            match stream.try_read(&mut discarded) {
                Ok(1..) if total.as_mut().poll(cx).is_pending() => {
                    silence.as_mut().reset(Instant::now() + Self::SILENCE);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Ok(_) | Err(_) => return Poll::Ready(()),
            }
        }
        silence.as_mut().poll(cx)
    }
}
