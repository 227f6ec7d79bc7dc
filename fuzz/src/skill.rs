//! The frontmatter of a SKILL.md: no panic, one-line error texts, JSON that has the name, and the same result for any
//! line ends.

use grange_skill_format::Frontmatter;
use serde_json::Value;

/// Reads the data as a SKILL.md.
pub fn skill(data: &[u8]) {
    let messages = match Frontmatter::parse(data) {
        Err(error) => vec![error.to_string()],
        Ok(frontmatter) => {
            let json: Value = serde_json::from_str(frontmatter.json()).expect("the frontmatter is JSON");
            assert_eq!(json["name"], frontmatter.name());
            frontmatter.lints().iter().map(ToString::to_string).collect()
        }
    };
    for message in messages {
        assert!(message.contains(": "), "no remedy in {message:?}");
        assert!(!message.contains(char::is_control), "a control character in {message:?}");
    }
    same_by_line_ends(data);
}

fn same_by_line_ends(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let unix = text.replace('\r', "");
    let windows = unix.replace('\n', "\r\n");
    let [unix, windows] = [unix, windows].map(|text| Frontmatter::parse(text.as_bytes()).ok());
    let json = |parsed: &Option<Frontmatter>| parsed.as_ref().map(|frontmatter| frontmatter.json().to_owned());
    assert_eq!(json(&unix), json(&windows), "the result depends on the line ends");
}
