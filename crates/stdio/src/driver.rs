//! Drives one connection over one byte stream: **one task or thread owns the connection, its input and its output**. The jobs are
//! tasks of their own.
//!
//! Reading goes on while jobs run, since a cancellation must get in; it stops only while the other end does not drain the
//! answers. What the lines mean is the connection's to know, what the jobs do is theirs.

use std::io;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use grange_core::{Action, Connection, Server, Ticket};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Handle;
use tokio::time::Instant;

use crate::inbox::Message;
use crate::jobs::Jobs;
use crate::lines::{Line, Lines};
use crate::shutdown::Shutdown;
use crate::write_buffer::WriteBuffer;

/// Rounds before other tasks of the runtime get their turn.
const ROUNDS: usize = 16;

/// Serves until the input ends or `shutdown` says so, and every accepted request is answered. Whoever polls it has the clock, and
/// [gives up](Driver::give_up) when that is due.
pub(crate) struct Driver {
    connection: Connection,
    phase: Phase,
    shutdown: Shutdown,
    lines: Lines,
    jobs: Jobs,
    write_buffer: WriteBuffer,
    /// Jobs that said something while the output was congested. Until it is drained they say no more, and those that
    /// are done make no room for others: what they said is still here.
    held_back: Vec<Ticket>,
    grace: Duration,
}

/// Where the serving is in its life.
///
/// ```text
/// Serving ──end of input, or told to──▶ Draining ──all answered, or the grace over──▶ returned
/// ```
/// An output that nobody hears any more ends it from anywhere.
enum Phase {
    Serving,
    Draining {
        /// When what is not answered is given up.
        until: Option<Instant>,
        /// What the input failed with.
        failure: Option<io::Error>,
    },
}

impl Driver {
    /// Its jobs are tasks of that runtime.
    pub(crate) fn new(server: Server, shutdown: Shutdown, runtime: &Handle) -> Self {
        Self {
            phase: Phase::Serving,
            shutdown,
            lines: Lines::new(server.limits().message_bytes),
            jobs: Jobs::new(runtime),
            write_buffer: WriteBuffer::default(),
            held_back: Vec::new(),
            grace: server.limits().shutdown_grace,
            connection: Connection::new(server).with_clock(|| Instant::now().into_std()),
        }
    }

    /// Reads, works and writes as far as it goes; ready when the serving is over.
    pub(crate) fn poll<R: AsyncRead, W: AsyncWrite>(
        &mut self,
        cx: &mut Context<'_>,
        mut read: Pin<&mut R>,
        mut write: Pin<&mut W>,
    ) -> Poll<io::Result<()>> {
        if self.is_serving() && self.shutdown.poll_now(cx) {
            self.drain(None);
        }
        let mut rounds = 0;
        while rounds < ROUNDS && self.round(cx, read.as_mut(), write.as_mut())? {
            rounds += 1;
        }
        if rounds == ROUNDS {
            cx.waker().wake_by_ref();
        }
        if self.is_answered() && write.poll_shutdown(cx).is_ready() {
            return Poll::Ready(self.outcome());
        }
        Poll::Pending
    }

    /// Its jobs.
    pub(crate) fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    /// When what is not answered is to be given up.
    pub(crate) fn due(&self) -> Option<Instant> {
        match self.phase {
            Phase::Serving => None,
            Phase::Draining { until, .. } => until,
        }
    }

    /// Ends the serving with requests unanswered.
    pub(crate) fn give_up(&mut self) -> io::Result<()> {
        tracing::warn!(requests = self.jobs.len(), "gave up unanswered requests: the time to shut down is over");
        self.outcome()
    }

    /// Reads once, works, writes once; `false` if nothing came of it, so that only a wake-up changes anything.
    fn round<R: AsyncRead, W: AsyncWrite>(
        &mut self,
        cx: &mut Context<'_>,
        read: Pin<&mut R>,
        write: Pin<&mut W>,
    ) -> io::Result<bool> {
        let heard = self.poll_input(cx, read);
        let worked = self.poll_jobs(cx);
        self.jobs.start();
        let congested = self.write_buffer.is_congested();
        if let Poll::Ready(sent) = self.write_buffer.poll_send(cx, write) {
            sent?;
        }
        let resumed = self.resume();
        self.jobs.start();
        let drained = congested && !self.write_buffer.is_congested();
        Ok(heard || worked || resumed || drained)
    }

    /// Takes what came in, unless the answers to what came before are not drained. A chunk is read ahead even then: its
    /// end may be the end of input.
    fn poll_input<R: AsyncRead>(&mut self, cx: &mut Context<'_>, read: Pin<&mut R>) -> bool {
        let heard = self.take_lines();
        if !self.is_serving() || !self.lines.is_used_up() {
            return heard;
        }
        match self.lines.poll_fill(cx, read) {
            Poll::Pending => return heard,
            Poll::Ready(Ok(true)) => {
                self.take_lines();
            }
            Poll::Ready(Ok(false)) => {
                if let Some(line) = self.lines.finish() {
                    self.take_line(line);
                }
                self.drain(None);
            }
            Poll::Ready(Err(error)) => self.drain(Some(error)),
        }
        true
    }

    fn take_lines(&mut self) -> bool {
        let mut taken = false;
        while self.is_serving() && !self.write_buffer.is_congested() {
            self.lines.set_limit(self.connection.frame_limit());
            let Some(line) = self.lines.next() else { break };
            self.take_line(line);
            taken = true;
        }
        taken
    }

    fn take_line(&mut self, line: Line) {
        match line {
            Line::Whole(line) => self.connection.handle_frame(&line),
            Line::Oversized => self.connection.handle_oversized(),
        }
        self.carry_out();
    }

    /// Does what the connection says.
    fn carry_out(&mut self) {
        while let Some(action) = self.connection.poll_action() {
            match action {
                Action::Send(message) => self.write_buffer.push(message),
                Action::Cancel(ticket) => self.jobs.remove(ticket),
                Action::Start(ticket, mut job) => {
                    if !self.is_serving() {
                        job.handle_shutdown();
                    }
                    self.jobs.insert(ticket, job);
                }
            }
        }
    }

    /// Takes what the jobs said; `false` if that was nothing.
    fn poll_jobs(&mut self, cx: &Context<'_>) -> bool {
        let mut batch = self.jobs.poll_said(cx);
        let said = !batch.is_empty();
        batch.drain(|ticket, is_last, message| {
            if !self.jobs.hear(ticket, is_last) {
                return;
            }
            match message {
                Some(Message::Short(message)) => self.write_buffer.push_short(message),
                Some(Message::Long(message)) => self.write_buffer.push(message),
                None => {}
            }
            self.held_back.push(ticket);
            self.resume();
        });
        self.jobs.give_back(batch);
        if said {
            // A job that was cancelled may have left something for its client.
            self.carry_out();
        }
        said
    }

    /// Lets the jobs that said something go on, or make room, unless that has to wait.
    fn resume(&mut self) -> bool {
        if self.held_back.is_empty() || self.write_buffer.is_congested() {
            return false;
        }
        for ticket in mem::take(&mut self.held_back) {
            if !self.jobs.resume(ticket) {
                self.connection.handle_done(ticket);
            }
        }
        self.carry_out();
        true
    }

    fn is_serving(&self) -> bool {
        matches!(self.phase, Phase::Serving)
    }

    /// Takes no more; held streams end, other work goes on to its answer.
    fn drain(&mut self, failure: Option<io::Error>) {
        self.connection.handle_end();
        self.carry_out();
        self.phase = Phase::Draining { until: Instant::now().checked_add(self.grace), failure };
        self.jobs.end();
    }

    /// Whether nothing is left to do.
    fn is_answered(&self) -> bool {
        !self.is_serving() && self.connection.is_idle() && self.write_buffer.is_empty()
    }

    fn outcome(&mut self) -> io::Result<()> {
        match &mut self.phase {
            Phase::Draining { failure, .. } => failure.take().map_or(Ok(()), Err),
            Phase::Serving => Ok(()),
        }
    }
}

/// Whether an error only says that the other end went away, which is an end like any other.
pub(crate) fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | UnexpectedEof)
}
