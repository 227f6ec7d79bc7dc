//! The server's CPU time per request, measured for pairs of loads in turn, so that variations of the machine affect
//! both. Reports the minimum of the rounds: noise only adds.

use std::time::{Duration, Instant};

use grange_core::Revision;

use crate::Result;
use crate::client::Client;
use crate::load::{Load, READ};
use crate::process::served;

const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(2);
const CONNECTIONS: u32 = 16;

/// Compares reads of 1 KiB: older revisions with the newest, computed contents with fixed ones, few resources with
/// many.
pub(crate) fn run(server: &str) -> Result<()> {
    let loads = [
        READ,
        Load { name: "2025-11-25", revision: Revision::V2025_11_25, ..READ },
        Load { name: "2025-06-18", revision: Revision::V2025_06_18, ..READ },
        Load { name: "2025-03-26", revision: Revision::V2025_03_26, ..READ },
        Load { name: "computed", computed: true, ..READ },
        Load { name: "of 1,000", resources: 1000, ..READ },
        Load { name: "of 100,000", resources: 100_000, ..READ },
    ];
    let mut least = [f64::INFINITY; 7];
    for _ in 0..ROUNDS {
        for (load, least) in loads.iter().zip(&mut least) {
            *least = least.min(microseconds(server, load)?);
        }
    }
    println!("{:<16} {:>10} {:>8}", "read-1k", "CPU µs", "ratio");
    for (load, cost) in loads.iter().zip(least) {
        println!("{:<16} {cost:>10.1} {:>8.2}", load.name, cost / least[0]);
    }
    Ok(())
}

/// The server's CPU time per request.
fn microseconds(server: &str, load: &Load) -> Result<f64> {
    let running = served(server, load)?;
    let mut client = Client::connect(running.address, CONNECTIONS as usize)?;
    let request = load.post();
    for _ in 0..200 {
        client.round(&request)?;
    }
    let (before, began, mut requests) = (running.cpu_seconds()?, Instant::now(), 0_u32);
    while began.elapsed() < ROUND {
        client.round(&request)?;
        requests += CONNECTIONS;
    }
    Ok((running.cpu_seconds()? - before) * 1e6 / f64::from(requests))
}
