//! What `skill!` embeds.

use std::fs;

use proc_macro2::Literal;
use quote::quote;

/// What the compiler finds at the path later may be another file.
#[test]
fn skill_embeds_the_bytes_that_it_checked() {
    let folder = "../../examples/skills/release-notes";
    let code = crate::skill::expand(quote!(grange; #folder)).to_string();
    let (watched, embedded) = code.split_once("const FILES").unwrap();
    for file in ["SKILL.md", "assets/mark.png", "references/voice.md"] {
        let bytes = Literal::byte_string(&fs::read(format!("{folder}/{file}")).unwrap());
        assert!(embedded.contains(&bytes.to_string()), "{file}");
        assert!(watched.contains(file), "{file}");
    }
    assert!(!embedded.contains("include_bytes"));
}
