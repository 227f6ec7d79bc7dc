//! Bytes that carry what was counted for them: a driver knows when the last of them is dropped, wherever they are by then.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

/// A value that is kept as long as the bytes which it guards, such as a part of a budget.
///
/// ```
/// use std::sync::Arc;
///
/// use bytes::Bytes;
/// use grange_core::ByteGuard;
///
/// let budget = Arc::new(());
/// let guarded = ByteGuard::new(budget.clone()).guard(Bytes::from_static(b"answer"));
/// assert_eq!((&guarded[..], Arc::strong_count(&budget)), (&b"answer"[..], 2));
/// drop(guarded);
/// assert_eq!(Arc::strong_count(&budget), 1);
/// ```
#[derive(Clone)]
pub struct ByteGuard {
    _value: Arc<dyn Any + Send + Sync>,
}

impl ByteGuard {
    /// A guard that keeps this value.
    pub fn new(value: impl Any + Send + Sync) -> Self {
        Self { _value: Arc::new(value) }
    }

    /// The same bytes, which keep the value until the last slice of them is dropped. Copies nothing.
    #[must_use]
    pub fn guard(&self, bytes: Bytes) -> Bytes {
        Bytes::from_owner(Guarded { bytes, _guard: self.clone() })
    }
}

struct Guarded {
    bytes: Bytes,
    _guard: ByteGuard,
}

impl AsRef<[u8]> for Guarded {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl fmt::Debug for ByteGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByteGuard")
    }
}
