//! Author code that shows what it gets of a client's JSON.

use std::sync::{Arc, Mutex};

use grange_core::{Resource, Server, ServerBuilder, Tool, ToolError, schemars};
use serde_json::{Value, json};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Known {
    known: Option<f64>,
}

/// The tool `known` has typed arguments, of which it reads one; the tool `any` has arguments of any kind.
pub(super) fn tools() -> [Tool; 2] {
    let known = Tool::builder().name("known");
    let any = Tool::builder().name("any").input_schema(json!({ "type": "object" }));
    [
        known.call(|_cx, arguments: Known| async move { Ok(format!("{:?}", arguments.known)) }),
        any.call_with_schema(|_cx, _: Value| async move { Ok::<_, ToolError>("called") }),
    ]
}

pub(super) fn builder() -> ServerBuilder {
    Server::builder("tests", "1.0.0")
}

/// A call of a tool with arguments as JSON text.
pub(super) fn call(tool: &str, arguments: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#)
}

/// What the last read saw of its client: `_meta`, the capabilities, the client's name.
#[derive(Clone, Default)]
pub(super) struct Observed(Arc<Mutex<Option<[Value; 3]>>>);

impl Observed {
    /// A server whose resource `docs://me` observes.
    pub(super) fn server(&self) -> Server {
        let observed = self.0.clone();
        let read = Resource::builder().uri("docs://me").name("me").read(move |cx| {
            let of_client = [json!(cx.meta()), json!(cx.client_capabilities()), json!(cx.client_info())];
            *observed.lock().expect("no panic before") = Some(of_client);
            async { Ok("read") }
        });
        builder().resource(read.build()).build().expect("a server")
    }

    pub(super) fn take(&self) -> [Value; 3] {
        self.0.lock().expect("no panic before").take().expect("the resource was read")
    }
}
