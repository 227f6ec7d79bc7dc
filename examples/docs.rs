//! Serves every Markdown, text and image file below a directory as a `docs://` resource, and tells clients what changes there.
//!
//! ```sh
//! cargo run --example docs                                  # this repository's docs/, on http://127.0.0.1:8787/mcp
//! cargo run --example docs -- ~/notes --addr 127.0.0.1:9000
//! cargo run --example docs -- ~/notes --stdio
//! ```

use std::path::{Path, PathBuf};

use grange::files::Directory;
use grange::{Server, http, stdio};

const USAGE: &str = "usage: docs [DIR] [--addr ADDR | --stdio]";

struct Options {
    dir: PathBuf,
    addr: String,
    stdio: bool,
}

#[tokio::main]
async fn main() -> grange::Result<()> {
    let options = options().unwrap_or_else(|problem| {
        eprintln!("{problem}\n{USAGE}");
        std::process::exit(2);
    });
    // The authority stays empty: some clients would change a name in its place to lower case.
    let directory = Directory::open(&options.dir, "docs:///")?.filter(is_document).watch()?;
    // Over stdio, standard output belongs to the protocol, so text for people goes to standard error.
    eprintln!("{} resources from {}", directory.as_ref().len(), options.dir.display());

    let server = Server::builder("docs", env!("CARGO_PKG_VERSION"))
        .instructions("The documents of one directory; list them, then read what fits.")
        .shelf(&directory)
        .build()?;
    if options.stdio {
        return server.listen(stdio()).await;
    }
    let transport =
        http(options.addr).on_listening(|addr| eprintln!("{}", how_to_connect(&format!("http://{addr}/mcp"))));
    server.listen(transport).await
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        dir: Path::new(env!("CARGO_MANIFEST_DIR")).join("docs"),
        addr: "127.0.0.1:8787".to_owned(),
        stdio: false,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--addr" => options.addr = args.next().ok_or("--addr needs an address, as in 127.0.0.1:8787")?,
            "--stdio" => options.stdio = true,
            flag if flag.starts_with('-') => return Err(format!("unknown flag {flag}")),
            dir => options.dir = PathBuf::from(dir),
        }
    }
    Ok(options)
}

fn is_document(path: &str) -> bool {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        ["md", "markdown", "txt", "svg", "png", "jpg", "jpeg", "gif", "webp"].contains(&extension)
    })
}

fn how_to_connect(url: &str) -> String {
    format!(
        r#"
listening on {url}; try:

curl -s {url} -H 'Content-Type: application/json' -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: resources/list' -d '{{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}'

or tell a client:

{{ "mcpServers": {{ "docs": {{ "type": "http", "url": "{url}" }} }} }}
"#
    )
}
