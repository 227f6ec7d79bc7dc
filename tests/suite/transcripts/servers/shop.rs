//! A server whose resources change: a tool announces it.

use grange_core::{Changes, List, ReadError, Resource, Server, ServerBuilder, Template, Tool, ToolError};
use serde_json::Value;

pub(super) fn server() -> ServerBuilder {
    let order = Template::builder().uri("shop://orders/{id}").name("order").read(|_cx, id: u64| async move {
        if id <= 1000 { Ok(format!("order {id}")) } else { Err(ReadError::not_found()) }
    });
    let status = Resource::builder().uri("shop://status").name("status").text("open").build();
    let touch = Tool::builder().name("touch").input_schema(serde_json::json!({ "type": "object" }));
    let touch = touch.call_with_schema(|cx, arguments: Value| async move {
        match arguments["uri"].as_str() {
            Some(uri) => drop(cx.changes().updated(uri)),
            None => drop(cx.changes().relisted(List::Resources)),
        }
        Ok::<_, ToolError>("announced")
    });
    Server::builder("shop", "1.2.0").resource(status).template(order.build()).tool(touch).changes(&Changes::new())
}
