//! Every test that is not about one file alone, in one binary: a module a topic.

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
mod tool_macro;
mod transcripts;
mod ui;
mod watched;
mod wire;
