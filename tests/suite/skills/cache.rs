//! C10: cache hints, and in which revisions they exist.

use std::time::Duration;

use grange_core::{CacheScope, Server};
use grange_skills::Skills;
use serde_json::{Value, json};

use super::{clients, ledger_close};

/// The hints of `skills/list` and `skills/get` for all clients of that era, which must agree.
async fn hints(server: &Server, is_modern: bool) -> [Value; 2] {
    let mut seen = Vec::new();
    for mut client in clients(server).await {
        if client.revision().has_handshake() == is_modern {
            continue;
        }
        for (method, params) in
            [("skills/list", json!({})), ("skills/get", json!({ "uri": "skill://ledger-close/SKILL.md" }))]
        {
            let result = client.request(method, params).await.unwrap();
            seen.push(["ttlMs", "cacheScope"].map(|name| result.get(name).cloned().unwrap_or_default()));
        }
        let directory = json!({ "uri": "skill://ledger-close" });
        let directory = client.request("resources/directory/read", directory).await.unwrap();
        assert_eq!((directory.get("ttlMs"), directory.get("cacheScope")), (None, None));
    }
    assert!(seen.iter().all(|hints| *hints == seen[0]), "{seen:?}");
    seen.swap_remove(0)
}

#[tokio::test]
async fn c10_hints_are_set_by_the_skills_or_the_server_and_are_only_modern() {
    let skills = || Skills::new([ledger_close()]).directory_read();
    let plain = || Server::builder("t", "1");
    let patient = || plain().ttl(Duration::from_secs(5)).cache_scope(CacheScope::Public);
    let with_hints = || skills().ttl(Duration::from_secs(300)).cache_scope(CacheScope::Public);
    for (builder, ttl, scope) in [
        (plain().extension(skills()), 0, "private"),
        (plain().extension(with_hints()), 300_000, "public"),
        (patient().extension(skills()), 5000, "public"),
        (patient().extension(skills().ttl(Duration::ZERO).cache_scope(CacheScope::Private)), 0, "private"),
        (plain().extension(skills().cache_scope(CacheScope::Public)), 0, "public"),
    ] {
        let server = builder.build().unwrap();
        assert_eq!(hints(&server, true).await, [json!(ttl), json!(scope)]);
        assert_eq!(hints(&server, false).await, [json!(null), json!(null)]);
    }
}
