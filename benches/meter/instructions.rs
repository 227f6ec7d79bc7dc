//! User-space instructions per request, with limits that CI checks.
//!
//! Each figure is the difference of two runs that differ only in the number of requests, so that start and end are not
//! included. It varies by less than a per cent on one machine with one compiler. **A limit is the figure at its date
//! plus three per cent**: enough for a new version of the compiler, but not for another pass over the body or some more
//! allocations.

use std::fs::{self, File};
use std::io::Write;

use grange_core::Revision;

use crate::Result;
use crate::client::Client;
use crate::load::{BLOB_1M, Load, READ, TEXT_1M};
use crate::process::{collected, counted, piped};

/// The numbers of requests of the two runs.
const RUNS: [u32; 2] = [400, 2000];
const CONNECTIONS: u32 = 4;

struct Row {
    load: Load,
    channel: Channel,
    /// The maximum.
    limit: u64,
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Channel {
    Http,
    Pipe,
}

fn rows() -> Vec<Row> {
    let legacy = Revision::V2025_06_18;
    let http = |load, limit| Row { load, channel: Channel::Http, limit };
    vec![
        http(READ, 29_500),
        http(Load { name: "read-1k of 100,000", resources: 100_000, ..READ }, 29_500),
        http(Load { name: "read-1k, 2025-06-18", revision: legacy, ..READ }, 23_000),
        http(Load { name: "read-1k, computed", computed: true, ..READ }, 35_300),
        http(Load { name: "list-10", uri: None, ..READ }, 27_150),
        http(Load { name: "list-1000", uri: None, resources: 1000, ..READ }, 28_750),
        http(Load { name: "text-1m", uri: Some(TEXT_1M), big: true, ..READ }, 30_950),
        http(Load { name: "blob-1m", uri: Some(BLOB_1M), big: true, ..READ }, 30_950),
        Row { load: Load { name: "read-1k on a pipe", ..READ }, channel: Channel::Pipe, limit: 11_500 },
    ]
}

/// Measures every row; fails if one exceeds its limit.
pub(crate) fn run(server: &str) -> Result<()> {
    println!("{:<24} {:>14} {:>10}", "", "instructions", "limit");
    let mut over = Vec::new();
    for Row { load, channel, limit } in rows() {
        let figure = each(server, &load, channel)?;
        println!("{:<24} {figure:>14} {limit:>10}", load.name);
        if figure > limit {
            over.push(format!("{}: {figure} instructions for each request, the limit is {limit}", load.name));
        }
    }
    if over.is_empty() { Ok(()) } else { Err(over.join("\n").into()) }
}

fn each(server: &str, load: &Load, channel: Channel) -> Result<u64> {
    let count = |requests| match channel {
        Channel::Http => over_http(server, load, requests),
        Channel::Pipe => over_pipe(server, load, requests),
    };
    let [few, many] = RUNS;
    Ok(count(many)?.saturating_sub(count(few)?) / u64::from(many - few))
}

fn over_http(server: &str, load: &Load, requests: u32) -> Result<u64> {
    let running = counted(server, load)?;
    let mut client = Client::connect(running.address, CONNECTIONS as usize)?;
    let request = load.post();
    for _ in 0..requests / CONNECTIONS {
        client.round(&request)?;
    }
    drop(client);
    collected(&running.end()?)
}

/// Sends all requests at once, from a file, so that the driver forms its largest batches.
fn over_pipe(server: &str, load: &Load, requests: u32) -> Result<u64> {
    let path = std::env::temp_dir().join(format!("bench-meter-{}.jsonl", std::process::id()));
    let mut lines = File::create(&path)?;
    for id in 1..=requests {
        let line = load.message().replacen("\"id\":1", &format!("\"id\":{id}"), 1);
        writeln!(lines, "{line}")?;
    }
    let output = piped(server, load, File::open(&path)?);
    fs::remove_file(&path)?;
    collected(&output?)
}
