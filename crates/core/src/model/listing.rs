//! The metadata of a resource in a list, and of the server.

use super::{Annotations, Icon, Metadata, Text};

/// The metadata of a resource in a list: every field that `resources/list` has in any revision.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Listing {
    pub(crate) uri: Text,
    pub(crate) name: Text,
    pub(crate) title: Option<Text>,
    pub(crate) description: Option<Text>,
    pub(crate) mime_type: Option<Text>,
    /// Size of the content in bytes, before any encoding.
    pub(crate) size: Option<u64>,
    pub(crate) annotations: Annotations,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Metadata,
}

impl Listing {
    /// The problems of all but the URI, each with its remedy. `noun` is what it lists.
    pub(crate) fn problems(&self, noun: &str) -> Vec<String> {
        let mut problems = Vec::new();
        if self.name.is_empty() {
            problems.push(format!("name is missing: give the {noun} one, such as `getting-started`"));
        }
        if let Some(mime) = &self.mime_type
            && let Err(error) = grange_uri::check_mime(mime)
        {
            problems.push(format!("mime_type `{mime}` {error}"));
        }
        problems.extend(self.annotations.problems());
        problems.extend(self.icons.iter().flat_map(Icon::problems));
        problems.extend(self.meta.problems().iter().cloned());
        problems
    }
}

/// The name and description of the server: `serverInfo`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Identity {
    pub(crate) name: Text,
    pub(crate) version: Text,
    pub(crate) title: Option<Text>,
    pub(crate) description: Option<Text>,
    pub(crate) website_url: Option<Text>,
    pub(crate) icons: Vec<Icon>,
}
