//! Drives one connection over one byte stream: **one task or thread owns the connection, its input and its output**. The jobs are
//! tasks of their own.
//!
//! Reading goes on while jobs run, so that cancellations arrive; it stops only while the other end does not read the answers. The
//! connection knows what the lines mean.

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

/// The most rounds before other tasks of the runtime get a turn.
const ROUNDS: usize = 16;

/// Serves until the input ends or `shutdown` resolves, and every accepted request is answered. The caller that polls it has the clock,
/// and [gives up](Driver::give_up) at the time of [`due`](Driver::due).
pub(crate) struct Driver {
    connection: Connection,
    phase: Phase,
    shutdown: Shutdown,
    lines: Lines,
    jobs: Jobs,
    write_buffer: WriteBuffer,
    /// Jobs with a message in the write buffer that must wait until it is drained: they are not polled meanwhile, and those that are
    /// done still count as in flight.
    held_back: Vec<Ticket>,
    grace: Duration,
    /// The most bytes that are held for the client.
    most: usize,
}

/// The phases of serving.
///
/// ```text
/// Serving ──end of input, or shutdown──▶ Draining ──all answered, or the grace period over──▶ returned
/// ```
/// A closed output ends either phase.
enum Phase {
    Serving,
    Draining {
        /// When unanswered requests are given up.
        until: Option<Instant>,
        /// The error that ended the input.
        failure: Option<io::Error>,
    },
}

impl Driver {
    /// A driver whose jobs are tasks of that runtime.
    pub(crate) fn new(server: Server, shutdown: Shutdown, runtime: &Handle) -> Self {
        Self {
            phase: Phase::Serving,
            shutdown,
            lines: Lines::new(server.limits().message_bytes),
            jobs: Jobs::new(runtime),
            write_buffer: WriteBuffer::default(),
            held_back: Vec::new(),
            grace: server.limits().shutdown_grace,
            most: server.limits().connection_bytes,
            connection: Connection::new(server).with_clock(|| Instant::now().into_std()),
        }
    }

    /// Reads, takes messages of jobs and writes until none of them has progress; ready when the serving is over.
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

    /// The jobs.
    pub(crate) fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    /// When unanswered requests are to be given up.
    pub(crate) fn due(&self) -> Option<Instant> {
        match self.phase {
            Phase::Serving => None,
            Phase::Draining { until, .. } => until,
        }
    }

    /// Ends the serving although requests are unanswered.
    pub(crate) fn give_up(&mut self) -> io::Result<()> {
        tracing::warn!(requests = self.jobs.len(), "gave up unanswered requests: the grace period is over");
        self.outcome()
    }

    /// Reads once, takes messages of jobs, writes once; `false` if none of them had progress, so that the driver has to be woken.
    fn round<R: AsyncRead, W: AsyncWrite>(
        &mut self,
        cx: &mut Context<'_>,
        read: Pin<&mut R>,
        write: Pin<&mut W>,
    ) -> io::Result<bool> {
        let has_read = self.poll_input(cx, read);
        let has_taken = self.poll_jobs(cx);
        self.jobs.start();
        let congested = self.write_buffer.is_congested();
        if let Poll::Ready(sent) = self.write_buffer.poll_send(cx, write) {
            sent?;
        }
        let resumed = self.resume();
        self.jobs.start();
        let drained = congested && !self.write_buffer.is_congested();
        Ok(has_read || has_taken || resumed || drained)
    }

    /// Takes the lines that arrived, unless earlier answers are not drained. One chunk is read ahead even then, since it may end the
    /// input.
    fn poll_input<R: AsyncRead>(&mut self, cx: &mut Context<'_>, read: Pin<&mut R>) -> bool {
        let has_read = self.take_lines();
        if !self.is_serving() || !self.lines.is_used_up() {
            return has_read;
        }
        match self.lines.poll_fill(cx, read) {
            Poll::Pending => return has_read,
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

    /// Carries out the actions of the connection.
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

    /// Takes the messages of the jobs; `false` if there were none.
    fn poll_jobs(&mut self, cx: &Context<'_>) -> bool {
        // Answers may take what requests leave, and as much as makes the output congested: an output that is drained lets jobs go on.
        let most = self.most.saturating_sub(self.connection.held_bytes()).max(WriteBuffer::CONGESTED);
        let mut batch = self.jobs.take_messages(cx, self.write_buffer.unwritten(), most);
        let has_taken = !batch.is_empty();
        batch.drain(|ticket, is_last, message| {
            if !self.jobs.note_message(ticket, is_last) {
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
        if has_taken {
            // A cancelled job may have left messages for the client in the connection.
            self.carry_out();
        }
        has_taken
    }

    /// Resumes jobs after a message, and removes those that are done, unless the output is congested.
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

    /// Takes no more requests. Held streams end, other jobs go on to their answers.
    fn drain(&mut self, failure: Option<io::Error>) {
        self.connection.handle_end();
        self.carry_out();
        self.phase = Phase::Draining { until: Instant::now().checked_add(self.grace), failure };
        self.jobs.end();
    }

    /// Whether every request is answered and every answer written.
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

/// Whether an error means that the other end has closed, which is a normal end.
pub(crate) fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | UnexpectedEof)
}
