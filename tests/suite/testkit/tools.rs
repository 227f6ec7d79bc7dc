//! Tool calls with the in-memory client: results, progress, and headers.

use std::future::pending;
use std::time::Duration;

use grange_core::{ContentBlock, Revision, Server, Tool, ToolError, ToolResult};
use serde_json::{Value, json};

use super::clients;

fn tools() -> Server {
    let tool = |name: &'static str| Tool::builder().name(name);
    let mixed = tool("mixed").call_without_arguments(|_cx| async {
        let image = ContentBlock::image(vec![1], "image/png");
        let counted = json!({ "files": 3 });
        Ok(ToolResult::new().content(image).text("one").text("two").structured(counted).meta("example.com/a", 1))
    });
    let silent = tool("silent").call_without_arguments(|_cx| async { Ok(ToolResult::new()) });
    let fails =
        tool("fails").call_without_arguments(|_cx| async { Err::<String, _>(ToolError::failed("Sharpen it.")) });
    let breaks = tool("breaks").call_without_arguments(|cx| async move {
        cx.progress(1.0);
        Err::<String, _>(ToolError::protocol(4290, "quota").data(json!([1])))
    });
    let steps = tool("steps").call_without_arguments(|cx| async move {
        cx.progress((1.0, 2.0));
        cx.progress((2.0, 2.0));
        Ok("done")
    });
    let stuck = tool("stuck").call_without_arguments(|cx| async move {
        cx.progress(1.0);
        Ok(pending::<String>().await)
    });
    let region = json!({ "type": "object", "properties": {
        "region": { "type": "string", "x-mcp-header": "Region" },
        "deep": { "type": "object", "properties": { "count": { "type": "integer", "x-mcp-header": "Count" } } }
    } });
    let mirrored = tool("mirrored").input_schema(region);
    let mirrored = mirrored.call_with_schema(|_cx, args: Value| async move { Ok(args.to_string()) });
    let tools = [mixed, silent, fails, breaks, steps, stuck, mirrored];
    Server::builder("tools", "1.0.0").on_error(|_failure, _cx| {}).tools(tools).build().unwrap()
}

#[tokio::test]
async fn a_call_has_the_whole_result() {
    for mut client in clients(&tools()).await {
        let call = client.call_tool("mixed", json!({})).await.unwrap();
        let kinds: Vec<_> = call.content().iter().map(|block| block["type"].as_str()).collect();
        assert_eq!(kinds, [Some("image"), Some("text"), Some("text")]);
        assert_eq!((call.text(), call.is_error()), (Some("one"), false));
        let old = [Revision::V2024_10_07, Revision::V2024_11_05, Revision::V2025_03_26].contains(&client.revision());
        assert_eq!(call.structured(), (!old).then(|| json!({ "files": 3 })).as_ref());
        assert_eq!(call.meta()["example.com/a"], 1);
        let silent = client.call_tool("silent", json!({})).await.unwrap();
        assert_eq!((silent.text(), silent.content(), silent.structured()), (None, &[][..], None));
    }
}

#[tokio::test]
async fn a_failure_for_the_model_is_a_result_and_any_other_is_an_error() {
    for mut client in clients(&tools()).await {
        let call = client.call_tool("fails", json!({})).await.unwrap();
        assert_eq!((call.text(), call.is_error()), (Some("Sharpen it."), true));
        let error = client.call_tool("breaks", json!({})).await.unwrap_err();
        assert_eq!((error.code, &*error.message, error.data), (4290, "quota", Some(json!([1]))));
        let error = client.call_tool("none", json!({})).await.unwrap_err();
        assert_eq!(error.code, -32602);
    }
}

#[tokio::test]
async fn progress_is_returned_with_its_call() {
    for mut client in clients(&tools()).await {
        let first = client.start_tool("steps", json!({}));
        let second = client.call_tool("steps", json!({})).await.unwrap();
        let first = client.finish_tool(first).await.unwrap();
        for call in [&first, &second] {
            let steps: Vec<_> = call.progress().iter().map(|step| step["progress"].as_f64()).collect();
            assert_eq!(steps, [Some(1.0), Some(2.0)]);
        }
        assert_ne!(first.progress()[0]["progressToken"], second.progress()[0]["progressToken"]);
        assert_eq!(client.take_unread(), [json!(null); 0]);
    }
}

#[tokio::test]
async fn progress_of_a_running_or_failed_call_is_in_the_unread_messages() {
    for mut client in clients(&tools()).await {
        let call = client.start_tool("stuck", json!({}));
        client.settle();
        let unread = client.take_unread();
        assert_eq!((unread.len(), &unread[0]["method"]), (1, &json!("notifications/progress")));
        client.clock().advance(Duration::from_secs(60));
        assert_eq!(client.finish_tool(call).await.unwrap_err().code, -32603);
        client.call_tool("breaks", json!({})).await.unwrap_err();
        assert_eq!(client.take_unread().len(), 1);
    }
}

#[tokio::test]
async fn progress_needs_a_token() {
    for mut client in clients(&tools()).await {
        client.request("tools/call", json!({ "name": "steps" })).await.unwrap();
        assert_eq!(client.take_unread(), [json!(null); 0]);
    }
}

#[tokio::test]
async fn a_client_that_listed_the_tools_mirrors_their_arguments() {
    let arguments = json!({ "deep": { "count": 3 }, "region": " größer" });
    for mut client in clients(&tools()).await {
        let names: Vec<_> = client.tools().await.unwrap().iter().map(|tool| tool["name"].clone()).collect();
        assert_eq!(names, ["mixed", "silent", "fails", "breaks", "steps", "stuck", "mirrored"]);
        let call = client.call_tool("mirrored", arguments.clone()).await.unwrap();
        assert_eq!(call.text(), Some(&*arguments.to_string()));
        assert_eq!(client.call_tool("mirrored", json!({})).await.unwrap().text(), Some("{}"));
    }
    let mut unaware = grange_testkit::connect_http(&tools(), Revision::V2026_07_28).await.unwrap();
    assert_eq!(unaware.call_tool("mirrored", arguments).await.unwrap_err().code, -32020);
}
