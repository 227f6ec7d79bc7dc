//! The thread that serves the process's own streams.
//!
//! Not a task of the runtime: **a task can be delayed by author code that blocks the worker on which it was woken**, a thread cannot. It
//! waits for the host and for the jobs in one place, so that a request without a job needs no other thread.

use std::future::poll_fn;
use std::io;
use std::panic::resume_unwind;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::thread::{self, JoinHandle};

use grange_core::{Error, Server};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::driver::{Driver, is_gone};
use crate::input::Input;
use crate::parker::Parker;
use crate::pump::Output;
use crate::shutdown::Shutdown;

/// The most turns that the jobs are given before their messages are taken.
const TURNS: usize = 16;

/// Serves on a thread until the input ends or `shutdown` resolves. Dropped, it ends the thread.
pub(crate) async fn serve(
    server: Server,
    (input, output): (Input, Output),
    mut shutdown: Shutdown,
    runtime: &Handle,
) -> Result<(), Error> {
    let (stop, stopped) = oneshot::channel::<()>();
    let (ended, end) = oneshot::channel();
    let on_stop = Shutdown::new(async { drop(stopped.await) });
    let serving =
        Serving { driver: Driver::new(server, on_stop, runtime), input, output, ended, parker: Parker::new()? };
    let thread = thread::Builder::new().name("grange-stdio".into()).spawn(move || serving.run())?;
    let (mut stop, mut end) = (Some(stop), pin!(end));
    // The author's future that ends the serving is polled in the task that called `listen`.
    let outcome = poll_fn(|cx| {
        if shutdown.poll_now(cx) {
            stop = None;
        }
        end.as_mut().poll(cx)
    });
    match outcome.await {
        Ok(Err(error)) if !is_gone(&error) => Err(error.into()),
        Ok(_) => Ok(()),
        Err(_) => panicked(thread),
    }
}

/// The thread ended without an outcome.
fn panicked(thread: JoinHandle<()>) -> Result<(), Error> {
    match thread.join() {
        Err(panic) => resume_unwind(panic),
        Ok(()) => Ok(()),
    }
}

/// The state of the thread.
struct Serving {
    driver: Driver,
    input: Input,
    output: Output,
    /// Closed when the future of `listen` is dropped.
    ended: oneshot::Sender<io::Result<()>>,
    parker: Parker,
}

impl Serving {
    fn run(mut self) {
        let waker = self.parker.waker();
        let mut cx = Context::from_waker(&waker);
        while self.ended.poll_closed(&mut cx).is_pending() {
            let (read, write) = (Pin::new(&mut self.input), Pin::new(&mut self.output));
            let outcome = match self.driver.poll(&mut cx, read, write) {
                Poll::Ready(outcome) => outcome,
                Poll::Pending if self.driver.due().is_some_and(|due| due <= Instant::now()) => self.driver.give_up(),
                Poll::Pending => {
                    self.parker.park(&mut self.input, self.driver.due());
                    self.gather();
                    continue;
                }
            };
            let Self { driver, ended, .. } = self;
            // The jobs that are left are cancelled before `listen` returns.
            drop(driver);
            let _ = ended.send(outcome);
            return;
        }
    }

    /// Gives the jobs turns while each turn brings messages: one large write costs less than many small ones. A job that blocks brings
    /// none, and is not waited for.
    fn gather(&self) {
        let jobs = self.driver.jobs();
        let mut before = 0;
        for _ in 0..TURNS {
            let now = jobs.pending_messages();
            if now == before || now == jobs.len() {
                return;
            }
            before = now;
            thread::yield_now();
        }
    }
}
