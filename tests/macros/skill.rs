//! `skill!`, as tested by the compiler.
//!
//! Its path is relative to the compiled package, which `trybuild` creates: the directories are copied there first.
//! `TRYBUILD=overwrite` rewrites the error texts.

use std::fs;
use std::path::Path;

#[test]
fn the_compiler_agrees() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let package = target.join("tests/trybuild").join(env!("CARGO_PKG_NAME"));
    copy(Path::new("ui/skills/fixtures"), &package.join("skills"));
    let cases = trybuild::TestCases::new();
    cases.pass("ui/skills/pass/*.rs");
    cases.compile_fail("ui/skills/fail/*.rs");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::write(&target, fs::read(entry.path()).unwrap()).unwrap();
        }
    }
}
