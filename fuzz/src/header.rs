//! The headers that mirror the body, with a correct body: only values that the specification considers equal may reach
//! the resource.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use grange_core::{Accepted, Revision};
use serde_json::json;

use crate::fixture::{FIXED, Head, server};
use crate::oracle;

/// Reads the data as header lines, `v…`, `m…` and `n…` for the version, the method and the name. A missing letter omits
/// the header, a repeated one repeats it.
pub fn header(data: &[u8]) {
    let lines = |letter: u8| -> Vec<Vec<u8>> {
        let own = data.split(|byte| *byte == b'\n').filter_map(|line| line.strip_prefix(&[letter]));
        own.map(<[u8]>::to_vec).collect()
    };
    let head = Head { version: lines(b'v'), method: lines(b'm'), name: lines(b'n'), session: None };
    for revision in Revision::ALL.into_iter().filter(|revision| !revision.has_handshake()) {
        let Accepted::Send(wire, _) = server().accept(&body(revision), &head) else {
            panic!("a fixed resource is answered at once");
        };
        let answer = oracle::outgoing(wire).remove(0);
        let served = answer.get("result").is_some();
        assert_eq!(served, mirrors(&head, revision), "{head:?}: {answer}");
        assert!(served || answer["error"]["code"] == -32020, "{head:?}: {answer}");
    }
}

fn body(revision: Revision) -> Bytes {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": revision.name(),
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "uri": FIXED, "_meta": meta });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": params }).to_string().into()
}

/// Whether the headers match the body, by a second implementation of the rules.
fn mirrors(head: &Head, revision: Revision) -> bool {
    let single = |lines: &[Vec<u8>]| match lines {
        [line] => visible(line),
        _ => None,
    };
    single(&head.version).is_some_and(|version| version == revision.name())
        && single(&head.method).is_some_and(|method| method == "resources/read")
        && single(&head.name).is_some_and(|name| name == FIXED || decodes_to(&name, FIXED))
}

fn visible(line: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(line).ok()?.trim_matches([' ', '\t']);
    text.chars().all(|c| c == '\t' || (' '..='~').contains(&c)).then(|| text.to_owned())
}

/// A text has only one encoding, so encoded values can be compared.
fn decodes_to(name: &str, text: &str) -> bool {
    name == format!("=?base64?{}?=", STANDARD.encode(text))
}
