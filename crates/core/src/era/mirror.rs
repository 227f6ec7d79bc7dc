//! The request headers that mirror the body (2026-07-28 streamable-http, "Server validation"): present once, legal, and
//! equal after decoding, so that no intermediary acts on something else than we do.

use std::borrow::Cow;

use base64_simd::STANDARD;

use super::exchange::{Exchange, Header, PROTOCOL_VERSION, trim};
use super::incoming::RequestHead;
use crate::fault::Fault;
use crate::rpc::{Decimal, Raw, StringField, cut};

const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";

/// Compares the mirrored headers with the body. `member` is the parameter that `Mcp-Name` mirrors.
pub(super) fn check(exchange: &dyn Exchange, asked: &RequestHead<'_>, member: Option<&str>) -> Result<(), Fault> {
    let version = single(exchange, PROTOCOL_VERSION, "MCP-Protocol-Version")?;
    // Without a version in the body there is nothing to differ from: the metadata check has the better message.
    if let StringField::Text(expected) = &asked.params.meta.version {
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

/// Compares the headers of a tool's arguments with the arguments, for those that are there and not null.
pub(super) fn check_arguments(exchange: &dyn Exchange, asked: &RequestHead<'_>) -> Result<(), Fault> {
    let Some(name) = asked.params.name.text() else { return Ok(()) };
    let mirrored = (asked.mirrored)(name);
    if mirrored.is_empty() {
        return Ok(());
    }
    let arguments = asked.params.optional("arguments");
    for argument in mirrored {
        let header = &argument.header;
        let value = argument.path.iter().fold(arguments, |value, name| value?.member(name));
        check_argument(exchange, header, value.filter(|value| !value.is_null()))?;
    }
    Ok(())
}

/// Compares the header of one argument with its value.
fn check_argument(exchange: &dyn Exchange, header: &str, value: Option<Raw<'_>>) -> Result<(), Fault> {
    let Some(value) = value else {
        return match exchange.header(header) {
            Header::Absent => Ok(()),
            _ => Err(Fault::HeaderMismatch(format!("the {header} header came without its argument"))),
        };
    };
    let said = decoded(header, single(exchange, header, header)?)?;
    match value.as_string() {
        Some(text) => equal(header, &said, &text),
        None if is_same_number(&said, value.text()) => Ok(()),
        None => equal(header, &said, value.text()),
    }
}

/// Whether a header says this number, in whatever notation.
fn is_same_number(said: &[u8], number: &str) -> bool {
    let said = std::str::from_utf8(said).ok().and_then(Decimal::read);
    said.is_some() && said == Decimal::read(number)
}

/// The one value of a header, visible ASCII, spaces and tabs.
fn single<'a>(exchange: &'a dyn Exchange, name: &str, shown: &str) -> Result<&'a [u8], Fault> {
    let value = match exchange.header(name) {
        Header::One(value) => trim(value),
        Header::Absent => return Err(Fault::HeaderMismatch(format!("the {shown} header is missing"))),
        Header::Many => return Err(Fault::HeaderMismatch(format!("the {shown} header came more than once"))),
    };
    // Every byte is looked at, which compilers turn into vector instructions.
    let illegal = |byte: &u8| u8::from(!matches!(byte, b' '..=b'~' | b'\t'));
    if value.iter().fold(0, |found, byte| found | illegal(byte)) == 0 {
        return Ok(value);
    }
    Err(Fault::HeaderMismatch(format!("the {shown} header has characters outside visible ASCII")))
}

/// Undoes the encoding for values that a header cannot carry. What lacks the exact markers is literal.
fn decoded<'a>(shown: &str, value: &'a [u8]) -> Result<Cow<'a, [u8]>, Fault> {
    let Some(encoded) = value.strip_prefix(b"=?base64?").and_then(|rest| rest.strip_suffix(b"?=")) else {
        return Ok(value.into());
    };
    let bytes = STANDARD.decode_to_vec(encoded).ok().filter(|bytes| std::str::from_utf8(bytes).is_ok());
    bytes
        .map(Cow::Owned)
        .ok_or_else(|| Fault::HeaderMismatch(format!("the {shown} header is not base64 of UTF-8 between its markers")))
}

fn equal(shown: &str, value: &[u8], expected: &str) -> Result<(), Fault> {
    if value == expected.as_bytes() {
        return Ok(());
    }
    let value = String::from_utf8_lossy(value);
    let (value, expected) = (cut(&value), cut(expected));
    Err(Fault::HeaderMismatch(format!("the {shown} header says {value:?} and the body {expected:?}")))
}
