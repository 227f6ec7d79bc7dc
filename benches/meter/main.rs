//! Measures a whole server from outside: `bench-meter instructions|compare|memory SERVER`, `bench-meter marks RESULTS`.
//!
//! ```text
//! instructions   user-space instructions for each request, under callgrind, against the limits in `instructions.rs`
//! compare        CPU time of older revisions beside the newest, of computed contents beside fixed ones
//! memory         bytes for each idle connection and each open stream, peaks of large reads
//! marks          what the bench beside the repository measured, as ratios, against the marks in `marks.rs`
//! ```
//! `SERVER` is a built `bench-server`. Instruction counts do not depend on other load on the machine, so CI can enforce
//! limits on them; it cannot for times.

mod client;
mod compare;
mod instructions;
mod load;
mod marks;
mod memory;
mod process;

use std::env;
use std::error::Error;
use std::process::ExitCode;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const USAGE: &str = "usage: bench-meter instructions|compare|memory SERVER, or bench-meter marks RESULTS";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let measured = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["instructions", server] => instructions::run(server),
        ["compare", server] => compare::run(server),
        ["memory", server] => memory::run(server),
        ["marks", results] => marks::run(results),
        _ => Err(USAGE.into()),
    };
    match measured {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench-meter: {error}");
            ExitCode::FAILURE
        }
    }
}
