//! Resources behind tokens of an issuer: every request needs a JSON Web Token, and one resource an additional scope.
//!
//! ```sh
//! cargo run -p example-auth -- --local-issuer                        # by itself, with `curl` lines that work
//! cargo run -p example-auth -- --issuer https://issuer.example.com   # on http://127.0.0.1:8787/mcp
//! ```
//!
//! A client needs only the URL: its first request is rejected with 401 and the URL of this server's metadata, where it finds the issuer.
//! The issuer makes tokens for `--resource` (RFC 8707), and publishes its keys at the `jwks_uri` of its own metadata; they are fetched
//! when the first token arrives. `local_issuer.rs` makes tokens on your machine in place of an issuer; your own server does not need it.

mod local_issuer;

use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};

use grange::auth::{Jwt, require_scope};
use grange::{ReadError, Resource, Server, auth, http, resources};

use crate::local_issuer::LocalIssuer;

const USAGE: &str = "usage: example-auth (--issuer URL | --local-issuer) [--addr ADDR] [--resource URL]";

/// The scope that every request needs.
const BASE: &str = "me:read";
/// The additional scope for the notes.
const NOTES: &str = "notes:read";

/// How often a reader below has run. A rejected request does not change it.
static READS: AtomicU64 = AtomicU64::new(0);

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let options = options().unwrap_or_else(|problem| {
        eprintln!("{problem}\n{USAGE}");
        std::process::exit(2);
    });
    let Options { addr, issuer, resource } = options;
    // As clients write it: tokens and metadata are compared with it byte for byte.
    let resource = resource.unwrap_or_else(|| format!("http://{addr}/mcp"));
    let issuer = if let Some(url) = issuer {
        url
    } else {
        let local = LocalIssuer::start().await?;
        eprintln!("{}", how_to_try(&local, &resource));
        local.url
    };

    let tokens = Jwt::new(issuer, resource).require_scopes([BASE]).build()?;
    let server = Server::builder("auth", env!("CARGO_PKG_VERSION")).resources(protected()).build()?;
    let transport = http(addr).authenticator(tokens).announce();
    Ok(server.listen(transport).await?)
}

fn protected() -> [Resource; 3] {
    resources![
        {
            uri: "whoami://me",
            name: "whoami",
            title: "Who asks",
            mime_type: "text/plain",
            read: |cx| async move {
                READS.fetch_add(1, Ordering::Relaxed);
                // Verified. The other claims are there as well, but may be private.
                let claims = auth(&cx).ok_or_else(ReadError::not_found)?;
                Ok(claims.subject().to_owned())
            },
        },
        {
            uri: "notes://private",
            name: "private-notes",
            title: "Notes that need a scope",
            mime_type: "text/markdown",
            read: |cx| async move {
                READS.fetch_add(1, Ordering::Relaxed);
                // Without it the response is 403, with the scopes that the client needs for another attempt.
                require_scope(&cx, NOTES)?;
                Ok("# Notes\n\nFor those who may read them.\n")
            },
        },
        {
            uri: "stats://reads",
            name: "reads",
            title: "How often the two others were read",
            mime_type: "text/plain",
            read: |_cx| async move { Ok(READS.load(Ordering::Relaxed).to_string()) },
        },
    ]
}

struct Options {
    addr: String,
    /// `None`: a local issuer.
    issuer: Option<String>,
    resource: Option<String>,
}

fn options() -> Result<Options, String> {
    let (mut addr, mut issuer, mut resource) = ("127.0.0.1:8787".to_owned(), None, None);
    let mut is_local = false;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--addr" => addr = value()?,
            "--issuer" => issuer = Some(value()?),
            "--local-issuer" => is_local = true,
            "--resource" => resource = Some(value()?),
            _ => return Err(format!("unknown argument {arg}")),
        }
    }
    if issuer.is_some() == is_local {
        return Err("say whose tokens are accepted: either --issuer or --local-issuer".to_owned());
    }
    if resource.is_none() && addr.ends_with(":0") {
        return Err("with port 0 the URL that tokens are for is unknown: name a port, or --resource".to_owned());
    }
    Ok(Options { addr, issuer, resource })
}

fn how_to_try(issuer: &LocalIssuer, resource: &str) -> String {
    let read = |scopes: &str, uri: &str| {
        let token = issuer.token(resource, scopes);
        let call = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{{"uri":"{uri}"}}}}"#);
        format!("curl -i {resource} -H 'Authorization: Bearer {token}' -H 'Content-Type: application/json' -d '{call}'")
    };
    format!(
        "\nread who you are:\n\n{}\n\nread the notes (the token above is too weak for that):\n\n{}\n",
        read(BASE, "whoami://me"),
        read(&format!("{BASE} {NOTES}"), "notes://private"),
    )
}
