//! Tools that read and list the host's own workspace files, so that the model passes a short URI and not the file.
//!
//! ```sh
//! cargo run --example tool_host                              # on stdin and stdout
//! cargo run --example tool_host -- --http 127.0.0.1:8787     # over HTTP
//! cargo run --example tool_host -- --every-revision          # also for clients without requests to them
//! ```
//!
//! A host that offers its files declares that in its handshake (`ai.nimblebrain/host-resources`), so the server serves only the revisions
//! with a handshake: a host that speaks every revision would choose the newest, which has no requests to the client. With a client that
//! offers no files, `summarize` takes the text inline, and tells the model so if it sent a URI.

use std::time::Duration;

use grange::host::{HostError, HostFilter, HostStatus};
use grange::{Revision, Server, ToolError, host, http, schemars, stdio, tool};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Document {
    /// A workspace file, as in `files://fl_0123456789abcdef01234567`.
    file_uri: Option<String>,
    /// The text itself, where the host cannot read files by URI.
    text: Option<String>,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Wanted {
    /// As in `text/csv`.
    mime_type: Option<String>,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Summary {
    /// Where the text came from: `host` or `inline`.
    source: &'static str,
    words: usize,
    first_line: String,
}

#[tokio::main]
async fn main() -> grange::Result<()> {
    let summarize = tool! {
        name: "summarize",
        title: "Summarize a document",
        description: "Summarizes a document. Pass `file_uri` for a workspace file, or `text` inline.",
        annotations: { read_only: true, open_world: false },
        call: |cx, document: Document| async move { summarize(&cx, document).await },
    };
    let list_files = tool! {
        name: "list_files",
        description: "Lists the workspace files, of one media type if it is given.",
        annotations: { read_only: true, open_world: false },
        call: |cx, wanted: Wanted| async move { list_files(&cx, wanted).await },
    };
    let server = Server::builder("tool-host", "1.0.0").tools([summarize, list_files]).client_requests();
    let server = if std::env::args().any(|arg| arg == "--every-revision") {
        // If the client offers no files, `host(&cx)` reports that, and the tools work without them.
        server.revisions(Revision::ALL).build()?
    } else {
        server.revisions(Revision::HANDSHAKE).build()?
    };
    match std::env::args().skip_while(|arg| arg != "--http").nth(1) {
        Some(address) => server.listen(http(address)).await,
        None => server.listen(stdio()).await,
    }
}

async fn summarize(cx: &grange::Context, document: Document) -> Result<grange::Structured<Summary>, ToolError> {
    let host = host(cx).with_timeout(Duration::from_secs(20)).with_retry(2);
    match (document.file_uri, document.text) {
        (Some(uri), _) if host.available() => match host.read_text(&uri).await {
            Ok(text) => Ok(summary("host", &text)),
            // Errors that the model can correct go to the model; the others go to `on_error`.
            Err(
                error @ (HostError::NotFound { .. }
                | HostError::NotText { .. }
                | HostError::TooLarge { .. }
                | HostError::UnsupportedScheme { .. }),
            ) => Err(ToolError::failed(error.to_string())),
            Err(error) => Err(error.into()),
        },
        (_, Some(text)) => Ok(summary("inline", &text)),
        (Some(_), None) => Err(ToolError::failed(no_files(host.status()))),
        (None, None) => Err(ToolError::failed("Pass `file_uri` or `text`.")),
    }
}

async fn list_files(cx: &grange::Context, wanted: Wanted) -> Result<String, ToolError> {
    let host = host(cx);
    if !host.list_available() {
        return Err(ToolError::failed(format!("This host does not list files ({:?}).", host.status())));
    }
    let filter = wanted.mime_type.into_iter().fold(HostFilter::new(), HostFilter::mime_type);
    let files = host.list(filter).await?.resources;
    let lines: Vec<_> = files.iter().map(|file| format!("{}: {}", file.name, file.uri)).collect();
    Ok(lines.join("\n"))
}

fn no_files(status: HostStatus) -> String {
    format!("This host cannot read files by URI ({status:?}). Pass the content as `text`.")
}

fn summary(source: &'static str, text: &str) -> grange::Structured<Summary> {
    let first_line = text.lines().next().unwrap_or_default().to_owned();
    grange::Structured(Summary { source, words: text.split_whitespace().count(), first_line })
}
