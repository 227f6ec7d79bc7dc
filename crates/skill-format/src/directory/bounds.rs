//! How much of a directory is read: bytes of a file, of all files, and folders inside each other.
//!
//! A host must accept 16 MiB in a skill and may accept more. `build()` warns about that; these bounds hold before
//! anything is in memory.

use std::io::{self, Read};

use crate::excerpt::{Escaped, Excerpt};

const MEBIBYTE: u64 = 1024 * 1024;
const FILE: u64 = 16 * MEBIBYTE;
const ALL: u64 = 64 * MEBIBYTE;
const DEPTH: usize = 64;

/// The bytes that were read so far.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Total(u64);

/// What came of the read of a file.
#[derive(Debug, Eq, PartialEq)]
pub(super) enum Content {
    Bytes(Vec<u8>),
    /// A problem with the file, or with all of them.
    TooLarge(String),
}

impl Total {
    /// Whether the bound of all files is exceeded, which is already a problem.
    pub(super) fn is_exceeded(self) -> bool {
        self.0 > ALL
    }

    /// Reads a file of this size, at most up to a bound: also one that grows meanwhile.
    pub(super) fn read(&mut self, file: impl Read, mut size: u64, path: &str) -> io::Result<Content> {
        let most = FILE.min(ALL - self.0);
        let mut bytes = Vec::with_capacity(usize::try_from(size.min(most)).unwrap_or_default());
        if size <= most {
            file.take(most + 1).read_to_end(&mut bytes)?;
            size = bytes.len() as u64;
        }
        if size > FILE {
            let (path, most) = (Escaped(path), FILE / MEBIBYTE);
            let problem =
                format!("file `{path}` has more than {most} MiB: make it smaller, or take it out of the skill");
            return Ok(Content::TooLarge(problem));
        }
        self.0 += size;
        if self.is_exceeded() {
            let most = ALL / MEBIBYTE;
            let problem =
                format!("the files have more than {most} MiB together: take out what the skill does not need");
            return Ok(Content::TooLarge(problem));
        }
        Ok(Content::Bytes(bytes))
    }
}

/// The problem of a folder that is inside too many others.
pub(super) fn too_deep(folder: &str) -> Option<String> {
    let depth = folder.matches('/').count();
    (depth > DEPTH).then(|| format!("directory `{}` is inside {DEPTH} others: nest less", Excerpt(folder)))
}

#[cfg(test)]
mod tests {
    use std::io::{empty, repeat};

    use super::{ALL, Content, FILE, Total};

    #[test]
    fn a_file_that_grows_while_it_is_read_is_read_to_the_bound() {
        let mut total = Total::default();
        let problem = "file `a` has more than 16 MiB: make it smaller, or take it out of the skill";
        for size in [0, FILE, FILE + 1] {
            assert_eq!(total.read(repeat(0), size, "a").unwrap(), Content::TooLarge(problem.to_owned()));
        }
        assert_eq!(total.read(empty(), FILE, "a").unwrap(), Content::Bytes(vec![]));
        let mut total = Total(ALL - 1);
        assert_eq!(total.read(&b"1"[..], 1, "a").unwrap(), Content::Bytes(b"1".to_vec()));
        assert!(matches!(total.read(repeat(0), 0, "a").unwrap(), Content::TooLarge(problem) if problem.contains("64")));
        assert!(total.is_exceeded());
    }
}
