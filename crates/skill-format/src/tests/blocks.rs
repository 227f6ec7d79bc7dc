//! Where the frontmatter begins and ends, and the effect on multi-line texts.

use super::{HEAD, json};
use crate::{Frontmatter, FrontmatterFault as Fault};

/// The line and the fault of a whole file.
#[track_caller]
fn fault(file: &[u8]) -> (Option<usize>, Fault) {
    match Frontmatter::parse(file) {
        Ok(frontmatter) => panic!("{:?} was accepted as {}", file.escape_ascii().to_string(), frontmatter.json()),
        Err(error) => (error.line(), error.fault().clone()),
    }
}

#[track_caller]
fn json_of(file: &str) -> String {
    match Frontmatter::parse(file.as_bytes()) {
        Ok(frontmatter) => frontmatter.json().to_owned(),
        Err(error) => panic!("{file:?}: {error}"),
    }
}

const EXPECTED: &str = r#"{"name":"x","description":"D."}"#;

#[test]
fn c7_accepted_fences() {
    for file in [
        format!("---\n{HEAD}---\n"),
        format!("---\n{HEAD}---"),
        format!("---\n{HEAD}--- \t \n# Body\n---\n"),
        format!("---\n{HEAD}---\t"),
        format!("\u{feff}---\n{HEAD}---\nbody"),
        format!("---\n\n{HEAD}\n---\n"),
        format!("---\n# c\n{HEAD}# c\n---\n"),
        format!("---\r\n{}---\r\n", HEAD.replace('\n', "\r\n")),
        format!("---\r\n{HEAD}---  \r\n"),
    ] {
        assert_eq!(json_of(&file), EXPECTED, "{file:?}");
    }
}

#[test]
fn c7_no_fence_at_the_first_byte() {
    for file in
        ["", "# X\n", "\n---\nname: x\n---\n", " ---\nname: x\n---\n", "----\nname: x\n---\n", "name: x\n---\n", "--\n"]
    {
        assert_eq!(fault(file.as_bytes()), (Some(1), Fault::NoFence), "{file:?}");
    }
    let twice = format!("\u{feff}\u{feff}---\n{HEAD}---\n");
    assert_eq!(fault(twice.as_bytes()), (Some(1), Fault::NoFence));
}

#[test]
fn c7_an_opening_fence_followed_by_text() {
    for file in ["--- \nname: x\n---\n", "---\t\nname: x\n---\n", "--- yaml\nname: x\n---\n", "---x\nname: x\n---\n"] {
        assert_eq!(fault(file.as_bytes()), (Some(1), Fault::OpeningFence), "{file:?}");
    }
}

#[test]
fn c7_no_closing_fence() {
    for file in
        ["---", "---\n", "---\nname: x\n", "---\nname: x\n ---\n", "---\nname: x\n---x\n", "---\nname: x\n----\n"]
    {
        assert_eq!(fault(file.as_bytes()), (Some(1), Fault::Unterminated), "{file:?}");
    }
    // A carriage return alone does not end a line.
    assert_eq!(fault(b"---\nname: x\n---\r"), (Some(3), Fault::LoneReturn));
}

#[test]
fn c7_nothing_between_the_fences() {
    for file in [
        "---\n---\n",
        "---\n---",
        "---\r\n---\r\n",
        "---\n\n---\n",
        "---\n# c\n\n---\n",
        "---\n---\nname: x\n---\n",
        "---\n~\n---\n",
    ] {
        let (line, fault) = fault(file.as_bytes());
        assert_eq!(fault, Fault::Empty, "{file:?}");
        assert!(line >= Some(2), "{file:?}: {line:?}");
    }
}

#[test]
fn c8_5_frontmatter_that_is_not_a_mapping() {
    assert_eq!(fault(b"---\n- a\n---\n"), (Some(2), Fault::NotMapping { found: "a list" }));
    assert_eq!(fault(b"---\nname\n---\n"), (Some(2), Fault::NotMapping { found: "a string" }));
    assert_eq!(fault(b"---\nname:x\n---\n"), (Some(2), Fault::NotMapping { found: "a string" }));
    assert_eq!(fault(b"---\n\n17\n---\n"), (Some(3), Fault::NotMapping { found: "an integer" }));
    assert_eq!(json_of("---\n{name: x, description: D.}\n---\n"), EXPECTED);
}

#[test]
fn c8_2_files_that_are_not_utf_8() {
    assert_eq!(fault(b"---\nname: \xff\n---\n"), (Some(2), Fault::NotUtf8));
    assert_eq!(fault(b"---\nname: x\ndescription: D.\n---\n\n# \xc3\n"), (Some(6), Fault::NotUtf8));
}

#[test]
fn c8_3_missing_frontmatter_has_a_remedy() {
    let message = Frontmatter::parse(b"# Close\n").unwrap_err().to_string();
    assert_eq!(
        message,
        "line 1: the file does not begin with frontmatter: make `---` its very first line, before `name: …`"
    );
}

#[test]
fn c7_a_literal_text_keeps_its_line_feed_as_the_last_key() {
    assert_eq!(json("v: |\n  a\n  b"), r#"{"v":"a\nb\n"}"#);
    assert_eq!(json("v: |\n  a\n  b\nw: c"), r#"{"v":"a\nb\n","w":"c"}"#);
}

#[test]
fn c7_a_folded_text_keeps_its_line_feed_as_the_last_key() {
    assert_eq!(json("v: >\n  a\n  b"), r#"{"v":"a b\n"}"#);
    assert_eq!(json("v: >\n  a\n  b\nw: c"), r#"{"v":"a b\n","w":"c"}"#);
    let file = "---\nname: x\ndescription: >\n  Close the\n  ledger.\n---\n";
    assert_eq!(Frontmatter::parse(file.as_bytes()).unwrap().description(), "Close the ledger.\n");
}

#[test]
fn c7_a_stripped_text_has_no_line_feed() {
    assert_eq!(json("v: |-\n  a\n  b"), r#"{"v":"a\nb"}"#);
    assert_eq!(json("v: >-\n  a\n  b"), r#"{"v":"a b"}"#);
}

#[test]
fn c7_a_kept_text_has_all_breaks_before_the_fence_except_one() {
    assert_eq!(json("v: |+\n  a"), r#"{"v":"a\n"}"#);
    assert_eq!(json("v: |+\n  a\n"), r#"{"v":"a\n"}"#);
    assert_eq!(json("v: |+\n  a\n\n"), r#"{"v":"a\n\n"}"#);
    assert_eq!(json("v: |\n  a\n\n"), r#"{"v":"a\n"}"#);
}

#[test]
fn c7_crlf_gives_the_same_values_as_lf() {
    let body = "\
v: |
  a

  b
w: >-
  c
  d

  e
x: \"f
  g\"
y: 'h

  i'
z: j
  k
l: [1,
  2]
m: |
  end
";
    let unix = format!("---\n{HEAD}{body}---\n");
    let windows = unix.replace('\n', "\r\n");
    let expected = r#"{"name":"x","description":"D.","v":"a\n\nb\n","w":"c d\ne","x":"f g","y":"h\ni","z":"j k","l":[1,2],"m":"end\n"}"#;
    assert_eq!(json_of(&unix), expected);
    assert_eq!(json_of(&windows), expected);
    assert_eq!(json_of(&format!("\u{feff}{windows}")), expected);
    assert!(Frontmatter::parse(windows.as_bytes()).unwrap().lints().is_empty());
}

#[test]
fn a_single_carriage_return_is_rejected() {
    assert_eq!(fault(b"---\nname: x\rdescription: D.\n---\n"), (Some(2), Fault::LoneReturn));
    assert_eq!(fault(b"---\nname: x\r\r\n---\n"), (Some(2), Fault::LoneReturn));
    assert_eq!(json_of(&format!("---\n{HEAD}---\nbody\rbody\n")), EXPECTED);
}

#[test]
fn a_byte_order_mark_inside_is_rejected() {
    assert_eq!(fault("---\n\u{feff}name: x\n---\n".as_bytes()), (Some(2), Fault::ByteOrderMark));
    assert_eq!(fault("---\n# c\n\u{feff}name: x\n---\n".as_bytes()), (Some(3), Fault::ByteOrderMark));
    assert_eq!(fault("---\nname: x\n\u{feff}description: D.\n---\n".as_bytes()), (Some(3), Fault::ByteOrderMark));
}
