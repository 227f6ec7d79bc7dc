//! The server that the black-box cases test. Each flag changes one thing.
//!
//! ```sh
//! cargo run --example fixture -- --http 127.0.0.1:8787
//! cargo run --example fixture -- --stdio
//! ```

#[path = "fixture/live.rs"]
mod live;
#[path = "fixture/living.rs"]
mod living;
#[path = "fixture/templates.rs"]
mod templates;

use std::fmt::Write as _;
use std::time::Duration;

use axum::http::HeaderValue;
use axum::http::request::Parts;
use grange::files::Directory;
use grange::http::{AuthRejection, Authenticator, Http, Identity, Principal, ResourceMetadata};
use grange::{
    CacheScope, Limits, Resource, Revision, Server, ServerBuilder, async_trait, http, resource, resources, stdio,
};
use tracing_subscriber::EnvFilter;

#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is one flag of the command line")]
struct Flags {
    http: Option<String>,
    stdio: bool,
    path: Option<String>,
    page_size: Option<usize>,
    max_body: Option<usize>,
    keep_alive: Option<Duration>,
    shutdown_grace: Option<Duration>,
    revisions: Option<Vec<Revision>>,
    private: Option<String>,
    big: bool,
    sessions: bool,
    auth: bool,
    live: bool,
    templates: bool,
    living: bool,
    rows: Option<u64>,
    dir: Option<String>,
    cors: Option<String>,
    public_url: Option<String>,
}

#[tokio::main]
async fn main() -> grange::Result<()> {
    let filter = EnvFilter::from_default_env();
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let flags = flags().unwrap_or_else(|(status, problem)| {
        eprintln!("fixture: {problem}");
        std::process::exit(status);
    });
    let server = server(&flags)?;
    match &flags.http {
        Some(addr) => server.listen(transport(addr, &flags)).await,
        None => server.listen(stdio()).await,
    }
}

fn flags() -> Result<Flags, (i32, String)> {
    let mut flags = Flags::default();
    let mut args = std::env::args().skip(1);
    while let Some(flag) = args.next() {
        let mut value = || args.next().ok_or((2, format!("{flag} needs a value")));
        match flag.as_str() {
            "--http" => flags.http = Some(value()?),
            "--stdio" => flags.stdio = true,
            "--path" => flags.path = Some(value()?),
            "--page-size" => flags.page_size = Some(number(&value()?)?),
            "--max-body" => flags.max_body = Some(number(&value()?)?),
            "--keep-alive-ms" => flags.keep_alive = Some(milliseconds(&value()?)?),
            "--shutdown-grace-ms" => flags.shutdown_grace = Some(milliseconds(&value()?)?),
            "--revisions" => flags.revisions = Some(revisions(&value()?)?),
            "--private" => flags.private = Some(value()?),
            "--big" => flags.big = true,
            "--sessions" => flags.sessions = true,
            "--auth" => flags.auth = true,
            "--live" => flags.live = true,
            "--templates" => flags.templates = true,
            "--living" => flags.living = true,
            "--rows" => flags.rows = Some(number(&value()?)? as u64),
            "--dir" => flags.dir = Some(value()?),
            "--cors" => flags.cors = Some(value()?),
            "--public-url" => flags.public_url = Some(value()?),
            other => return Err((2, format!("unknown flag {other}"))),
        }
    }
    if flags.http.is_some() == flags.stdio {
        return Err((2, "give one of --http ADDR and --stdio".to_owned()));
    }
    Ok(flags)
}

fn number(text: &str) -> Result<usize, (i32, String)> {
    text.parse().map_err(|_| (2, format!("{text} is not a number")))
}

fn milliseconds(text: &str) -> Result<Duration, (i32, String)> {
    Ok(Duration::from_millis(number(text)? as u64))
}

fn revisions(names: &str) -> Result<Vec<Revision>, (i32, String)> {
    names.split(',').map(|name| Revision::from_name(name).ok_or((2, format!("unknown revision {name}")))).collect()
}

fn transport(addr: &str, flags: &Flags) -> Http {
    let mut transport = http(addr);
    if let Some(path) = &flags.path {
        transport = transport.path(path);
    }
    if let Some(interval) = flags.keep_alive {
        transport = transport.keep_alive(interval);
    }
    if flags.sessions {
        transport = transport.sessions();
    }
    if let Some(origin) = &flags.cors {
        transport = transport.cors([origin]);
    }
    if flags.auth {
        let here = || format!("http://{addr}{}", flags.path.as_deref().unwrap_or("/mcp"));
        transport = transport.authenticator(Tokens::new(&flags.public_url.clone().unwrap_or_else(here)));
    }
    transport
}

/// Two tokens, and the metadata of where to get others.
struct Tokens {
    challenge: HeaderValue,
    metadata: ResourceMetadata,
}

impl Tokens {
    fn new(resource: &str) -> Self {
        const KNOWN: &str = "/.well-known/oauth-protected-resource";
        let (origin, path) = match resource.match_indices('/').nth(2) {
            Some((end, _)) => resource.split_at(end),
            None => (resource, ""),
        };
        let challenge = format!("Bearer resource_metadata=\"{origin}{KNOWN}{path}\"");
        let document =
            serde_json::json!({ "resource": resource, "authorization_servers": ["https://auth.example.com"] });
        Self {
            challenge: HeaderValue::try_from(challenge).expect("a URL is visible ASCII"),
            metadata: ResourceMetadata {
                paths: vec![format!("{KNOWN}{path}"), KNOWN.to_owned()],
                body: document.to_string().into(),
            },
        }
    }
}

#[async_trait]
impl Authenticator for Tokens {
    async fn authenticate(&self, head: &Parts) -> Result<Identity, AuthRejection> {
        let token = head.headers.get("authorization").and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        match token {
            Some("alice-token") => Ok(Identity::new("alice")),
            Some("bob-token") => Ok(Identity::new("bob")),
            _ => Err(AuthRejection::unauthorized(self.challenge.clone(), "a token is needed")),
        }
    }

    fn step_up(&self, _scopes: &str) -> HeaderValue {
        self.challenge.clone()
    }

    fn metadata(&self) -> Option<ResourceMetadata> {
        Some(self.metadata.clone())
    }
}

/// The principal of the caller.
fn whoami() -> Resource {
    resource! {
        uri: "demo://whoami",
        name: "whoami",
        mime_type: "text/plain",
        read: |cx| async move {
            let subject = cx.peer::<Parts>().and_then(|head| head.extensions.get::<Principal>()).map(Principal::name);
            Ok(subject.unwrap_or("anonymous").to_owned())
        },
    }
}

fn server(flags: &Flags) -> grange::Result<Server> {
    let mut resources = fixed();
    resources.extend(computed());
    if flags.auth {
        resources.push(whoami());
    }
    if flags.big {
        resources.extend(big());
    }
    if flags.templates || flags.living {
        resources.push(templates::fixed());
    }
    let mut builder = Server::builder("fixture", "1.0.0");
    if let Some(private) = &flags.private {
        builder = builder.cache_scope(CacheScope::Public);
        resources = resources.into_iter().map(|resource| scoped(&resource, private)).collect();
    }
    builder = builder.templates(flags.rows.map(living::rows));
    if flags.auth && flags.living {
        builder = builder.template(living::private());
    }
    if flags.templates || flags.living {
        builder = templates::add(builder);
    }
    if flags.living {
        builder = living::add(builder);
    }
    if flags.live {
        builder = live::add(builder);
    }
    if let Some(dir) = &flags.dir {
        builder = builder.shelf(&Directory::open(dir, "docs://manual/")?.watch()?);
    }
    Ok(narrowed(builder, flags).resources(resources).build()?)
}

fn scoped(resource: &Resource, private: &str) -> Resource {
    let scope = if resource.uri() == private { CacheScope::Private } else { CacheScope::Public };
    resource.to_builder().cache_scope(scope).build()
}

fn narrowed(mut builder: ServerBuilder, flags: &Flags) -> ServerBuilder {
    let mut limits = Limits::default();
    limits.message_bytes = flags.max_body.unwrap_or(limits.message_bytes);
    limits.shutdown_grace = flags.shutdown_grace.unwrap_or(limits.shutdown_grace);
    if let Some(entries) = flags.page_size {
        builder = builder.page_size(entries);
    }
    if let Some(revisions) = &flags.revisions {
        builder = builder.revisions(revisions.iter().copied());
    }
    builder.limits(limits)
}

fn fixed() -> Vec<Resource> {
    resources! [
        { uri: "demo://alpha/Read%20Me", name: "alpha", title: "Read me", mime_type: "text/plain", text: "hi" },
        { uri: "demo://beta", name: "beta", mime_type: "text/plain", text: "b" },
        { uri: "demo://beta/", name: "beta-slash", mime_type: "text/plain", text: "b-slash" },
        { uri: "demo://bin", name: "bin", mime_type: "application/octet-stream", bytes: &[0xfb, 0xff, 0x00] },
        { uri: "demo://empty", name: "empty", mime_type: "text/plain", text: "" },
        { uri: "demo://empty-bin", name: "empty-bin", mime_type: "application/octet-stream", bytes: &[] },
        {
            uri: "ui://panel/view",
            name: "panel",
            mime_type: "text/html;profile=mcp-app",
            content_meta: { ui: { "csp": { "connectDomains": ["https://api.example.com"] } } },
            text: "<p>x</p>",
        },
    ]
    .into()
}

fn computed() -> Vec<Resource> {
    let boom = resource! {
        uri: "demo://boom",
        name: "boom",
        mime_type: "text/plain",
        read: |_cx| async move { if true { panic!("secret=/srv/key") } else { Ok("") } },
    };
    let slow = resource! {
        uri: "demo://slow",
        name: "slow",
        mime_type: "text/plain",
        read: |_cx| async move {
            let run = live::SlowRun::begin();
            tokio::time::sleep(Duration::from_secs(2)).await;
            run.end();
            Ok("slow")
        },
    };
    vec![boom, slow]
}

fn big() -> Vec<Resource> {
    let lines = (0..655_360).fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{line:015}");
        text
    });
    let noisy = resource! {
        uri: "demo://noisy",
        name: "noisy",
        mime_type: "text/plain",
        read: |_cx| async move {
            println!("x");
            Ok("noisy")
        },
    };
    vec![resource! { uri: "demo://big", name: "big", mime_type: "text/plain", text: lines }, noisy]
}
