//! The tools: as the resources, with the nonce among the arguments; two of them need a session.

use std::panic::panic_any;
use std::sync::Arc;
use std::time::Duration;

use grange_benches::soak::{MILLISECONDS, NONCE, PATIENCE, QUESTION, STEPS, TOUCHES};
use grange_core::{Context, Tool, ToolError};
use serde_json::{Value, json};

use crate::counts::{Counts, OnPurpose};

/// All tools, in the order of the list.
pub(crate) fn all(counts: &Arc<Counts>) -> Vec<Tool> {
    vec![
        tool("echo", counts, |_, nonce, _| async move { Ok(nonce) }),
        tool("wait", counts, |cx, nonce, time| async move {
            cx.progress(0.5);
            cx.sleep(time).await;
            Ok(nonce)
        }),
        tool("fail", counts, |_, nonce, _| async move { Err(ToolError::failed(nonce)) }),
        tool("panic", counts, |_, _, _| async { panic_any(OnPurpose) }),
        tool("progress", counts, |cx, nonce, time| async move {
            for step in 1..=STEPS {
                cx.progress((f64::from(step), f64::from(STEPS)));
                cx.sleep(time / STEPS).await;
            }
            Ok(nonce)
        }),
        tool("ask", counts, |cx, nonce, _| async move {
            let asked = cx.request(QUESTION, json!({ NONCE: nonce }), PATIENCE / 2).await;
            Ok(match asked {
                Ok(answer) => answer[NONCE].as_str().unwrap_or("an answer without a nonce").to_owned(),
                Err(error) => format!("no answer: {error}"),
            })
        }),
        tool("suspend", counts, |cx, nonce, time| async move {
            cx.suspend();
            cx.sleep(time).await;
            Ok(nonce)
        }),
        tool("touch", counts, |cx, nonce, _| async move {
            for _ in 0..TOUCHES {
                cx.changes().updated(format!("soak://items/{nonce}"));
                tokio::task::yield_now().await;
            }
            Ok(nonce)
        }),
    ]
}

/// A tool that is counted while it runs.
fn tool<F, Fut>(name: &'static str, counts: &Arc<Counts>, call: F) -> Tool
where
    F: Fn(Context, String, Duration) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<String, ToolError>> + Send + 'static,
{
    let counts = counts.clone();
    let properties = json!({ NONCE: { "type": "string" }, MILLISECONDS: { "type": "integer" } });
    Tool::builder().name(name).input_schema(json!({ "type": "object", "properties": properties })).call_with_schema(
        move |cx, arguments: Value| {
            let nonce = arguments[NONCE].as_str().unwrap_or_default().to_owned();
            let time = Duration::from_millis(arguments[MILLISECONDS].as_u64().unwrap_or_default());
            let (running, calling) = (counts.begin(), call(cx, nonce, time));
            async move {
                let called = calling.await;
                running.finish();
                called
            }
        },
    )
}
