//! Keys for features of MCP that Grange does not have yet, with an alternative for each.

/// The alternative to a key; `None` if the key is not of such a feature.
pub(super) fn remedy(key: &str) -> Option<&'static str> {
    Some(match key {
        "list" => "declare each resource by itself, in a loop",
        "on_subscribe" | "on_change" | "subscribe" | "subscriptions" => "give a short `ttl`, and clients read again",
        "prompt" | "prompts" => "offer the text as a resource, or as the result of a tool",
        "task" | "task_support" | "execution" => "say how far the work has come by `cx.progress(…)`",
        _ => return None,
    })
}
