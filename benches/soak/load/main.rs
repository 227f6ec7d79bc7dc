//! The soak: a real server under a mixed load of correct, slow, hostile and invalid clients, for a given time.
//!
//! ```text
//! soak --server PROGRAM [--secs N] [--seed N] [--rate N] [--clients N] [--leak BYTES] [--cross N] [--keep-open N]
//! ```
//! The last three are defects of the server (`soak/server/defects.rs`), to prove that the soak finds them. **No check
//! is about speed**: time limits only detect a hang, and delays by a busy machine are counted and allowed. The seed
//! determines the load and is printed; it does not determine the timing.

mod after;
mod end;
mod events;
mod failure;
mod http1;
mod kinds;
mod message;
mod oracle;
mod question;
mod random;
mod report;
mod returned;
mod sample;
mod shared;
mod worker;

use std::cell::{Cell, RefCell};
use std::error::Error;
use std::process::{Command, ExitCode};
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use grange_benches::process::Served;
use tokio::runtime::Builder;
use tokio::task::{JoinSet, LocalSet};
use tokio::time::Instant;

use crate::oracle::Outcome;
use crate::question::Questions;
use crate::random::Random;
use crate::report::{Checks, seconds, show_counts, show_samples};
use crate::sample::{Growth, watch};
use crate::shared::{Counters, Pace, Shared};
use crate::worker::Worker;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The settings from the command line.
struct Settings {
    server: String,
    time: Duration,
    seed: u64,
    rate: u32,
    clients: u64,
    defects: Vec<String>,
}

impl Settings {
    fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
        let seed = now.as_secs() * 1000 + u64::from(now.subsec_millis());
        let (server, time, defects) = (String::new(), Duration::from_secs(60), Vec::new());
        let mut settings = Self { server, time, seed, rate: 2000, clients: 64, defects };
        while let Some(flag) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("{flag} needs a value"))?;
            match flag.as_str() {
                "--server" => settings.server = value,
                "--secs" => settings.time = Duration::from_secs(value.parse()?),
                "--seed" => settings.seed = value.parse()?,
                "--rate" => settings.rate = value.parse()?,
                "--clients" => settings.clients = value.parse()?,
                "--leak" | "--cross" | "--keep-open" => settings.defects.extend([flag, value]),
                _ => return Err(format!("{flag} is not a flag of the soak").into()),
            }
        }
        if settings.server.is_empty() || settings.time < Duration::from_secs(40) {
            return Err("--server PROGRAM is needed, and at least 40 seconds, or the memory cannot be judged".into());
        }
        Ok(settings)
    }
}

fn main() -> ExitCode {
    match soak() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("soak: {error}");
            ExitCode::FAILURE
        }
    }
}

fn soak() -> Result<bool> {
    let settings = Settings::from_arguments(std::env::args().skip(1))?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(LocalSet::new().run_until(run(settings)))
}

async fn run(settings: Settings) -> Result<bool> {
    println!("seed {}, {}, at most {} exchanges a second", settings.seed, seconds(settings.time), settings.rate);
    let served =
        Rc::new(Served::start(Command::new(&settings.server).args(&settings.defects).envs(sample::ALLOCATOR))?);
    let at_start = served.descriptors()?;
    let (questions, counts) = (RefCell::new(Questions::new()), RefCell::new(Counters::default()));
    let (began, pace) = (Instant::now(), Pace::new(settings.rate));
    let shared = Rc::new(Shared {
        address: served.address,
        questions,
        counts,
        pace,
        crowd: Cell::new(false),
        end: began + settings.time,
    });
    let watching = tokio::task::spawn_local(watch(served.clone(), shared.end));
    let mut workers = JoinSet::new();
    for number in 0..settings.clients {
        workers.spawn_local(kinds::run(Worker::new(shared.clone(), Random::new(settings.seed, number + 1))));
    }
    let samples = watching.await?.map_err(|error| format!("the server is gone: {error}"))?;
    let exchanges = u32::try_from(shared.questions.borrow().count())?;
    let rate = f64::from(exchanges) / began.elapsed().as_secs_f64();
    while let Some(worked) = workers.join_next().await {
        worked?;
    }
    let took = began.elapsed();
    show_counts(&shared.counts.borrow());
    show_samples(&samples);
    println!(
        "  {rate:.0} exchanges a second; the server took {:.1} s of CPU in {}",
        served.cpu_seconds()?,
        seconds(took)
    );
    let mut checks = Checks::default();
    check_counts(&shared.counts.borrow(), &mut checks);
    check_memory(&Growth::of(&samples)?, rate, &mut checks);
    returned::check(&shared, &mut checks).await;
    after::check(&shared, &served, at_start, &mut checks).await?;
    let mut served = Rc::into_inner(served).ok_or("the server is still watched")?;
    let mut worker = Worker::new(shared, Random::new(settings.seed, 0));
    end::check(&mut worker, &mut served, &mut checks).await?;
    Ok(checks.close())
}

fn check_counts(counts: &Counters, checks: &mut Checks) {
    let (all, wrong, late) = (counts.all(), counts.wrong.len() as u64, counts.late.len() as u64);
    checks.check(wrong == 0, format!("of {all} outcomes {wrong} were wrong"));
    checks.check(
        late * 100 <= all,
        format!("{late} were given up while the machine stood still, at most one in a hundred"),
    );
    for kind in kinds::ALL {
        let lacking = kind.lacking(counts);
        let what = if lacking.is_empty() { String::new() } else { format!(", but never {lacking:?}") };
        checks.check(lacking.is_empty(), format!("{} had its required outcomes{what}", kind.name));
    }
    for rejection in kinds::REJECTIONS.map(Outcome::name) {
        checks.check(
            counts.of(rejection) > 0,
            format!("a limit was reached: {rejection}, {} times", counts.of(rejection)),
        );
    }
}

fn check_memory(growth: &Growth, rate: f64, checks: &mut Checks) {
    let Growth { second, last, bound, .. } = growth;
    let least = growth.least_leak(rate);
    let what = format!(
        "memory: {second:.0} KiB, then {last:.0} KiB, at most {bound:.0}: {least:.0} bytes a request would show"
    );
    checks.check(growth.is_flat(), what);
}
