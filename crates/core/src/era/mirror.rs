//! The request headers that mirror the body (2026-07-28 streamable-http, "Server validation"): present once, legal, and
//! equal after decoding, so that no intermediary acts on something else than we do.

use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::select::Asked;
use crate::fault::Fault;
use crate::rpc::{Slot, cut};

pub(super) const PROTOCOL_VERSION: &str = "mcp-protocol-version";
const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";

/// A request header as it came.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Header<'a> {
    /// Not there.
    Absent,
    /// One line, with this value.
    One(&'a [u8]),
    /// Several lines.
    Many,
}

/// One HTTP exchange, as far as the engine looks at it. Implemented by whatever has the request's head.
pub trait Exchange {
    /// The header of that lower-case name.
    fn header(&self, name: &str) -> Header<'_>;

    /// Whether the client takes an event stream for an answer.
    fn takes_stream(&self) -> bool;

    /// What readers may ask of the exchange, such as the request's head. Called only when a reader runs.
    fn peer(&self) -> Option<Arc<dyn Any + Send + Sync>>;
}

/// Compares the mirrored headers with the body. `member` is the parameter that `Mcp-Name` mirrors.
pub(super) fn check(exchange: &dyn Exchange, asked: &Asked<'_>, member: Option<&str>) -> Result<(), Fault> {
    let version = single(exchange, PROTOCOL_VERSION, "MCP-Protocol-Version")?;
    // Without a version in the body there is nothing to differ from: the metadata check has the better message.
    if let Slot::Text(expected) = &asked.params.meta.version {
        equal("MCP-Protocol-Version", version, expected)?;
    }
    equal("Mcp-Method", single(exchange, METHOD, "Mcp-Method")?, asked.method)?;
    // A parameter that is no string cannot be mirrored: the check of its type has the better message.
    if let Some(expected) = member.and_then(|member| asked.params.string(member)) {
        let value = single(exchange, NAME, "Mcp-Name")?;
        equal("Mcp-Name", &decoded("Mcp-Name", value)?, &expected)?;
    }
    Ok(())
}

/// A field value without the spaces and tabs around it.
pub(super) fn trim(value: &[u8]) -> &[u8] {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = value.iter().position(|byte| !is_space(byte)).unwrap_or(value.len());
    let end = value.iter().rposition(|byte| !is_space(byte)).map_or(start, |last| last + 1);
    &value[start..end]
}

fn single<'a>(exchange: &'a dyn Exchange, name: &str, shown: &str) -> Result<&'a str, Fault> {
    let value = match exchange.header(name) {
        Header::One(value) => trim(value),
        Header::Absent => return Err(Fault::HeaderMismatch(format!("the {shown} header is missing"))),
        Header::Many => return Err(Fault::HeaderMismatch(format!("the {shown} header came more than once"))),
    };
    let legal = value.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t'));
    match std::str::from_utf8(value) {
        Ok(value) if legal => Ok(value),
        _ => Err(Fault::HeaderMismatch(format!("the {shown} header has characters outside visible ASCII"))),
    }
}

/// Undoes the encoding for values that a header cannot carry. What lacks the exact markers is literal.
fn decoded<'a>(shown: &str, value: &'a str) -> Result<Cow<'a, str>, Fault> {
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Ok(value.into());
    };
    let bytes = STANDARD.decode(encoded).ok();
    bytes
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .map(Cow::Owned)
        .ok_or_else(|| Fault::HeaderMismatch(format!("the {shown} header is not base64 of UTF-8 between its markers")))
}

fn equal(shown: &str, value: &str, expected: &str) -> Result<(), Fault> {
    if value == expected {
        return Ok(());
    }
    let (value, expected) = (cut(value), cut(expected));
    Err(Fault::HeaderMismatch(format!("the {shown} header says {value:?} and the body {expected:?}")))
}
