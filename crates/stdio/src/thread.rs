//! The thread that serves the process's own streams.
//!
//! Not a task of the runtime: **a task can be trapped behind author code that blocks the worker it was woken on**, a thread
//! cannot. It waits for the host and for the jobs in one place, so that a request that runs no job needs no other thread.

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

use crate::bell::Bell;
use crate::driver::{Driver, is_gone};
use crate::input::Input;
use crate::pump::Output;
use crate::shutdown::Shutdown;

/// Turns that the jobs are given at most before what they said is taken.
const TURNS: usize = 16;

/// Serves on a thread until the input ends or `shutdown` says so; dropped, it ends the thread.
pub(crate) async fn serve(
    server: Server,
    (input, output): (Input, Output),
    mut shutdown: Shutdown,
    runtime: &Handle,
) -> Result<(), Error> {
    let (stop, stopped) = oneshot::channel::<()>();
    let (ended, end) = oneshot::channel();
    let told = Shutdown::new(async { drop(stopped.await) });
    let serving = Serving { driver: Driver::new(server, told, runtime), input, output, ended, bell: Bell::new()? };
    let thread = thread::Builder::new().name("grange-stdio".into()).spawn(move || serving.run())?;
    let (mut stop, mut end) = (Some(stop), pin!(end));
    // Whoever gave the future that ends the serving has it polled in the task that listens.
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

/// It ended without saying how.
fn panicked(thread: JoinHandle<()>) -> Result<(), Error> {
    match thread.join() {
        Err(panic) => resume_unwind(panic),
        Ok(()) => Ok(()),
    }
}

/// What the thread has.
struct Serving {
    driver: Driver,
    input: Input,
    output: Output,
    /// Closed when nobody listens any more.
    ended: oneshot::Sender<io::Result<()>>,
    bell: Bell,
}

impl Serving {
    fn run(mut self) {
        let waker = self.bell.waker();
        let mut cx = Context::from_waker(&waker);
        while self.ended.poll_closed(&mut cx).is_pending() {
            let (read, write) = (Pin::new(&mut self.input), Pin::new(&mut self.output));
            let outcome = match self.driver.poll(&mut cx, read, write) {
                Poll::Ready(outcome) => outcome,
                Poll::Pending if self.driver.due().is_some_and(|due| due <= Instant::now()) => self.driver.give_up(),
                Poll::Pending => {
                    self.bell.wait(&mut self.input, self.driver.due());
                    self.gather();
                    continue;
                }
            };
            let Self { driver, ended, .. } = self;
            // What is left of the jobs is cancelled before anybody hears of the end.
            drop(driver);
            let _ = ended.send(outcome);
            return;
        }
    }

    /// Lets the jobs run on while each turn of theirs brings answers: one large write costs less than many small ones. A job that
    /// blocks brings none, and is not waited for.
    fn gather(&self) {
        let jobs = self.driver.jobs();
        let mut before = 0;
        for _ in 0..TURNS {
            let now = jobs.said();
            if now == before || now == jobs.len() {
                return;
            }
            before = now;
            thread::yield_now();
        }
    }
}
