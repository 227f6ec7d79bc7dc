//! A server as a process: starts it, measures it from outside, ends it.

use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::process::{Pid, Signal, kill_process};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A server that listens. It is killed when dropped.
#[derive(Debug)]
pub struct Served {
    child: Child,
    /// The address that it printed on its first line.
    pub address: SocketAddr,
}

impl Served {
    /// Starts the server and waits for its address.
    ///
    /// # Errors
    /// The process does not start, or prints something else.
    pub fn start(command: &mut Command) -> Result<Self> {
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        let output = child.stdout.take().ok_or("the server has no output")?;
        BufReader::new(output).read_line(&mut line)?;
        let address = line.trim().parse().map_err(|_| format!("the server said {line:?} in place of its address"));
        match address {
            Ok(address) => Ok(Self { child, address }),
            Err(error) => {
                child.kill()?;
                child.wait()?;
                Err(error.into())
            }
        }
    }

    /// The CPU time so far, in seconds.
    ///
    /// # Errors
    /// The system does not report it.
    pub fn cpu_seconds(&self) -> Result<f64> {
        /// The kernel's clock ticks per second, which are the same on all Linux systems used here.
        const TICKS: f64 = 100.0;
        let stat = fs::read_to_string(self.account("stat"))?;
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |index: usize| -> Result<f64> { Ok(fields.get(index).ok_or("a short stat")?.parse()?) };
        Ok((ticks(11)? + ticks(12)?) / TICKS)
    }

    /// A line of the process's status, in KiB: `VmRSS:` for the current memory, `VmHWM:` for the peak.
    ///
    /// # Errors
    /// The system does not report it.
    pub fn memory_kib(&self, line: &str) -> Result<u64> {
        let status = fs::read_to_string(self.account("status"))?;
        let found = status.lines().find_map(|each| each.strip_prefix(line)?.split_whitespace().next());
        Ok(found.ok_or_else(|| format!("no {line} in the account"))?.parse()?)
    }

    /// The number of open file descriptors.
    ///
    /// # Errors
    /// The system does not report it.
    pub fn descriptors(&self) -> Result<usize> {
        Ok(fs::read_dir(self.account("fd"))?.count())
    }

    /// Sends SIGTERM.
    ///
    /// # Errors
    /// The signal cannot be sent.
    pub fn terminate(&self) -> Result<()> {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).ok_or("no process id")?;
        Ok(kill_process(pid, Signal::TERM)?)
    }

    /// The exit status, if the process has ended.
    ///
    /// # Errors
    /// The system does not report it.
    pub fn ended(&mut self) -> Result<Option<ExitStatus>> {
        Ok(self.child.try_wait()?)
    }

    /// Ends the process with SIGTERM, and returns its standard error if that is a pipe.
    ///
    /// # Errors
    /// The signal cannot be sent.
    pub fn end(mut self) -> Result<String> {
        self.terminate()?;
        let mut text = String::new();
        if let Some(mut errors) = self.child.stderr.take() {
            errors.read_to_string(&mut text)?;
        }
        self.child.wait()?;
        Ok(text)
    }

    fn account(&self, name: &str) -> String {
        format!("/proc/{}/{name}", self.child.id())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // The process has ended before, or a measurement failed and it must end now.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
