//! Reads the contents of one file: beneath the root, within a bound, as text or as bytes.

use std::io::{self, Read as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use grange_core::{Contents, IntoContents as _, ReadError};

use crate::root::Root;

const MEBIBYTE: u64 = 1024 * 1024;
/// The code of the error about a file that is too large.
const TOO_LARGE: i64 = 4130;

/// Where contents come from: what all resources of a directory have in common.
#[derive(Debug)]
pub(crate) struct Source {
    /// `None` while there is no directory at the path.
    root: RwLock<Option<Arc<Root>>>,
    max_bytes: AtomicU64,
}

impl Source {
    pub(crate) fn new(root: Root) -> Self {
        Self { root: RwLock::new(Some(Arc::new(root))), max_bytes: AtomicU64::new(16 * MEBIBYTE) }
    }

    pub(crate) fn root(&self) -> Option<Arc<Root>> {
        self.root.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set_root(&self, root: Option<Arc<Root>>) {
        *self.root.write().unwrap_or_else(PoisonError::into_inner) = root;
    }

    pub(crate) fn set_max_bytes(&self, bytes: u64) {
        self.max_bytes.store(bytes, Ordering::Relaxed);
    }

    /// The contents of a file that the index has.
    pub(crate) fn read(&self, path: &str, mime_type: Option<&str>) -> Result<Contents, ReadError> {
        let root = self.root().ok_or_else(ReadError::not_found)?;
        let file = root.file(path).map_err(error)?;
        let most = self.max_bytes.load(Ordering::Relaxed);
        let mut bytes = Vec::new();
        // Not by its size: the file can grow while it is read.
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(error)?;
        if u64::try_from(bytes.len()).is_ok_and(|length| length > most) {
            return Err(ReadError::public(TOO_LARGE, format!("The file has more than {most} bytes.")));
        }
        Ok(contents(bytes, mime_type))
    }
}

/// What is gone, no longer allowed to be read, or leads out of the directory is unknown to clients. Anything else is a failure that the
/// author hears of, such as too many open files.
fn error(error: io::Error) -> ReadError {
    use io::ErrorKind::{InvalidInput, IsADirectory, NotADirectory, NotFound, PermissionDenied};
    match error.kind() {
        NotFound | PermissionDenied | NotADirectory | IsADirectory | InvalidInput => ReadError::not_found(),
        // A circle of links: `ErrorKind::FilesystemLoop` is not stable yet.
        _ if error.to_string().contains("symbolic links") => ReadError::not_found(),
        _ => error.into(),
    }
}

/// Text of a text type, or of an unknown type without NUL; otherwise bytes.
fn contents(bytes: Vec<u8>, mime_type: Option<&str>) -> Contents {
    let may_be_text = mime_type.map_or_else(|| !bytes.contains(&0), is_text);
    match String::from_utf8(bytes) {
        Ok(text) if may_be_text => text.into_contents(),
        Ok(text) => text.into_bytes().into_contents(),
        Err(error) => error.into_bytes().into_contents(),
    }
}

/// Whether files of a type of the table are text.
fn is_text(mime_type: &str) -> bool {
    const TEXT: [&str; 8] = [
        "application/json",
        "application/jsonl",
        "application/sql",
        "application/toml",
        "application/x-ipynb+json",
        "application/x-sh",
        "application/xml",
        "application/yaml",
    ];
    mime_type.starts_with("text/") || mime_type == "image/svg+xml" || TEXT.contains(&mime_type)
}

#[cfg(test)]
mod tests {
    use super::contents;

    #[test]
    fn l4_8_text_is_of_a_text_type_or_of_an_unknown_one_without_nul() {
        let text = |bytes: &[u8], mime: Option<&str>| {
            let contents = contents(bytes.to_vec(), mime);
            let item = &contents.items()[0];
            assert_eq!(item.as_bytes().is_some(), item.as_text().is_none());
            item.as_text().map(str::to_owned)
        };
        for mime in [None, Some("text/plain"), Some("application/json"), Some("image/svg+xml")] {
            assert_eq!(text(b"a", mime).as_deref(), Some("a"));
            assert_eq!(text(b"", mime).as_deref(), Some(""));
            assert_eq!(text(b"\xef\xbb\xbfa", mime).as_deref(), Some("\u{feff}a"));
            assert_eq!(text(b"\xff", mime), None);
        }
        assert_eq!(text(b"a\0", Some("text/plain")).as_deref(), Some("a\0"));
        assert_eq!(text(b"a\0", None), None);
        assert_eq!(text(b"a", Some("image/png")), None);
    }
}
