//! The measured server as a process: directly, under callgrind, or on a pipe.

use std::fs::File;
use std::process::{Command, Stdio};

use grange_benches::process::Served;

use crate::Result;
use crate::load::Load;

/// The server over HTTP.
pub(crate) fn served(server: &str, load: &Load) -> Result<Served> {
    Served::start(Command::new(server).arg("http").envs(load.environment()))
}

/// The same under callgrind, which counts up to the end.
pub(crate) fn counted(server: &str, load: &Load) -> Result<Served> {
    Served::start(callgrind(server).arg("http").envs(load.environment()).stderr(Stdio::piped()))
}

/// Serves a file of lines over the pipe under callgrind, and returns callgrind's output.
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

/// The number of instructions in callgrind's output.
pub(crate) fn collected(output: &str) -> Result<u64> {
    let line = output.lines().find(|line| line.contains("Collected :"));
    let count = line
        .and_then(|line| line.split_whitespace().next_back())
        .ok_or_else(|| format!("callgrind counted nothing; it said:\n{output}"))?;
    Ok(count.parse()?)
}
