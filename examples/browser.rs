//! Resources for a web page of another origin, which lists and reads them with the published TypeScript client.
//!
//! ```sh
//! cargo run --features auth --example browser           # the server, on http://127.0.0.1:8787/mcp
//! npm start --prefix examples/browser                   # the page: open http://localhost:8000/
//! ```
//!
//! A browser lets a page read the response of another origin only if that server names the page's origin, which `.cors(…)` does. A page
//! needs nothing else. With `-- --key KEY` it must also authenticate. `examples/browser/README.md` shows what happens where one of the
//! two is missing.

use std::sync::atomic::{AtomicUsize, Ordering};

use grange::auth::ApiKeys;
use grange::{ReadError, Resource, Server, http, resource};

const USAGE: &str = "usage: browser [--addr ADDR] [--origin ORIGIN]… [--key KEY] [--sessions]";

struct Options {
    addr: String,
    /// The origin of the page, exactly as browsers write it.
    origins: Vec<String>,
    /// The key that a page must send as `Authorization: Bearer …`, if there is one.
    key: Option<String>,
    /// Whether clients that open with a handshake get a session. The page must be able to read its id.
    sessions: bool,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = options().unwrap_or_else(|problem| {
        eprintln!("{problem}\n{USAGE}");
        std::process::exit(2);
    });
    let server = Server::builder("documentation", "1.0.0").resources(resources()).build()?;
    let mut transport = http(options.addr).cors(&options.origins);
    if let Some(key) = &options.key {
        transport = transport.authenticator(ApiKeys::new().key(key, "reader").build()?);
    }
    if options.sessions {
        transport = transport.sessions();
    }
    let origins = options.origins.join(", ");
    let tell = move |addr| eprintln!("listening on http://{addr}/mcp, for pages of {origins}");
    Ok(server.listen(transport.on_listening(tell)).await?)
}

fn options() -> Result<Options, String> {
    let mut options = Options { addr: "127.0.0.1:8787".to_owned(), origins: Vec::new(), key: None, sessions: false };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--addr" => options.addr = value()?,
            "--origin" => options.origins.push(value()?),
            "--key" => options.key = Some(value()?),
            "--sessions" => options.sessions = true,
            other => return Err(format!("unknown argument {other}")),
        }
    }
    if options.origins.is_empty() {
        options.origins.push("http://localhost:8000".to_owned());
    }
    Ok(options)
}

/// One resource of each kind that a page has to show: text, markup that must stay text, images in both forms, bytes, computed contents,
/// and an error.
fn resources() -> [Resource; 7] {
    [
        resource! {
            uri: "docs://getting-started",
            name: "getting-started",
            title: "Getting started",
            mime_type: "text/markdown",
            text: "# Getting started\n\nThis text comes from a server of another origin,\nwhich lets this page read it.\n",
        },
        resource! {
            uri: "docs://page",
            name: "page",
            title: "This page, <main> and all",
            mime_type: "text/html",
            text: include_str!("browser/index.html"),
        },
        resource! {
            uri: "docs://tide",
            name: "tide",
            title: "The tide of a day",
            mime_type: "image/svg+xml",
            text: include_str!("browser/resources/tide.svg"),
        },
        resource! {
            uri: "docs://moon",
            name: "moon",
            title: "The moon",
            mime_type: "image/png",
            bytes: include_bytes!("browser/resources/moon.png"),
        },
        resource! {
            uri: "docs://signature",
            name: "signature",
            title: "First bytes of a PNG",
            bytes: b"\x89PNG\r\n\x1a\n",
        },
        visits(),
        resource! {
            uri: "docs://draft",
            name: "draft",
            title: "Not written yet",
            mime_type: "text/markdown",
            read: |_cx| async { Err::<&str, _>(ReadError::public(1, "this page is still to be written")) },
        },
    ]
}

/// Its contents are the number of its reads.
fn visits() -> Resource {
    static READS: AtomicUsize = AtomicUsize::new(0);
    resource! {
        uri: "docs://visits",
        name: "visits",
        title: "How often this was read",
        mime_type: "text/plain",
        read: |_cx| async { Ok(format!("read {} times", READS.fetch_add(1, Ordering::Relaxed) + 1)) },
    }
}
