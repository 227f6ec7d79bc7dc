//! Icons of the server, a resource or a tool.

use super::Text;

/// The background that an icon is drawn for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Theme {
    /// For a dark background.
    Dark,
    /// For a light background.
    Light,
}

impl Theme {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
        }
    }
}

/// An image that a host may show beside a name (2025-11-25 schema, `Icon`). Clients of earlier revisions do not get it.
///
/// ```
/// use grange_core::{Icon, Theme};
/// let icon = Icon::new("https://example.com/icon.png").mime_type("image/png").size("48x48").theme(Theme::Light);
/// assert_eq!(icon.src(), "https://example.com/icon.png");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Icon {
    pub(crate) src: Text,
    pub(crate) mime_type: Option<Text>,
    pub(crate) sizes: Vec<Text>,
    pub(crate) theme: Option<Theme>,
}

impl Icon {
    /// An icon at an `https:`, `http:` or `data:` URI.
    pub fn new(src: impl Into<Text>) -> Self {
        Self { src: src.into(), mime_type: None, sizes: Vec::new(), theme: None }
    }

    /// Sets the MIME type, for a source that does not state it.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<Text>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Adds a size in pixels that the icon is drawn for: `48x48`, or `any` for a scalable icon.
    #[must_use]
    pub fn size(mut self, size: impl Into<Text>) -> Self {
        self.sizes.push(size.into());
        self
    }

    /// Adds sizes that the icon is drawn for; see [`size`](Self::size).
    #[must_use]
    pub fn sizes<S: Into<Text>>(mut self, sizes: impl IntoIterator<Item = S>) -> Self {
        self.sizes.extend(sizes.into_iter().map(Into::into));
        self
    }

    /// Sets the background that the icon is drawn for.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = Some(theme);
        self
    }

    /// The URI of the image.
    pub fn src(&self) -> &str {
        &self.src
    }

    pub(crate) fn problems(&self) -> impl Iterator<Item = String> {
        let src = grange_uri::check_icon(&self.src).err().map(|error| format!("icon src `{}` {error}", self.src));
        let mime = self.mime_type.as_ref().and_then(|mime| {
            grange_uri::check_mime(mime).err().map(|error| format!("icon mime_type `{mime}` {error}"))
        });
        let sizes = self.sizes.iter().filter_map(|size| {
            grange_uri::check_icon_size(size).err().map(|error| format!("icon size `{size}` {error}"))
        });
        src.into_iter().chain(mime).chain(sizes.collect::<Vec<_>>())
    }
}
