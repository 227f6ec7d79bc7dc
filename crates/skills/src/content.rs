//! The bytes of a file, converted from several types.

use bytes::Bytes;

/// The bytes of a skill's file.
#[derive(Clone, Debug)]
pub struct FileContent(pub(crate) Bytes);

impl From<&'static str> for FileContent {
    fn from(text: &'static str) -> Self {
        Self(Bytes::from_static(text.as_bytes()))
    }
}

impl From<String> for FileContent {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl From<&'static [u8]> for FileContent {
    fn from(bytes: &'static [u8]) -> Self {
        Self(Bytes::from_static(bytes))
    }
}

impl<const N: usize> From<&'static [u8; N]> for FileContent {
    fn from(bytes: &'static [u8; N]) -> Self {
        Self(Bytes::from_static(bytes))
    }
}

impl From<Vec<u8>> for FileContent {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

impl From<Bytes> for FileContent {
    fn from(bytes: Bytes) -> Self {
        Self(bytes)
    }
}
