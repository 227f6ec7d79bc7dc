//! Reads the revision that the `MCP-Protocol-Version` header of an exchange names.

use super::exchange::{Exchange, Header, PROTOCOL_VERSION, trim};
use super::row::Era;
use super::table::ALL;
use crate::rpc::truncate;

/// The meaning of the version header.
pub(super) enum Named {
    Absent,
    Row(&'static Era),
    /// A date after every revision in the table.
    Later(String),
    /// No revision, with the problem, as the rest of a sentence about the header.
    Nothing(String),
}

impl Named {
    pub(super) fn of(exchange: &dyn Exchange) -> Self {
        let value = match exchange.header(PROTOCOL_VERSION) {
            Header::Absent => return Self::Absent,
            Header::Many => return Self::Nothing("came more than once".to_owned()),
            Header::One(value) => trim(value),
        };
        if let Some(era) = ALL.iter().find(|era| era.name.as_bytes() == value) {
            return Self::Row(era);
        }
        let text = String::from_utf8_lossy(value);
        let is_later = is_date(value) && ALL.iter().all(|era| era.name < &*text);
        match value {
            [] => Self::Nothing("is empty".to_owned()),
            _ if is_later => Self::Later(text.into_owned()),
            _ => Self::Nothing(format!("says {:?}, which is no revision", truncate(&text))),
        }
    }
}

/// `YYYY-MM-DD`.
fn is_date(text: &[u8]) -> bool {
    let is_digit = |place: usize| text[place].is_ascii_digit();
    text.len() == 10 && [0, 1, 2, 3, 5, 6, 8, 9].into_iter().all(is_digit) && text[4] == b'-' && text[7] == b'-'
}
