//! The reports example of the guide, word for word.

use std::time::Duration;

use grange::{Contents, Item, Server, resource};

struct Latest {
    bytes: Vec<u8>,
}

struct Db;

impl Db {
    async fn connect(_url: &str) -> Result<Self, std::io::Error> {
        Ok(Self)
    }

    async fn latest_report(&self) -> Result<Latest, std::io::Error> {
        Ok(Latest { bytes: Vec::new() })
    }
}

fn main() -> grange::Result<()> {
    let (pool, url) = (1, String::new());
    let report = resource! {
        uri: "reports://latest",
        name: "latest-report",
        ttl: Duration::from_secs(60),          // ttlMs 60000 on the modern era, absent on legacy
        cache_scope: Private,
        annotations: { audience: [Assistant], priority: 0.8 },
        read: |cx| async move {
            let db = cx.get::<Db>().await?;     // provider: resolved on first use, once per read
            let latest = db.latest_report().await?;   // any error: -32603 to the client, the original to on_error
            Ok(Contents::new()
                .item(Item::text(cx.uri(), "Report complete.").mime_type("text/plain"))
                .item(Item::bytes("reports://latest/data", latest.bytes).mime_type("application/octet-stream"))
                .meta("example.com/report-version", 1))
        },
    };
    let quarterly = resource! { uri: "reports://quarterly", title: "Quarterly report", ..report };  // a new frozen definition

    let _server = Server::builder("reports", "1.0.0")
        .instructions("Read reports://latest first.")
        .provide_value(pool)                                // or computed, once per read, on first use:
        .provide(move |_cx| { let url = url.clone(); async move { Db::connect(&url).await } })
        .on_error(|failure, cx| eprintln!("{} failed: {failure:#}", cx.target()))
        .resources([report, quarterly])
        .build()?;                              // all errors at once: duplicate URIs, …
    Ok(())
}
