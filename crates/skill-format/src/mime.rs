//! The MIME type of a skill's file: by its extension, and for an unknown one by its content.

use grange_uri::mime_by_extension;

/// The MIME type of a skill's file. The case of the extension does not matter. A file with an unknown extension is text if it is valid
/// UTF-8, otherwise bytes.
///
/// ```
/// use grange_skill_format::mime_type;
///
/// assert_eq!(mime_type("scripts/check.py", b"print('ok')\n"), "text/x-python");
/// assert_eq!(mime_type("SKILL.md", &[0xff]), "text/markdown");
/// assert_eq!(mime_type("LICENSE", b"MIT"), "text/plain");
/// assert_eq!(mime_type("assets/mark.bin", &[0x89, 0xff]), "application/octet-stream");
/// ```
pub fn mime_type(path: &str, bytes: &[u8]) -> &'static str {
    match mime_by_extension(path) {
        Some(mime) => mime,
        None if str::from_utf8(bytes).is_ok() => "text/plain",
        None => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::mime_type;

    #[test]
    fn the_type_depends_on_the_extension_of_the_file_name() {
        for (path, expected) in [
            ("a.png/b", "text/plain"),
            (".md", "text/plain"),
            ("a.d/.md", "text/plain"),
            ("a.tar.gz", "application/gzip"),
            ("a.", "text/plain"),
            ("", "text/plain"),
            ("a.unknown", "text/plain"),
        ] {
            assert_eq!(mime_type(path, b"a\0"), expected, "{path}");
        }
    }
}
