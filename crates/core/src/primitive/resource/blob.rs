//! What fixed bytes can be made from.

use bytes::Bytes;

/// Bytes of a fixed payload, from whatever owns them.
pub struct Blob(pub(super) Bytes);

/// Bytes, from whatever owns them: all that a [`Blob`] can be made from.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no bytes",
    label = "these are no bytes",
    note = "bytes are a `&'static [u8]` (as `include_bytes!` gives them), a `Vec<u8>`, `Bytes` and what converts into `Blob`; text goes in `text`"
)]
pub trait IntoBlob {
    /// The bytes.
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
