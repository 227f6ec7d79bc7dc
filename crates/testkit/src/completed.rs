//! The result of `completion/complete` as a client sees it.

use serde_json::Value;

/// The values that a client may offer for an argument.
///
/// ```
/// # use grange_core::{Revision, Server, Template};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let order = Template::builder()
///     .uri("orders://{status}")
///     .name("order")
///     .complete_from("status", ["open", "closed", "reopened"])
///     .read(|_cx, status: String| async move { Ok(status) })
///     .build();
/// let server = Server::builder("shop", "1.0.0").template(order).build()?;
/// let mut client = grange_testkit::connect(&server, Revision::V2025_06_18).await?;
/// let completed = client.complete("orders://{status}", "status", "op").await?;
/// assert_eq!(completed.values(), ["open", "reopened"]);
/// assert_eq!((completed.total(), completed.has_more()), (None, false));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Completed {
    result: Value,
    values: Vec<String>,
}

impl Completed {
    pub(crate) fn from_result(result: Value) -> Self {
        let values = result["completion"]["values"].as_array().into_iter().flatten();
        let values = values.filter_map(|value| value.as_str().map(str::to_owned)).collect();
        Self { result, values }
    }

    /// The values, in order.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// The number of values that there are, if the server stated it.
    pub fn total(&self) -> Option<u64> {
        self.result["completion"]["total"].as_u64()
    }

    /// Whether the server has more values.
    pub fn has_more(&self) -> bool {
        self.result["completion"]["hasMore"] == true
    }

    /// The whole result.
    pub fn result(&self) -> &Value {
        &self.result
    }
}
