//! The bytes of a fixed resource, and the types that convert into them.

use bytes::Bytes;

/// The bytes of a fixed payload.
pub struct Blob(pub(super) Bytes);

/// A type that converts into a [`Blob`]: `&'static [u8]`, `Vec<u8>`, `Box<[u8]>`, `Bytes`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no bytes",
    label = "these are no bytes",
    note = "bytes are a `&'static [u8]` (as `include_bytes!` gives them), a `Vec<u8>`, `Bytes` and what converts into `Blob`; text goes in `text`"
)]
pub trait IntoBlob {
    /// Converts the value.
    fn into_blob(self) -> Blob;
}

#[diagnostic::do_not_recommend]
impl<T: Into<Blob>> IntoBlob for T {
    fn into_blob(self) -> Blob {
        self.into()
    }
}

impl<const N: usize> From<&'static [u8; N]> for Blob {
    fn from(bytes: &'static [u8; N]) -> Self {
        Self(Bytes::from_static(bytes))
    }
}

impl From<&'static [u8]> for Blob {
    fn from(bytes: &'static [u8]) -> Self {
        Self(Bytes::from_static(bytes))
    }
}

impl From<Vec<u8>> for Blob {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

impl From<Box<[u8]>> for Blob {
    fn from(bytes: Box<[u8]>) -> Self {
        Self(bytes.into())
    }
}

impl From<Bytes> for Blob {
    fn from(bytes: Bytes) -> Self {
        Self(bytes)
    }
}
