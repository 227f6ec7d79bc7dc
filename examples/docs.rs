//! Serves every Markdown, text and image file below a directory as a `docs://` resource. The files are read once, at the start.
//!
//! ```sh
//! cargo run --example docs                                  # this repository's docs/, on http://127.0.0.1:8787/mcp
//! cargo run --example docs -- ~/notes --addr 127.0.0.1:9000
//! cargo run --example docs -- ~/notes --stdio
//! ```

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use grange::{Resource, Server, http, stdio};

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
    let mut resources = Vec::new();
    collect(&options.dir, &options.dir, &mut resources)?;
    // Over stdio, standard output belongs to the protocol, so text for people goes to standard error.
    for resource in &resources {
        eprintln!("{}", resource.uri());
    }
    eprintln!("{} resources from {}", resources.len(), options.dir.display());

    let server = Server::builder("docs", env!("CARGO_PKG_VERSION"))
        .instructions("The documents of one directory; list them, then read what fits.")
        .resources(resources)
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

/// Adds the files below `dir`, in the order of their names. Hidden entries and symbolic links are left out: only files that are visibly
/// in the directory are served.
///
/// Only its owner may change the directory: what becomes a link between the look and the read is followed, whatever its size.
fn collect(root: &Path, dir: &Path, resources: &mut Vec<Resource>) -> io::Result<()> {
    let mut entries = fs::read_dir(dir)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (kind, path) = (entry.file_type()?, entry.path());
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if kind.is_dir() {
            collect(root, &path, resources)?;
        } else if let (true, Some(mime_type)) = (kind.is_file(), mime_type(&path)) {
            resources.push(document(root, &path, mime_type)?);
        }
    }
    Ok(())
}

fn mime_type(path: &Path) -> Option<&'static str> {
    Some(match path.extension()?.to_str()? {
        "md" | "markdown" => "text/markdown",
        "txt" => "text/plain",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        _ => return None,
    })
}

fn document(root: &Path, path: &Path, mime_type: &'static str) -> io::Result<Resource> {
    let relative = path.strip_prefix(root).unwrap_or(path);
    let segments: Vec<_> = relative.iter().map(|segment| percent_encoded(segment.as_encoded_bytes())).collect();
    // The authority stays empty: some clients would change a name in its place to lower case.
    let definition = Resource::builder()
        .uri(format!("docs:///{}", segments.join("/")))
        .name(relative.to_string_lossy().into_owned())
        .mime_type(mime_type);
    let is_text = mime_type.starts_with("text/") || mime_type == "image/svg+xml";
    Ok(match String::from_utf8(fs::read(path)?) {
        Ok(text) if is_text => match heading(&text) {
            Some(title) if mime_type == "text/markdown" => definition.title(title).text(text).build(),
            _ => definition.text(text).build(),
        },
        Ok(text) => definition.bytes(text.into_bytes()).build(),
        Err(error) => definition.bytes(error.into_bytes()).build(),
    })
}

/// The first heading of a Markdown text.
fn heading(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix("# "))?;
    Some(line.trim().to_owned()).filter(|title| !title.is_empty())
}

/// A path segment with everything but RFC 3986's unreserved characters escaped.
fn percent_encoded(segment: &[u8]) -> String {
    let mut encoded = String::new();
    for &byte in segment {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => encoded.push(char::from(byte)),
            _ => {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
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
