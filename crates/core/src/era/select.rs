//! Selects the revision of a request: one function for both transports (`docs/contract/wire.md`, section 4). A request of a revision
//! without a handshake is checked here too: the headers mirror the body, the metadata is complete, the revision is served.
//!
//! The marks decide before the method does: a marked `initialize` is an unknown method of a revision without a
//! handshake, and an unmarked one opens a handshake. **A marked request never reads or changes the result of a
//! handshake.** Not here: the rules of the revisions with a handshake (`select/legacy.rs`).

mod legacy;

use std::borrow::Cow;

use base64_simd::STANDARD;

use super::exchange::{Exchange, Header, PROTOCOL_VERSION, trim};
use super::incoming::{Channel, Rejected, RequestHead, Selected, Selection};
use super::row::CALL_TOOL;
use super::served::Served;
use super::table::ALL;
use super::version_header::Named;
use crate::rejection::Rejection;
use crate::rpc::{Decimal, Kind, Params, Raw, StringField, key, truncate};

const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";

pub(crate) fn select(asked: &RequestHead<'_>, served: &Served) -> Selected {
    if asked.params.meta.marked {
        return check_modern(asked, served);
    }
    // The version header does not matter here: some clients send it with every request, the handshake included.
    if asked.opens_handshake() {
        return legacy::check_handshake(asked, served);
    }
    match asked.channel {
        Channel::Http(exchange) => match Named::of(exchange) {
            Named::Row(era) if !era.handshake => check_modern(asked, served),
            named => legacy::check_exchange(exchange, named, served),
        },
        Channel::Pipe { negotiated: None } if is_own_method(asked.method) => check_modern(asked, served),
        Channel::Pipe { negotiated } => legacy::check_pipe(asked, negotiated, served),
    }
}

/// Whether only revisions without a handshake have the method, so that its name alone shows that a request is modern.
fn is_own_method(name: &str) -> bool {
    let has = |handshake| ALL.iter().any(|era| era.handshake == handshake && era.method(name).is_some());
    has(false) && !has(true)
}

/// Checks 10 to 12 of `docs/contract/wire.md`: headers mirror the body, the metadata is complete, the revision is
/// served.
fn check_modern(asked: &RequestHead<'_>, served: &Served) -> Selected {
    let Some(newest) = served.modern().next_back() else {
        return Err(not_served(asked, served));
    };
    let reject = |rejection| Rejected { era: newest, rejection };
    if asked.notification {
        return Ok(Selection { era: newest, session: None });
    }
    if let Channel::Http(exchange) = asked.channel {
        let member = newest.method(asked.method).and_then(|method| method.mirrored);
        check_mirrored(exchange, asked, member).map_err(reject)?;
        if asked.method == CALL_TOOL {
            check_arguments(exchange, asked).map_err(reject)?;
        }
    }
    let version = complete(asked.params).map_err(reject)?;
    served.named(&version).filter(|era| !era.handshake).map(|era| Selection { era, session: None }).ok_or_else(|| {
        // The same list as in the result of `server/discover`: a marked request can use these only.
        let supported = served.modern_names();
        reject(Rejection::UnsupportedVersion { requested: version.into_owned(), supported })
    })
}

/// Checks that `_meta` has all members that every request must carry, and returns the version.
fn complete<'a>(params: &'a Params<'a>) -> Result<Cow<'a, str>, Rejection> {
    let invalid = |name: &str, what: &str| Rejection::InvalidParams(format!("_meta[\"{name}\"] {what}").into());
    if params.meta.wrong {
        return Err(Rejection::InvalidParams("\"_meta\" must be an object".into()));
    }
    let version = match &params.meta.version {
        StringField::Text(version) => version.clone(),
        StringField::Absent => return Err(invalid(key::PROTOCOL_VERSION, "is missing: every request carries it")),
        StringField::Null | StringField::Other => return Err(invalid(key::PROTOCOL_VERSION, "must be a string")),
    };
    match params.meta.capabilities {
        Kind::Object => Ok(version),
        Kind::Null | Kind::Other => Err(invalid(key::CLIENT_CAPABILITIES, "must be an object")),
        Kind::Absent => {
            Err(invalid(key::CLIENT_CAPABILITIES, "is missing: every request carries it, {} if there are none"))
        }
    }
}

/// The rejection if no modern revision is served. Its code is never that of an unsupported version: a client that gets
/// it must not fall back to the handshake, which is what this server needs.
fn not_served(asked: &RequestHead<'_>, served: &Served) -> Rejected {
    let names = served.names().join(", ");
    let era = served.newest_legacy().unwrap_or(&ALL[0]);
    let rejection = match asked.channel {
        Channel::Http(_) => {
            Rejection::InvalidRequest(format!("this server serves {names}; open with \"initialize\"").into())
        }
        Channel::Pipe { .. } => {
            let method = truncate(asked.method);
            Rejection::UnknownMethod(format!("{method} (this server serves {names}; open with \"initialize\")"))
        }
    };
    Rejected { era, rejection }
}

/// Compares the mirrored headers with the body. `member` is the parameter that `Mcp-Name` mirrors.
fn check_mirrored(exchange: &dyn Exchange, asked: &RequestHead<'_>, member: Option<&str>) -> Result<(), Rejection> {
    let version = single(exchange, PROTOCOL_VERSION, "MCP-Protocol-Version")?;
    // If the body has no version, the check of the metadata reports that with a better message.
    if let StringField::Text(expected) = &asked.params.meta.version {
        equal("MCP-Protocol-Version", version, expected)?;
    }
    equal("Mcp-Method", single(exchange, METHOD, "Mcp-Method")?, asked.method)?;
    // If the parameter is not a string, the check of its type reports that with a better message.
    if let Some(expected) = member.and_then(|member| asked.params.string(member)) {
        let value = single(exchange, NAME, "Mcp-Name")?;
        equal("Mcp-Name", &decoded("Mcp-Name", value)?, &expected)?;
    }
    Ok(())
}

/// Compares the headers of a tool's arguments with the arguments. One that is absent or null must have no header.
fn check_arguments(exchange: &dyn Exchange, asked: &RequestHead<'_>) -> Result<(), Rejection> {
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
fn check_argument(exchange: &dyn Exchange, header: &str, value: Option<Raw<'_>>) -> Result<(), Rejection> {
    let Some(value) = value else {
        return match exchange.header(header) {
            Header::Absent => Ok(()),
            _ => Err(Rejection::HeaderMismatch(format!("the {header} header came without its argument"))),
        };
    };
    let said = decoded(header, single(exchange, header, header)?)?;
    match value.as_string() {
        Some(text) => equal(header, &said, &text),
        None if is_same_number(&said, value.text()) => Ok(()),
        None => equal(header, &said, value.text()),
    }
}

/// Whether a header has this number, in any notation.
fn is_same_number(said: &[u8], number: &str) -> bool {
    let said = std::str::from_utf8(said).ok().and_then(Decimal::read);
    said.is_some() && said == Decimal::read(number)
}

/// The one value of a header, which may have visible ASCII, spaces and tabs.
fn single<'a>(exchange: &'a dyn Exchange, name: &str, shown: &str) -> Result<&'a [u8], Rejection> {
    let value = match exchange.header(name) {
        Header::One(value) => trim(value),
        Header::Absent => return Err(Rejection::HeaderMismatch(format!("the {shown} header is missing"))),
        Header::Many => return Err(Rejection::HeaderMismatch(format!("the {shown} header came more than once"))),
    };
    if is_visible(value) {
        return Ok(value);
    }
    Err(Rejection::HeaderMismatch(format!("the {shown} header has characters outside visible ASCII")))
}

/// Whether every byte is visible ASCII, a space or a tab. Eight bytes at once, since every request has three such headers; the last eight
/// overlap those before them.
fn is_visible(value: &[u8]) -> bool {
    let Some(last) = value.last_chunk::<8>() else { return value.iter().copied().all(is_visible_byte) };
    let words = value.as_chunks::<8>().0;
    words.iter().chain([last]).all(|word| is_plain_word(*word) || word.iter().copied().all(is_visible_byte))
}

fn is_visible_byte(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t')
}

/// Whether every byte is in `b' '..=b'~'`.
fn is_plain_word(word: [u8; 8]) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    let word = u64::from_ne_bytes(word);
    // Each term sets the high bit of a byte: the first below a space, the second from DEL on, the third outside ASCII.
    let below = word.wrapping_sub(ONES * 0x20) & !word;
    (below | word.wrapping_add(ONES) | word) & HIGH == 0
}

/// Decodes a value that a header could not carry as it is. A value without the exact markers is literal.
fn decoded<'a>(shown: &str, value: &'a [u8]) -> Result<Cow<'a, [u8]>, Rejection> {
    let Some(encoded) = value.strip_prefix(b"=?base64?").and_then(|rest| rest.strip_suffix(b"?=")) else {
        return Ok(value.into());
    };
    let bytes = STANDARD.decode_to_vec(encoded).ok().filter(|bytes| std::str::from_utf8(bytes).is_ok());
    bytes.map(Cow::Owned).ok_or_else(|| {
        Rejection::HeaderMismatch(format!("the {shown} header is not base64 of UTF-8 between its markers"))
    })
}

fn equal(shown: &str, value: &[u8], expected: &str) -> Result<(), Rejection> {
    if value == expected.as_bytes() {
        return Ok(());
    }
    let value = String::from_utf8_lossy(value);
    let (value, expected) = (truncate(&value), truncate(expected));
    Err(Rejection::HeaderMismatch(format!("the {shown} header says {value:?} and the body {expected:?}")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{is_visible, is_visible_byte};

    proptest! {
        #[test]
        fn w5_3_eight_bytes_at_once_are_checked_as_one_by_one(value in prop::collection::vec(prop_oneof![b' '..=b'~', Just(b'\t'), any::<u8>()], 0..40)) {
            prop_assert_eq!(is_visible(&value), value.iter().copied().all(is_visible_byte));
        }

        #[test]
        fn w5_3_one_illegal_byte_anywhere_is_found(at in 0_usize..24, byte in any::<u8>()) {
            let mut value = [b'a'; 24];
            value[at] = byte;
            prop_assert_eq!(is_visible(&value), is_visible_byte(byte));
        }
    }
}
