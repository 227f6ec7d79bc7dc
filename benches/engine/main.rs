//! The engine from bytes to bytes, without a transport: the cost of one request, for each revision, as an HTTP exchange
//! and on a pipe.
//!
//! ```sh
//! cargo bench -p grange-benches                       # everything
//! cargo bench -p grange-benches -- fixed http         # rows whose line has all these words
//! ```
//!
//! Compare figures only with those of the same machine in the same hour.

mod measure;
mod request;

use std::hint::black_box;
use std::task::Poll;

use bytes::Bytes;
use grange_benches::initialize;
use grange_core::{Accepted, Action, Connection, Job, JobEvent, Revision, Server, Wire};

use crate::measure::measure;
use crate::request::{Head, requests, server};

fn main() {
    // Cargo passes `--bench`; the other arguments select rows.
    let words: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    println!("{:<44} {:>9} {:>7} {:>10} {:>8}", "", "ns", "allocs", "allocated", "answer");
    for request in requests() {
        let server = server(request.resources);
        for revision in Revision::ALL.into_iter().filter(|revision| !request.opens || revision.has_handshake()) {
            let (body, head) = (request.body(revision), request.head(revision));
            let line = |channel: &str| format!("{:<22} {revision:<12} {channel}", request.name);
            row(&words, &line("http"), || accepted(&server, &body, &head));
            if request.opens {
                row(&words, &line("pipe"), || answered(&mut Connection::new(server.clone()), &body));
            } else {
                let mut connection = opened(&server, revision);
                row(&words, &line("pipe"), || answered(&mut connection, &body));
            }
        }
    }
}

fn row(words: &[String], line: &str, mut run: impl FnMut() -> usize) {
    if words.iter().all(|word| line.contains(word.as_str())) {
        let answer = run();
        let cost = measure(&mut run);
        println!("{line:<44} {:>9.0} {:>7} {:>10} {answer:>8}", cost.nanoseconds, cost.allocations, cost.bytes);
    }
}

/// Runs one exchange; returns the length of the answer.
fn accepted(server: &Server, body: &Bytes, head: &Head) -> usize {
    match server.accept(body, head) {
        Accepted::Open(opening) => sent(opening.accept().0),
        Accepted::Send(wire, _) => sent(wire),
        Accepted::Run(job) => done(job),
        Accepted::Silent => 0,
    }
}

/// Runs one line on a pipe; returns the length of the answer.
fn answered(connection: &mut Connection, line: &Bytes) -> usize {
    connection.handle_frame(line);
    let mut length = 0;
    while let Some(action) = connection.poll_action() {
        match action {
            Action::Send(wire) => length += sent(wire),
            Action::Start(ticket, job) => {
                length += done(job);
                connection.handle_done(ticket);
            }
            Action::Cancel(_) => {}
        }
    }
    length
}

/// A pipe after the handshake of that revision.
fn opened(server: &Server, revision: Revision) -> Connection {
    let mut connection = Connection::new(server.clone());
    if revision.has_handshake() {
        answered(&mut connection, &initialize(revision).into());
    }
    connection
}

fn done(mut job: Job) -> usize {
    match job.poll_now() {
        Poll::Ready(JobEvent::Done(wire, _)) => sent(wire),
        Poll::Ready(_) | Poll::Pending => panic!("these readers complete in one poll"),
    }
}

/// Consumes an answer as a driver does; returns its length.
fn sent(wire: Wire) -> usize {
    wire.into_parts().map(|part| black_box(part).len()).sum()
}
