//! The server that is measured against its floor and its peers: `bench-server http|stdio`.
//!
//! Its resources and its environment are the bench's contract (`corpus.rs`). Otherwise it uses the library as any
//! application does: the small HTTP server and the stdio transport with default settings. `RT` is `current` or
//! `multi:WORKERS`. Without `PORT` the system chooses one; the address is printed to standard output.

mod corpus;

use std::env;
use std::error::Error;
use std::process::ExitCode;

use grange_core::{CacheScope, Server};
use grange_http::http;
use grange_stdio::stdio;
use tokio::runtime::{Builder, Runtime};

use crate::corpus::Corpus;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench-server: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve() -> Result<()> {
    let mode = env::args().nth(1).unwrap_or_default();
    let corpus = Corpus::from_environment()?;
    let server =
        Server::builder("bench", "1.0.0").cache_scope(CacheScope::Public).resources(corpus.resources()).build()?;
    let runtime = runtime()?;
    match mode.as_str() {
        "http" => {
            let port = env::var("PORT").unwrap_or_else(|_| "0".to_owned());
            let transport = http(format!("127.0.0.1:{port}")).on_listening(|address| println!("{address}"));
            runtime.block_on(server.listen(transport))?;
        }
        "stdio" => runtime.block_on(server.listen(stdio()))?,
        _ => return Err("usage: bench-server http|stdio".into()),
    }
    Ok(())
}

fn runtime() -> Result<Runtime> {
    let wanted = env::var("RT").unwrap_or_else(|_| "current".to_owned());
    let mut builder = match wanted.strip_prefix("multi:") {
        Some(workers) => {
            let mut builder = Builder::new_multi_thread();
            builder.worker_threads(workers.parse()?);
            builder
        }
        None => Builder::new_current_thread(),
    };
    Ok(builder.enable_all().build()?)
}
