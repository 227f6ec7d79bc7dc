//! Every test that is not about one file alone, in one binary: a module a topic.

mod raw;

mod build;
mod schema;
mod testkit;
mod transcripts;
mod wire;
