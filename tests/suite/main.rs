//! All tests that span several files, in one binary: one module per topic.

mod raw;

mod apps;
mod build;
mod counted;
mod extension;
mod host;
mod http;
mod nimblebrain;
mod provided;
mod refused;
mod schema;
mod skills;
mod stdio;
mod testkit;
mod told;
mod transcripts;
mod ui;
mod watched;
mod wire;
