//! A file of the index as a resource.

use std::sync::Arc;

use grange_core::{Annotations, Resource};
use grange_uri::mime_by_extension;

use crate::index::File;
use crate::source::Source;
use crate::time::rfc3339;
use crate::uri::uri;

/// The resource of the file at a path. What it lists can be older than what it reads.
pub(crate) fn resource(source: &Arc<Source>, prefix: &str, path: &str, file: &File) -> Resource {
    let mime_type = mime_by_extension(path);
    let (source, place) = (Arc::clone(source), Arc::<str>::from(path));
    let mut definition = Resource::builder()
        .uri(uri(prefix, path))
        .name(path.to_owned())
        .size(file.size)
        .read(move |_cx| {
            let (source, place) = (Arc::clone(&source), Arc::clone(&place));
            async move { source.read(&place, mime_type) }
        })
        // Whoever can list it may read it: a subscription need not read the file.
        .check(|_cx| async { Ok(true) });
    if let Some(mime_type) = mime_type {
        definition = definition.mime_type(mime_type);
    }
    if let Some(time) = file.modified.and_then(rfc3339) {
        definition = definition.annotations(Annotations::new().last_modified(time));
    }
    definition.build()
}
