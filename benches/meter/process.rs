//! The server as a process: started, looked at from outside, ended.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::Result;
use crate::load::Load;

/// A server that listens.
pub(crate) struct Served {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Served {
    pub(crate) fn start(server: &str, load: &Load) -> Result<Self> {
        Self::started(Command::new(server).arg("http"), load)
    }

    /// Under callgrind, which counts until the end.
    pub(crate) fn counted(server: &str, load: &Load) -> Result<Self> {
        Self::started(callgrind(server).arg("http").stderr(Stdio::piped()), load)
    }

    fn started(command: &mut Command, load: &Load) -> Result<Self> {
        let mut child = command.envs(load.environment()).stdout(Stdio::piped()).spawn()?;
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

    /// CPU seconds so far.
    pub(crate) fn cpu_seconds(&self) -> Result<f64> {
        /// What the kernel counts in, on every Linux that this runs on.
        const TICKS: f64 = 100.0;
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |index: usize| -> Result<f64> { Ok(fields.get(index).ok_or("a short stat")?.parse()?) };
        Ok((ticks(11)? + ticks(12)?) / TICKS)
    }

    /// A line of the kernel's account of the process, in KiB: `VmRSS` for now, `VmHWM` for the most so far.
    pub(crate) fn memory_kib(&self, line: &str) -> Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let found = status.lines().find_map(|each| each.strip_prefix(line)?.split_whitespace().next());
        Ok(found.ok_or_else(|| format!("no {line} in the account"))?.parse()?)
    }

    /// Ends it in order, and gives what it wrote to standard error.
    pub(crate) fn end(mut self) -> Result<String> {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).ok_or("no process id")?;
        kill_process(pid, Signal::TERM)?;
        let mut said = String::new();
        if let Some(mut errors) = self.child.stderr.take() {
            errors.read_to_string(&mut said)?;
        }
        self.child.wait()?;
        Ok(said)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Ended before, or to be ended now: a measurement failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Serves a file of lines over the pipe, under callgrind, and gives what callgrind said.
pub(crate) fn piped(server: &str, load: &Load, lines: File) -> Result<String> {
    let mut command = callgrind(server);
    let output = command.arg("stdio").envs(load.environment()).stdin(lines).output()?;
    let answers = output.stdout.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"{\"jsonrpc\"")).count();
    if answers == 0 {
        return Err("the server answered nothing over the pipe".into());
    }
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

fn callgrind(server: &str) -> Command {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", server]);
    command
}

/// The instructions that callgrind collected.
pub(crate) fn collected(said: &str) -> Result<u64> {
    let line = said.lines().find(|line| line.contains("Collected :"));
    let count = line
        .and_then(|line| line.split_whitespace().next_back())
        .ok_or_else(|| format!("callgrind counted nothing; it said:\n{said}"))?;
    Ok(count.parse()?)
}
