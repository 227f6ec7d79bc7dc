//! The server of the soak: `soak-server [--leak BYTES] [--cross N] [--keep-open N]`.
//!
//! A server as users write one, with limits so low that each is reached. Its address is printed to standard output. The
//! flags are defects on purpose, to prove that the soak finds them: bytes leaked by each request, one echo in N with
//! the nonce of the echo before, one descriptor in N requests left open.

mod counts;
mod defects;
mod resources;
mod tools;

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

use grange_benches::soak::{HEAD_BYTES, KEEP_ALIVE, PATIENCE, limits};
use grange_core::{Changes, Revision, Server};
use grange_http::http;
use tokio::runtime::Builder;

use crate::counts::Counts;
use crate::defects::{Defects, Guarded};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("soak-server: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve() -> Result<()> {
    let defects = Arc::new(Defects::from_arguments(std::env::args().skip(1))?);
    let counts = Arc::new(Counts::default());
    counts.watch_panics();
    let reported = counts.clone();
    let server = Server::builder("soak", "1.0.0")
        .resources(resources::all(&counts, &defects))
        .template(resources::item(&counts))
        .tools(tools::all(&counts))
        .changes(&Changes::new())
        .on_error(move |failure, _| reported.note(failure))
        .limits(limits())
        .requests_to_client()
        .revisions(Revision::ALL)
        .build()?;
    let mut transport = http("127.0.0.1:0")
        .read_timeout(PATIENCE)
        .idle_timeout(PATIENCE)
        .write_timeout(PATIENCE)
        .keep_alive(KEEP_ALIVE)
        .max_header_bytes(HEAD_BYTES)
        .on_listening(|address| println!("{address}"));
    if defects.are_of_requests() {
        transport = transport.authenticator(Guarded(defects));
    }
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    Ok(runtime.block_on(server.listen(transport))?)
}
