//! The golden transcripts of `tests/transcripts/<revision>/`, each replayed over every wire that it applies to, with
//! every message of the server checked by the oracle.
//!
//! `UPDATE=1` rewrites the server's messages. Review the changes against the contract like any others.

#![allow(clippy::unwrap_used, reason = "what cannot be unwrapped here fails the test")]

mod servers;
mod wires;

use std::fs;
use std::path::{Path, PathBuf};

use grange_core::{Revision, Server};
use grange_testkit::transcript::{MemoryWire, Transcript, Wire, check_file};
use serde_json::Value;

use self::wires::{HttpWire, PipeWire};
use crate::schema::Oracle;

/// A transcript file with its settings.
struct Golden {
    path: PathBuf,
    revision: Revision,
    server: Server,
    /// `pipe` or `http` if the file is for only one of them.
    only: Option<String>,
}

impl Golden {
    fn read(path: PathBuf, revision: Revision) -> Self {
        let transcript = Transcript::parse(&fs::read_to_string(&path).unwrap());
        let transcript = transcript.unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
        let server = servers::named(transcript.setting("server").unwrap_or("almanac"));
        Self { revision, server, only: transcript.setting("wires").map(str::to_owned), path }
    }

    fn is_for(&self, kind: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == kind)
    }

    async fn check(&self, wire: &mut impl Wire) -> Result<(), String> {
        let replayed = check_file(&self.path, wire).await.map_err(|mismatch| mismatch.to_string())?;
        let mut oracle = Oracle::new(self.revision);
        let mut problems = Vec::new();
        for exchange in replayed.exchanges() {
            oracle.sent(&json(&exchange.sent).unwrap_or_default());
            for message in &exchange.received {
                match json(message) {
                    Some(message) => problems.extend(oracle.received(&message)),
                    None => problems.push(format!("no JSON: {message}")),
                }
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(format!("{}\n  {}", self.path.display(), problems.join("\n  "))) }
    }
}

fn json(message: &str) -> Option<Value> {
    serde_json::from_str(message).ok()
}

fn goldens() -> Vec<Golden> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("transcripts");
    let files = |revision: Revision| {
        let folder = root.join(revision.name());
        let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files.into_iter().map(move |path| Golden::read(path, revision))
    };
    Revision::ALL.into_iter().flat_map(files).collect()
}

#[tokio::test(start_paused = true)]
async fn every_transcript_passes_on_every_wire() {
    let mut failures = Vec::new();
    let mut note = |wire: &str, checked: Result<(), String>| {
        failures.extend(checked.err().map(|failure| format!("over {wire}: {failure}")));
    };
    for golden in goldens() {
        if golden.is_for("pipe") {
            note("pipe in memory", golden.check(&mut MemoryWire::pipe(&golden.server)).await);
            note("a pipe", golden.check(&mut PipeWire::new(&golden.server)).await);
        }
        if golden.is_for("http") {
            note("http in memory", golden.check(&mut MemoryWire::http(&golden.server, golden.revision)).await);
            note("http", golden.check(&mut HttpWire::new(&golden.server, golden.revision)).await);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
