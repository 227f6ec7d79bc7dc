//! Every test that is not about one file alone, in one binary: a module a topic.

mod raw;

mod build;
mod host;
mod http;
mod nimblebrain;
mod schema;
mod stdio;
mod testkit;
mod transcripts;
mod ui;
mod wire;
