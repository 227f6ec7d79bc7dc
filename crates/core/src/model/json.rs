//! A value that a reader returns as JSON.

use serde::Serialize;

use super::contents::{Contents, IntoContents, Item};

/// Contents that are a value as JSON. The value is any [`Serialize`], and needs no schema.
///
/// The MIME type is `application/json`, unless the definition of the resource or template has another. [`Item::json`] is the same for one
/// of several items. A value that cannot be serialized, such as a map whose keys are lists, fails the read: the client gets an internal
/// error, and `on_error` the problem.
///
/// ```
/// use grange_core::{Json, Resource};
///
/// #[derive(serde::Serialize)]
/// struct Stock {
///     tea: u32,
/// }
///
/// let stock = Resource::builder()
///     .uri("shop://stock")
///     .name("stock")
///     .read(|_cx| async { Ok(Json(Stock { tea: 3 })) })
///     .build();
/// ```
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Json<T>(pub T);

impl<T: Serialize> IntoContents for Json<T> {
    fn into_contents(self) -> Contents {
        Item::of_json(&self.0).into_contents()
    }
}
