//! The structural rules, each a test named for what holds. A failure lists every place and says what to do instead.

mod core;
mod examples;
mod glossary;
mod imports;
mod leftovers;
mod links;
mod manifests;
mod quotes;
mod revisions;
mod shape;
mod threats;
mod words;

/// Fails with every place that breaks a rule, and what to do.
#[track_caller]
fn none(places: &[String], remedy: &str) {
    assert!(places.is_empty(), "{remedy}:\n  {}", places.join("\n  "));
}
