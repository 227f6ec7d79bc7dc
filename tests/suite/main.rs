//! All tests that span several files, in one binary: one module per topic.

mod raw;

mod apps;
mod build;
mod changes;
mod completion;
mod directories;
mod extension;
mod handler_errors;
mod host;
mod http;
mod json_contents;
mod measurements;
mod nimblebrain;
mod provided;
mod reports;
mod resource_tools;
mod schema;
mod shelves;
mod skills;
mod stdio;
mod telemetry;
mod template_macro;
mod templates;
mod testkit;
mod tool_macro;
mod transcripts;
mod ui;
mod wire;
