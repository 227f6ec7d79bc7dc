//! What the macros accept and refuse, as the compiler says it. That what they make is what a builder makes stands in the
//! suite.
//!
//! `TRYBUILD=overwrite` rewrites the messages. A file in `ui/fail` is named after its mistake; only messages of ours
//! are in there, since the compiler's own change from release to release. Those in `ui/words` are the compiler's, with our words and
//! our choice of the place in them: a new release may ask for them to be rewritten, and review reads whether ours are still there.

// Helpers fail a test by panicking, as the tests themselves do.
#![allow(clippy::unwrap_used, reason = "what cannot be unwrapped here fails the test")]

mod skill;

#[test]
fn the_compiler_agrees() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    cases.compile_fail("ui/fail/*.rs");
    cases.compile_fail("ui/words/*.rs");
}
