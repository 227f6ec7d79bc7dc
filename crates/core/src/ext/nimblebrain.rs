//! Resources that the NimbleBrain host looks up by a fixed name. They are ordinary resources.

use serde_json::json;

use crate::define::{Context, ExtensionData, ReadError};
use crate::model::Text;
use crate::primitive::{Resource, ResourceBuilder};

const FACETS: &str = "ai.nimblebrain/facets";

/// The resource `app://instructions`: the user's guidance, which the host adds to every prompt. Give it a `text`, or a `read` that is
/// quick, since the host does not cache it. An empty text adds nothing.
///
/// ```
/// use grange_core::nimblebrain;
/// let instructions = nimblebrain::instructions().read(|_cx| async { Ok("Write dates as 2026-07-28.") }).build();
/// assert_eq!(instructions.uri(), "app://instructions");
/// ```
pub fn instructions() -> ResourceBuilder {
    Resource::builder().uri("app://instructions").name("instructions").mime_type("text/markdown")
}

/// A facet: a number that the host shows beside the server, such as a count of unread messages. It needs a title: the host leaves out a
/// facet without one, and `build()` rejects it. The server declares `ai.nimblebrain/facets`.
///
/// ```
/// use grange_core::nimblebrain;
/// let unread = nimblebrain::facet("inbox://facets/unread", "unread", |_cx| async { Ok(3) }).title("Unread").build();
/// ```
pub fn facet<F, Fut>(uri: impl Into<Text>, name: impl Into<Text>, count: F) -> ResourceBuilder
where
    F: Fn(Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<u64, ReadError>> + Send + 'static,
{
    let part = ExtensionData::new(FACETS).meta(FACETS, json!({})).mime_type("application/json").titled();
    Resource::builder().uri(uri).name(name).extended(part).read(move |cx| {
        let counting = count(cx);
        async move { counting.await.map(|count| json!({ "count": count }).to_string()) }
    })
}
