//! Which input the macros accept, as tested by the compiler. The suite tests that they produce the same as the
//! builders.
//!
//! `TRYBUILD=overwrite` rewrites the error texts. A file in `ui/fail` is named after its mistake. It has only errors of
//! the macros, since the compiler's own errors change between releases. Those in `ui/words` are the compiler's, with
//! texts and positions that the macros choose: after a new release they may have to be rewritten, and a review checks
//! that the texts are still there.

// Helpers panic to fail a test, as the tests themselves do.
#![allow(clippy::unwrap_used, reason = "what cannot be unwrapped here fails the test")]

mod skill;

#[test]
fn the_compiler_agrees() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    cases.compile_fail("ui/fail/*.rs");
    cases.compile_fail("ui/words/*.rs");
}
