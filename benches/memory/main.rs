//! The memory that the settings of a server allow, reached on purpose: `memory`.
//!
//! A server with low limits is filled by clients that keep as much of it as they can, all at once: answers that they do not read, bodies and
//! heads that do not end, streams over HTTP/2, sessions with all that they may keep. Each part tries to get more than its limit. The
//! server must hold between 80 and 120 per cent of what the formula in `formula.rs` allows: more means that something is not counted,
//! less that the formula is of no use. The deployment guide has the same formula with the default settings.
//!
//! The program starts itself with `serve` as the server.

mod answers;
mod formula;
mod heads;
mod http1;
mod http2;
mod server;
mod sessions;

use std::env;
use std::error::Error;
use std::process::{Command, ExitCode};
use std::time::Duration;

use grange_benches::process::Served;
use tokio::runtime::Builder;
use tokio::time::sleep;

use crate::formula::{Part, allowed};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What the server may hold, of what it is allowed to, in per cent.
const WITHIN: std::ops::RangeInclusive<u64> = 80..=120;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => fill(),
        ["serve"] => server::serve().map(|()| true),
        _ => Err("usage: memory, or memory serve".into()),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("memory: {error}");
            ExitCode::FAILURE
        }
    }
}

fn fill() -> Result<bool> {
    let served = Served::start(Command::new(env::current_exe()?).arg("serve"))?;
    Builder::new_current_thread().enable_all().build()?.block_on(fill_all(&served))
}

/// Fills one part after the other, and keeps all of them until the end.
async fn fill_all(served: &Served) -> Result<bool> {
    let address = served.address;
    http1::read_once(address).await?;
    let mut meter = Meter { served, before: served.memory_kib("VmRSS:")?, total: 0, allowed: 0 };
    println!("{:>8} KiB after the first answer", meter.before);
    let _sessions = sessions::open(address).await?;
    meter.show(Part::Sessions).await?;
    let _heads = heads::open(address).await?;
    meter.show(Part::Connections).await?;
    let _streams = http2::open(address).await?;
    meter.note("of streams over HTTP/2").await?;
    let _answers = answers::open(address).await?;
    meter.show(Part::Service).await?;
    meter.close()
}

/// Compares what the server holds with what it may.
struct Meter<'a> {
    served: &'a Served,
    /// KiB before the part.
    before: u64,
    /// KiB of all parts.
    total: u64,
    allowed: u64,
}

impl Meter<'_> {
    async fn show(&mut self, part: Part) -> Result<()> {
        let now = self.settled().await?;
        let (more, allowed) = (now.saturating_sub(self.before), allowed(part) / 1024);
        println!("{more:>8} KiB more, {allowed:>7} allowed: {}", part.name());
        (self.before, self.total, self.allowed) = (now, self.total + more, self.allowed + allowed);
        Ok(())
    }

    /// Shows what there is of a part so far.
    async fn note(&self, what: &str) -> Result<()> {
        println!("{:>8} KiB more, {what}", self.settled().await?.saturating_sub(self.before));
        Ok(())
    }

    /// The memory in KiB, once the server has read all that was sent.
    async fn settled(&self) -> Result<u64> {
        const PAUSE: Duration = Duration::from_millis(200);
        let mut before = 0;
        loop {
            let now = self.served.memory_kib("VmRSS:")?;
            if now == before {
                return Ok(now);
            }
            before = now;
            sleep(PAUSE).await;
        }
    }

    /// The peak counts, with what was needed only for a moment.
    fn close(&self) -> Result<bool> {
        let start = self.before.saturating_sub(self.total);
        let reached = self.served.memory_kib("VmHWM:")?.saturating_sub(start);
        let share = reached * 100 / self.allowed.max(1);
        let holds = WITHIN.contains(&share);
        let verdict = if holds { "ok  " } else { "FAIL" };
        println!("{verdict} {reached} KiB of {} that the settings allow: {share} per cent", self.allowed);
        Ok(holds)
    }
}
