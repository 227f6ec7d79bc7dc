//! Bytes to message: one pass over a frame that records the first problem and reads on, so that the rejection can have
//! the id of the request.
//!
//! Not here: the meaning of a method, the revision in force, and any error code except two of JSON-RPC (-32700 for
//! input that is not JSON, -32600 for JSON that is not a message).

use std::borrow::Cow;

use serde::de::MapAccess;

use super::error::Code;
use super::field::{DuplicateNames, Name, StringField, StringFieldSeed};
use super::id::IdToken;
use super::params::Params;
use super::read::{Members, Raw, Scope, Skip, parse, parse_items};

/// The text of one frame: UTF-8, without the byte order mark that some clients send first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a>(&'a str);

impl<'a> Frame<'a> {
    /// A part of a frame that is known to be JSON.
    pub(crate) fn part(raw: Raw<'a>) -> Self {
        Self(raw.text())
    }

    pub(super) fn text(self) -> &'a str {
        self.0
    }

    fn is_array(self) -> bool {
        self.0.bytes().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n')) == Some(b'[')
    }
}

/// The content of a frame.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    Batch(Vec<Raw<'a>>),
    Notification(Notification<'a>),
    Rejected(Rejected<'a>),
    Request(Request<'a>),
    Response(Response<'a>),
}

#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) id: IdToken<'a>,
    pub(crate) method: Cow<'a, str>,
    pub(crate) params: Params<'a>,
}

#[derive(Debug)]
pub(crate) struct Notification<'a> {
    pub(crate) method: Cow<'a, str>,
    pub(crate) params: Params<'a>,
}

/// The client's response to a request to the client.
#[derive(Debug)]
pub(crate) struct Response<'a> {
    /// Absent if the client could not read the request.
    pub(crate) id: Option<IdToken<'a>>,
    pub(crate) outcome: Outcome<'a>,
}

/// The result or the error of a response, still as JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outcome<'a> {
    Error(Raw<'a>),
    Result(Raw<'a>),
}

/// A frame that is not a message, with its id if one could be read.
#[derive(Debug)]
pub(crate) struct Rejected<'a> {
    pub(crate) id: Option<IdToken<'a>>,
    /// The frame has a method and no `id`, so it gets no answer, even if it is invalid.
    pub(crate) is_notification: bool,
    pub(crate) code: Code,
    pub(crate) message: Cow<'static, str>,
}

impl Rejected<'_> {
    fn parse(message: impl Into<Cow<'static, str>>) -> Self {
        Self { id: None, is_notification: false, code: Code::PARSE, message: message.into() }
    }
}

/// Decodes the bytes of a frame as text.
pub(crate) fn read_frame(bytes: &[u8]) -> Result<Frame<'_>, Rejected<'static>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Frame(text)),
        Err(error) => Err(Rejected::parse(format!("Parse error: not UTF-8 after byte {}", error.valid_up_to()))),
    }
}

/// Reads the message in a frame. An id of more than `longest_id` bytes is rejected and not sent back.
pub(crate) fn read_message(frame: Frame<'_>, longest_id: usize) -> Message<'_> {
    if frame.is_array() {
        return match parse_items(frame.0) {
            Ok(members) => Message::Batch(members),
            Err(error) => Message::Rejected(unparseable(&error)),
        };
    }
    match parse(frame.0, EnvelopeMembers) {
        Ok(envelope) => envelope.into_message(longest_id),
        Err(error) => Message::Rejected(unparseable(&error)),
    }
}

#[cold]
fn too_long(longest_id: usize) -> Cow<'static, str> {
    let remedy = "send a shorter one, or raise `Limits::id_bytes`";
    format!("Invalid request: \"id\" has more than {longest_id} bytes: {remedy}").into()
}

fn unparseable(error: &serde_json::Error) -> Rejected<'static> {
    Rejected::parse(format!("Parse error: {error}"))
}

/// The top level of a message. Problems are recorded here and handled later.
#[derive(Default)]
struct Envelope<'a> {
    object: bool,
    version: StringField<'a>,
    id: Option<Raw<'a>>,
    method: StringField<'a>,
    params: Params<'a>,
    result: Option<Raw<'a>>,
    error: Option<Raw<'a>>,
    repeated: Option<String>,
}

impl<'a> Envelope<'a> {
    fn into_message(mut self, longest_id: usize) -> Message<'a> {
        self.drop_nulls();
        let is_notification = self.id.is_none() && matches!(self.method, StringField::Text(_));
        let id = self.id.and_then(IdToken::new);
        let is_long = id.is_some_and(|id| id.len() > longest_id);
        let problem = self.problem(id).or_else(|| is_long.then(|| too_long(longest_id)));
        let id = id.filter(|_| !is_long);
        match problem {
            Some(message) => Message::Rejected(Rejected { id, is_notification, code: Code::INVALID_REQUEST, message }),
            None => self.well_formed(id),
        }
    }

    /// Treats optional members that are null as absent. In a response, `result` or `error` stays if it is the only one:
    /// it is then a response of a wrong type, and the code that waits for it stops waiting.
    fn drop_nulls(&mut self) {
        let is_request = matches!(self.method, StringField::Text(_) | StringField::Other);
        if self.error.is_some_and(Raw::is_null) && (is_request || self.result.is_some()) {
            self.error = None;
        }
        if self.result.is_some_and(Raw::is_null) && (is_request || self.error.is_some()) {
            self.result = None;
        }
        if self.method == StringField::Null && (self.result.is_some() || self.error.is_some()) {
            self.method = StringField::Absent;
        }
    }

    fn well_formed(self, id: Option<IdToken<'a>>) -> Message<'a> {
        let outcome = self.result.map(Outcome::Result).or(self.error.map(Outcome::Error));
        match (outcome, self.method, id) {
            (Some(outcome), _, id) => Message::Response(Response { id, outcome }),
            (None, StringField::Text(method), Some(id)) => {
                Message::Request(Request { id, method, params: self.params })
            }
            (None, StringField::Text(method), None) => {
                Message::Notification(Notification { method, params: self.params })
            }
            (None, StringField::Absent | StringField::Null | StringField::Other, _) => {
                unreachable!("the method was found to be a string")
            }
        }
    }

    /// The first rule of the shape that the message breaks, if any.
    fn problem(&self, id: Option<IdToken<'_>>) -> Option<Cow<'static, str>> {
        let repeated = self.repeated.as_ref().or_else(|| self.params.repeated());
        let (result, error) = (self.result.is_some(), self.error.is_some());
        let is_response = result != error && matches!(self.method, StringField::Absent);
        // An error without an id, or with null, answers a request that could not be read.
        let id_is_valid = match self.id {
            None => !result,
            Some(raw) => id.is_some() || (is_response && error && raw.is_null()),
        };
        let problem = if !self.object {
            "the message is not an object"
        } else if let Some(name) = repeated {
            return Some(format!("Invalid request: the member {:?} appears twice", truncate(name)).into());
        } else if !matches!(&self.version, StringField::Text(version) if version == "2.0") {
            "\"jsonrpc\" must be \"2.0\""
        } else if !id_is_valid {
            "\"id\" must be a string or an integer"
        } else if is_response {
            return None;
        } else if result || error {
            "a response has either \"result\" or \"error\", and no \"method\""
        } else if !matches!(self.method, StringField::Text(_)) {
            "\"method\" must be a string"
        } else if !self.params.is_object() {
            "\"params\" must be an object"
        } else {
            return None;
        };
        Some(format!("Invalid request: {problem}").into())
    }
}

/// Reads the top level.
#[derive(Clone, Copy)]
struct EnvelopeMembers;

impl<'de> Members<'de> for EnvelopeMembers {
    type Value = Envelope<'de>;

    fn not_an_object(self) -> Self::Value {
        Envelope::default()
    }

    fn read<A: MapAccess<'de>, const C: bool>(self, mut members: A, inner: Scope<C>) -> Result<Self::Value, A::Error> {
        let mut envelope = Envelope { object: true, ..Envelope::default() };
        let mut seen = DuplicateNames::default();
        while let Some(Name(name)) = members.next_key()? {
            match &*name {
                "jsonrpc" => envelope.version = members.next_value_seed(StringFieldSeed(inner))?,
                "id" => envelope.id = Some(members.next_value_seed(inner.raw())?),
                "method" => envelope.method = members.next_value_seed(StringFieldSeed(inner))?,
                "params" => envelope.params = members.next_value_seed(Params::seed(inner))?,
                "result" => envelope.result = Some(members.next_value_seed(inner.raw())?),
                "error" => envelope.error = Some(members.next_value_seed(inner.raw())?),
                _ => members.next_value_seed(Skip(inner))?,
            }
            seen.note(name);
        }
        envelope.repeated = seen.repeated;
        Ok(envelope)
    }
}

/// The first 200 characters of a text that a client sent, so that a long one is not sent back whole.
pub(crate) fn truncate(text: &str) -> Cow<'_, str> {
    const SHOWN: usize = 200;
    match text.char_indices().nth(SHOWN) {
        None => text.into(),
        Some((end, _)) => format!("{}…", &text[..end]).into(),
    }
}
