//! The server that the tests start, in each of its roles.

use std::io::Write;
use std::process::Command;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};
use std::{fs, hint, thread};

use grange_core::{Context, Error, Resource, ResourceBuilder, Server, Tool};
use tokio::runtime::Builder;

/// Lines that one read of `demo://flood` prints, half of them to stdout.
pub(super) const FLOOD: usize = 2000;

/// Serves in this role. Returns the exit status.
pub(super) fn main(role: &str) -> i32 {
    if role == "early" {
        grange_stdio::stdio_guard().unwrap();
        grange_stdio::stdio_guard().unwrap();
    }
    if role == "early" || role == "late" {
        println!("printed before listen");
        tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false).init();
    }
    let runtime = if role == "workers" || role == "http" {
        Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
    } else {
        Builder::new_current_thread().enable_all().build().unwrap()
    };
    match runtime.block_on(serve(role)) {
        Ok(()) => {
            // Otherwise the test would wait for a reader that blocks for ever.
            runtime.shutdown_background();
            0
        }
        // As Rust does with the error that `main` returns.
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "Error: {error:?}");
            1
        }
    }
}

async fn serve(role: &str) -> Result<(), Error> {
    let resources = streams().into_iter().chain(noise()).chain(blocking());
    let server = Server::builder("tests", "1.0.0").resources(resources).tool(steps()).on_error(|_, _| {}).build()?;
    if role.starts_with("http") {
        // An address that no machine has.
        let address = if role == "http" { "127.0.0.1:0" } else { "192.0.2.1:0" };
        let transport = grange_http::http(address).behind_proxy().on_listening(|address| println!("{address}"));
        return server.listen(transport).await;
    }
    let stdio = grange_stdio::stdio();
    let stdio = if role == "unguarded" { stdio.unguarded() } else { stdio };
    let outcome = server.clone().listen(stdio).await;
    match role {
        "twice" => server.listen(grange_stdio::stdio()).await,
        "failing" => Err(Error::Config("what main reports".to_owned())),
        _ => outcome,
    }
}

fn resource(name: &'static str) -> ResourceBuilder {
    Resource::builder().uri(format!("demo://{name}")).name(name)
}

/// Resources whose readers print to the streams, or take long.
fn streams() -> [Resource; 4] {
    let noisy = |_cx| async {
        println!("noise");
        print!("more noise");
        Ok("quiet")
    };
    let parent = |_cx| async {
        let child = Command::new("sh").args(["-c", "cat; echo from the child"]).status()?;
        Ok(child.to_string())
    };
    let slow = |_cx| async {
        // The wait is in the server's process: the tests wait for its answer, not for a time.
        tokio::time::sleep(Duration::from_millis(200)).await;
        Ok("done")
    };
    [
        resource("noisy").read(noisy).build(),
        resource("parent").read(parent).build(),
        resource("slow").read(slow).build(),
        resource("large").text("0123456789abcde\n".repeat(10 * 65_536)).build(),
    ]
}

/// Resources whose readers print much, and those that show the state of the process.
fn noise() -> [Resource; 6] {
    let flood = |_cx| async {
        for line in 0..FLOOD / 2 {
            println!("printed {line}");
            eprintln!("reported {line}");
        }
        Ok("flooded")
    };
    let report = |_cx| async {
        (0..FLOOD).for_each(|line| eprintln!("reported {line}"));
        Ok("reported")
    };
    let boom = |_cx| async { if true { panic!("boom") } else { Ok("") } };
    let loud_child = |_cx| async {
        let child = Command::new("sh").args(["-c", "yes | head -c 1000000 >&2"]).status()?;
        Ok(child.to_string())
    };
    let memory = |_cx| async {
        let pages = fs::read_to_string("/proc/self/statm")?;
        Ok(pages.split(' ').nth(1).unwrap_or_default().to_owned())
    };
    let stderr = |_cx| async { Ok(fs::read_link("/proc/self/fd/2")?.display().to_string()) };
    [
        resource("flood").read(flood).build(),
        resource("report").read(report).build(),
        resource("boom").read(boom).build(),
        resource("loud-child").read(loud_child).build(),
        resource("memory").read(memory).build(),
        resource("stderr").read(stderr).build(),
    ]
}

/// Longer than anything here takes: only a failing test waits for it.
const LIMIT: Duration = Duration::from_secs(20);

static OPEN: Mutex<bool> = Mutex::new(false);
static OPENED: Condvar = Condvar::new();

/// `blocks` blocks its thread until `opens` was read, `deaf` until it is cancelled. Both print a line to stderr when they begin.
fn blocking() -> [Resource; 4] {
    let blocks = |_cx| async {
        eprintln!("blocks");
        drop(OPENED.wait_timeout_while(OPEN.lock().unwrap(), LIMIT, |open| !*open).unwrap());
        Ok("let go")
    };
    let opens = |_cx| async {
        *OPEN.lock().unwrap() = true;
        OPENED.notify_all();
        Ok("opened")
    };
    let deaf = |cx: Context| async move {
        eprintln!("is deaf");
        let (token, begun) = (cx.cancellation_token(), Instant::now());
        while !token.is_cancelled() && begun.elapsed() < LIMIT {
            thread::yield_now();
        }
        Ok("not sent")
    };
    [
        resource("blocks").read(blocks).build(),
        resource("opens").read(opens).build(),
        resource("deaf").read(deaf).build(),
        resource("quick").read(|_cx| async { Ok("quick") }).build(),
    ]
}

/// Five steps, each of which keeps its thread busy and is awaited.
fn steps() -> Tool {
    Tool::builder().name("steps").call_without_arguments(|cx| async move {
        for step in 1..=5 {
            cx.progress((f64::from(step), 5.0));
            tokio::time::sleep(Duration::from_millis(1)).await;
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(2) {
                hint::spin_loop();
            }
        }
        Ok("stepped")
    })
}
