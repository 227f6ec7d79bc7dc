//! What the macros accept and refuse, as the compiler says it. `TRYBUILD=overwrite` rewrites the messages.

#[test]
fn macros() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    cases.compile_fail("ui/fail/*.rs");
}
