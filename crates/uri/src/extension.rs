//! MIME types by file extension, from a fixed table.
//!
//! The system's table is not used, because it differs between machines.

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

/// The MIME type of a file by the extension of its name, whose case does not matter. `None` for an unknown extension.
///
/// ```
/// use grange_uri::mime_by_extension;
///
/// assert_eq!(mime_by_extension("scripts/check.PY"), Some("text/x-python"));
/// assert_eq!(mime_by_extension("LICENSE"), None);
/// ```
pub fn mime_by_extension(path: &str) -> Option<&'static str> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let extension = extension(file)?.to_ascii_lowercase();
    let place = TYPES.binary_search_by(|(known, _)| known.cmp(&extension.as_str())).ok()?;
    TYPES.get(place).map(|(_, mime)| *mime)
}

/// The part after the last dot. A dot at the start of the name does not count: `.gz` has no extension.
fn extension(file: &str) -> Option<&str> {
    let (stem, extension) = file.rsplit_once('.')?;
    (!stem.is_empty()).then_some(extension)
}

#[cfg(test)]
mod tests {
    use super::{TYPES, mime_by_extension};
    use crate::check_mime;

    #[test]
    fn the_table_is_sorted_and_its_types_are_valid() {
        assert!(TYPES.is_sorted_by(|left, right| left.0 < right.0));
        for (extension, mime) in TYPES {
            assert_eq!(check_mime(mime), Ok(()), "{mime}");
            assert_eq!(mime_by_extension(&format!("a/b.{extension}")), Some(*mime));
            assert_eq!(mime_by_extension(&format!("b.{}", extension.to_uppercase())), Some(*mime));
        }
    }

    #[test]
    fn the_type_depends_on_the_extension_of_the_file_name() {
        assert_eq!(mime_by_extension("a.tar.gz"), Some("application/gzip"));
        for path in ["a.png/b", ".md", "a.d/.md", "a.", "", "a.unknown"] {
            assert_eq!(mime_by_extension(path), None, "{path}");
        }
    }
}
