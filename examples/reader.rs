//! Readers: computed contents, providers, several items, metadata, and the three kinds of error.
//!
//! ```sh
//! cargo run --example reader            # HTTP on 127.0.0.1:8787
//! ```

use std::collections::BTreeMap;
use std::time::Duration;

use grange::{Contents, Item, ReadError, Server, http, resource};

/// Stands for a connection pool: made once, shared by all reads.
struct Store {
    rows: BTreeMap<&'static str, u64>,
}

/// Stands for a value of one read: made once, when the read first needs it.
struct Snapshot {
    total: u64,
    csv: Vec<u8>,
}

impl Snapshot {
    fn of(store: &Store) -> Self {
        let lines: Vec<_> = store.rows.iter().map(|(region, sales)| format!("{region},{sales}\n")).collect();
        Self { total: store.rows.values().sum(), csv: lines.concat().into_bytes() }
    }
}

#[tokio::main]
async fn main() -> grange::Result<()> {
    let report = resource! {
        uri: "reports://latest",
        name: "latest-report",
        title: "Latest report",
        description: "Sales by region, as a sentence and as CSV",
        ttl: Duration::from_secs(60),
        cache_scope: Private,
        annotations: { audience: [Assistant], priority: 0.8 },
        read: |cx| async move {
            let snapshot = cx.get::<Snapshot>().await?;
            let sentence = format!("Sales are {} in all.", snapshot.total);
            Ok(Contents::new()
                .item(Item::text(cx.uri(), sentence).mime_type("text/plain"))
                .item(Item::bytes("reports://latest/data", snapshot.csv.clone()).mime_type("text/csv"))
                .meta("example.com/report-version", 1))
        },
    };
    let quarterly =
        resource! { uri: "reports://quarterly", name: "quarterly-report", title: "Quarterly report", ..report };

    let archived = resource! {
        uri: "reports://archived",
        name: "archived-report",
        // The client gets its revision's code for a resource that does not exist, and the URI it asked for.
        read: |_cx| async move { Err::<String, _>(ReadError::not_found()) },
    };
    let limited = resource! {
        uri: "reports://limited",
        name: "limited-report",
        // The client gets this code, message and data.
        read: |_cx| async move {
            Err::<String, _>(ReadError::public(4290, "quota exhausted").data(BTreeMap::from([("retryAfterMs", 500)])))
        },
    };
    let broken = resource! {
        uri: "reports://broken",
        name: "broken-report",
        // Any other error: the client gets `Internal error`, `on_error` the original.
        read: |_cx| async move { Ok(std::fs::read_to_string("no/such/report.txt")?) },
    };

    let server = Server::builder("reports", "1.0.0")
        .instructions("Read reports://latest first.")
        .provide_value(Store { rows: BTreeMap::from([("north", 120), ("south", 80)]) })
        .provide(|cx| async move { Ok::<_, ReadError>(Snapshot::of(&*cx.get::<Store>().await?)) })
        .on_error(|failure, cx| eprintln!("{} failed: {failure:#}", cx.target()))
        .resources([report, quarterly, archived, limited, broken])
        .build()?;

    eprintln!("serving on http://127.0.0.1:8787/mcp");
    server.listen(http("127.0.0.1:8787")).await
}
