//! MIME types by file extension, from a fixed table.
//!
//! The system's table is not used, because it differs between machines. The type does not depend on the content, with
//! one exception: a file with an unknown extension is text if it is valid UTF-8, otherwise bytes.

/// Extensions in lower case, sorted for binary search.
const TYPES: &[(&str, &str)] = &[
    ("avif", "image/avif"),
    ("bmp", "image/bmp"),
    ("cjs", "text/javascript"),
    ("css", "text/css"),
    ("csv", "text/csv"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("gif", "image/gif"),
    ("gz", "application/gzip"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("ico", "image/vnd.microsoft.icon"),
    ("ics", "text/calendar"),
    ("ipynb", "application/x-ipynb+json"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript"),
    ("json", "application/json"),
    ("jsonl", "application/jsonl"),
    ("markdown", "text/markdown"),
    ("md", "text/markdown"),
    ("mjs", "text/javascript"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("otf", "font/otf"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ("py", "text/x-python"),
    ("sh", "application/x-sh"),
    ("sql", "application/sql"),
    ("svg", "image/svg+xml"),
    ("tar", "application/x-tar"),
    ("tif", "image/tiff"),
    ("tiff", "image/tiff"),
    ("toml", "application/toml"),
    ("tsv", "text/tab-separated-values"),
    ("ttf", "font/ttf"),
    ("txt", "text/plain"),
    ("wasm", "application/wasm"),
    ("wav", "audio/wav"),
    ("webm", "video/webm"),
    ("webp", "image/webp"),
    ("woff", "font/woff"),
    ("woff2", "font/woff2"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("zip", "application/zip"),
];

/// The MIME type of a skill's file. The case of the extension does not matter.
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
    let file = path.rsplit('/').next().unwrap_or(path);
    match extension(file).and_then(by_extension) {
        Some(mime) => mime,
        None if str::from_utf8(bytes).is_ok() => "text/plain",
        None => "application/octet-stream",
    }
}

/// The part after the last dot. A dot at the start of the name does not count: `.gz` has no extension.
fn extension(file: &str) -> Option<&str> {
    let (stem, extension) = file.rsplit_once('.')?;
    (!stem.is_empty()).then_some(extension)
}

fn by_extension(extension: &str) -> Option<&'static str> {
    let extension = extension.to_ascii_lowercase();
    let place = TYPES.binary_search_by(|(known, _)| known.cmp(&extension.as_str())).ok()?;
    TYPES.get(place).map(|(_, mime)| *mime)
}

#[cfg(test)]
mod tests {
    use grange_uri::check_mime;

    use super::{TYPES, mime_type};

    #[test]
    fn the_table_is_sorted_and_its_types_are_valid() {
        assert!(TYPES.is_sorted_by(|left, right| left.0 < right.0));
        for (extension, mime) in TYPES {
            assert_eq!(check_mime(mime), Ok(()), "{mime}");
            assert_eq!(mime_type(&format!("a/b.{extension}"), &[0xff]), *mime);
            assert_eq!(mime_type(&format!("b.{}", extension.to_uppercase()), b""), *mime);
        }
    }

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
