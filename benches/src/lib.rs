//! Shared by all benchmarks: the requests of clients, a server as a process, and the definitions for both sides of the
//! soak.

pub mod process;
pub mod soak;

use grange_core::Revision;

/// A request of a client of that revision, without framing. `uri` is that of a read.
pub fn request(revision: Revision, method: &str, uri: Option<&str>) -> String {
    let uri = uri.map(|uri| format!(r#""uri":"{uri}""#));
    let meta = (!revision.has_handshake()).then(|| {
        format!(
            r#""_meta":{{"io.modelcontextprotocol/protocolVersion":"{revision}","io.modelcontextprotocol/clientInfo":{{"name":"bench","version":"1"}},"io.modelcontextprotocol/clientCapabilities":{{}}}}"#
        )
    });
    let params: Vec<String> = uri.into_iter().chain(meta).collect();
    let params = params.join(",");
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}}}}}"#)
}

/// The first request on a pipe.
pub fn initialize(revision: Revision) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"protocolVersion":"{revision}","capabilities":{{}},"clientInfo":{{"name":"bench","version":"1"}}}}}}"#
    )
}
