//! The memory of the server: per idle connection, per open stream, and the peak while many clients read large contents.

use grange_benches::process::Served;

use crate::Result;
use crate::client::Client;
use crate::load::{Load, READ, TEXT_16M, listen};
use crate::process::served;

const CONNECTIONS: usize = 500;
const READERS: usize = 16;

pub(crate) fn run(server: &str) -> Result<()> {
    let (running, at_start) = warm(server, &READ)?;
    println!("{at_start:>8} KiB after the first answer");
    let mut idle = Client::connect(running.address, CONNECTIONS)?;
    idle.round(&READ.post())?;
    show_each(&running, at_start, "idle connection")?;

    let (running, at_start) = warm(server, &READ)?;
    let mut streams = Client::connect(running.address, CONNECTIONS)?;
    streams.open(&listen(READ.revision))?;
    show_each(&running, at_start, "connection with an open stream")?;

    for (kind, computed) in [("fixed", false), ("computed", true)] {
        let load = Load { uri: Some(TEXT_16M), big: true, computed, ..READ };
        let (running, at_start) = warm(server, &load)?;
        let mut readers = Client::connect(running.address, READERS)?;
        readers.round(&load.post())?;
        let most = running.memory_kib("VmHWM:")?.saturating_sub(at_start);
        println!(
            "{most:>8} KiB more at most while {READERS} read 16 MiB of {kind} text at once ({at_start} KiB before)"
        );
    }
    Ok(())
}

/// A server that has answered once, and its memory in KiB.
fn warm(server: &str, load: &Load) -> Result<(Served, u64)> {
    let running = served(server, load)?;
    Client::connect(running.address, 1)?.round(&READ.post())?;
    let held = running.memory_kib("VmRSS:")?;
    Ok((running, held))
}

fn show_each(running: &Served, before: u64, what: &str) -> Result<()> {
    let more = running.memory_kib("VmRSS:")?.saturating_sub(before);
    println!("{:>8} bytes for each {what}", more * 1024 / CONNECTIONS as u64);
    Ok(())
}
