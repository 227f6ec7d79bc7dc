//! Completion of the variables of templates.

use serde_json::{Value, json};

use super::state::Client;
use crate::completed::Completed;
use crate::error::RpcError;

impl Client {
    /// Completes a variable of a template, of which `value` is typed so far.
    ///
    /// # Errors
    /// The server's error.
    pub async fn complete(&mut self, template: &str, name: &str, value: &str) -> Result<Completed, RpcError> {
        self.request("completion/complete", params(template, name, value)).await.map(Completed::from_result)
    }

    /// Completes a variable of a template while other variables have values, given by their names.
    ///
    /// ```
    /// # use grange_core::{Revision, Server, Template};
    /// # use serde_json::json;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let city = Template::builder()
    ///     .uri("cities://{country}/{city}")
    ///     .name("city")
    ///     .complete("city", |_cx, typed| async move { Ok(typed.other("country").map(|country| format!("{country} City"))) })
    ///     .read(|_cx, (): ()| async move { Ok("a city") })
    ///     .build();
    /// let server = Server::builder("cities", "1.0.0").template(city).build()?;
    /// let mut client = grange_testkit::connect(&server, Revision::V2026_07_28).await?;
    /// let others = json!({ "country": "Mexico" });
    /// let completed = client.complete_with("cities://{country}/{city}", "city", "", others).await?;
    /// assert_eq!(completed.values(), ["Mexico City"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The server's error.
    pub async fn complete_with(
        &mut self,
        template: &str,
        name: &str,
        value: &str,
        arguments: Value,
    ) -> Result<Completed, RpcError> {
        let mut params = params(template, name, value);
        params["context"]["arguments"] = arguments;
        self.request("completion/complete", params).await.map(Completed::from_result)
    }
}

fn params(template: &str, name: &str, value: &str) -> Value {
    json!({ "ref": { "type": "ref/resource", "uri": template }, "argument": { "name": name, "value": value } })
}
