//! UTF-8 text that is cheap to clone, whether it is static or owned.
//!
//! It is not `bytes::Bytes`, which would have to be checked as UTF-8 on every use as a string. It is not `Arc<str>`,
//! because a long computed text would have to be copied into it.

use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use bytes::Bytes;

/// A string that clones without a copy: a `'static` string stays where it is, and an owned one is shared.
///
/// ```
/// use grange_core::Text;
/// let name = Text::from("getting-started");
/// assert_eq!(&*name.clone(), "getting-started");
/// ```
#[derive(Clone)]
pub struct Text(Owner);

#[derive(Clone)]
enum Owner {
    Static(&'static str),
    Short(Arc<str>),
    Long(Arc<String>),
}

impl Text {
    /// Wraps a `'static` string.
    pub const fn from_static(text: &'static str) -> Self {
        Self(Owner::Static(text))
    }

    /// The string.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Owner::Static(text) => text,
            Owner::Short(text) => text,
            Owner::Long(text) => text,
        }
    }

    /// The same text as a byte string, without a copy.
    pub(crate) fn to_bytes(&self) -> Bytes {
        match &self.0 {
            Owner::Static(text) => Bytes::from_static(text.as_bytes()),
            Owner::Short(_) | Owner::Long(_) => Bytes::from_owner(self.clone()),
        }
    }
}

/// A type that converts into [`Text`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no text",
    label = "this is no text",
    note = "text is a `&'static str` (as `include_str!` gives one), a `String`, a `Text` and what converts into it; bytes go in `bytes`"
)]
pub trait IntoText {
    /// Converts into text.
    fn into_text(self) -> Text;
}

#[diagnostic::do_not_recommend]
impl<T: Into<Text>> IntoText for T {
    fn into_text(self) -> Text {
        self.into()
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl Default for Text {
    fn default() -> Self {
        Self::from_static("")
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

/// By bytes.
impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self
    }
}

impl From<&'static str> for Text {
    fn from(text: &'static str) -> Self {
        Self::from_static(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        // Copying a short string costs less than a second allocation for its owner.
        const SHORT: usize = 256;
        Self(if text.len() <= SHORT { Owner::Short(text.into()) } else { Owner::Long(Arc::new(text)) })
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Self {
        Self(Owner::Short(text.as_str().into()))
    }
}

impl From<Box<str>> for Text {
    fn from(text: Box<str>) -> Self {
        Self::from(String::from(text))
    }
}

impl From<Arc<str>> for Text {
    fn from(text: Arc<str>) -> Self {
        Self(Owner::Short(text))
    }
}

impl From<Cow<'static, str>> for Text {
    fn from(text: Cow<'static, str>) -> Self {
        match text {
            Cow::Borrowed(text) => Self::from_static(text),
            Cow::Owned(text) => Self::from(text),
        }
    }
}

impl From<&Text> for Text {
    fn from(text: &Text) -> Self {
        text.clone()
    }
}
