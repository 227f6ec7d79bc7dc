//! The measured requests, as a client of each revision sends them, and their server.

use bytes::Bytes;
use grange_benches::initialize;
use grange_core::{Exchange, Header, Resource, Revision, Server};

/// One measured request.
pub(crate) struct Request {
    pub(crate) name: &'static str,
    /// The number of resources of the server.
    pub(crate) resources: usize,
    /// Whether it is the first request on a pipe, so that each run needs a new pipe.
    pub(crate) opens: bool,
    method: &'static str,
    uri: Option<&'static str>,
}

pub(crate) fn requests() -> [Request; 6] {
    let read = |name, uri| Request { name, resources: 10, opens: false, method: "resources/read", uri: Some(uri) };
    let list = |name, resources| Request { name, resources, opens: false, method: "resources/list", uri: None };
    [
        read("read fixed 1 KiB", "docs://r/000000"),
        read("read computed 1 KiB", "docs://computed"),
        read("read unknown", "docs://unknown"),
        list("list 10", 10),
        list("list 1000", 1000),
        Request { name: "initialize", resources: 10, opens: true, method: "initialize", uri: None },
    ]
}

impl Request {
    pub(crate) fn body(&self, revision: Revision) -> Bytes {
        if self.opens {
            return initialize(revision).into();
        }
        grange_benches::request(revision, self.method, self.uri).into()
    }

    /// The headers of a client of that revision.
    pub(crate) fn head(&self, revision: Revision) -> Head {
        let mirrors = !revision.has_handshake();
        Head {
            version: (!self.opens).then(|| revision.name()),
            method: mirrors.then_some(self.method),
            name: self.uri.filter(|_| mirrors),
        }
    }
}

/// A server with this many resources of 1 KiB, and a computed one.
pub(crate) fn server(resources: usize) -> Server {
    let fixed = (1..resources).map(|number| described(number - 1).text(kib()).build());
    let computed = described(resources).uri("docs://computed").read(|_| async { Ok(kib()) }).build();
    Server::builder("bench", "1.0.0").resources(fixed.chain([computed])).build().expect("the definitions are right")
}

fn described(number: usize) -> grange_core::ResourceBuilder {
    Resource::builder()
        .uri(format!("docs://r/{number:06}"))
        .name(format!("r-{number:06}"))
        .title(format!("Resource {number}"))
        .description(format!("Filler resource number {number} of the benchmark corpus"))
        .mime_type("text/plain")
}

fn kib() -> String {
    "Declare a resource once and the server does the rest.\n- \"fast\"\n".repeat(16)
}

/// The parts of a request's head that the engine reads.
pub(crate) struct Head {
    version: Option<&'static str>,
    method: Option<&'static str>,
    name: Option<&'static str>,
}

impl Exchange for Head {
    fn header(&self, name: &str) -> Header<'_> {
        let value = match name {
            "mcp-protocol-version" => self.version,
            "mcp-method" => self.method,
            "mcp-name" => self.name,
            _ => None,
        };
        value.map_or(Header::Absent, |value| Header::One(value.as_bytes()))
    }

    fn takes_stream(&self) -> bool {
        false
    }
}
