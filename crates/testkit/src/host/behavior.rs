//! How a fake host answers: correctly, or in one of the ways in which hosts misbehave.

use serde_json::{Value, json};

use super::act::{HostAct, answer};
use super::names::READ;
use super::rejection::Rejection;

/// How a fake host treats requests for its files. It answers other requests correctly.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub enum HostBehavior {
    /// Answers correctly.
    #[default]
    Proper,
    /// Never answers.
    NeverAnswers,
    /// Answers correctly, then again with an error.
    AnswersTwice,
    /// Answers a request that was never sent, instead of the one that was.
    AnswersUnknownId,
    /// Answers with the request's numeric id as a string.
    AnswersTextId,
    /// Answers with `"result": {}`.
    EmptyResult,
    /// Answers with the string `"nope"` in place of the contents or the list.
    WrongContents,
    /// Answers with an item that has both `text` and `blob`.
    BothPayloads,
    /// Answers with a `blob` that is not base64.
    BadBase64,
    /// Answers with an error of this code, without data.
    ErrorWithoutData(i64),
    /// Answers -32601, although it advertises the method.
    NotImplemented,
    /// Answers with one byte more than the maximum that it advertises.
    TooLong,
    /// Drops the stream that the request arrived on. A pipe has only one: its direction to the server ends.
    DropsStream,
    /// Ends the session, as `DELETE` does. Closes a pipe in both directions.
    EndsSession,
}

impl HostBehavior {
    /// The reactions to a request for files, of a host with this size limit. `proper` computes the correct answer and
    /// takes one token of the host's rate limit.
    pub(super) fn act(self, request: &Value, max_size: u64, proper: impl FnOnce() -> Value) -> Vec<HostAct> {
        let id = &request["id"];
        let result = |result: Value| vec![HostAct::Send(answer(id, Ok(result)))];
        let error = |rejection: Rejection| vec![HostAct::Send(answer(id, Err(rejection)))];
        match self {
            Self::Proper => vec![HostAct::Send(proper())],
            Self::NeverAnswers => Vec::new(),
            Self::AnswersTwice => [vec![HostAct::Send(proper())], error(Rejection::bare(-32603))].concat(),
            Self::AnswersUnknownId => renamed(proper(), (id.as_u64().unwrap_or_default() + 1_000_000).into()),
            Self::AnswersTextId => renamed(proper(), id.to_string().into()),
            Self::EmptyResult => result(json!({})),
            Self::WrongContents if request["method"] == READ => result(json!({ "contents": "nope" })),
            Self::WrongContents => result(json!({ "resources": "nope" })),
            Self::BothPayloads => result(item(request, &json!({ "text": "a", "blob": "YQ==" }))),
            Self::BadBase64 => result(item(request, &json!({ "blob": "!!" }))),
            Self::ErrorWithoutData(code) => error(Rejection::bare(code)),
            Self::NotImplemented => error(Rejection::no_method()),
            Self::TooLong => {
                let length = usize::try_from(max_size).unwrap_or(usize::MAX).saturating_add(1);
                result(item(request, &json!({ "text": "x".repeat(length) })))
            }
            Self::DropsStream => vec![HostAct::DropStream],
            Self::EndsSession => vec![HostAct::EndSession],
        }
    }
}

/// The correct answer with another id.
fn renamed(mut message: Value, id: Value) -> Vec<HostAct> {
    message["id"] = id;
    vec![HostAct::Send(message)]
}

/// A result with one item that has this payload.
fn item(request: &Value, payload: &Value) -> Value {
    let mut item = payload.clone();
    item["uri"] = request["params"]["uri"].clone();
    json!({ "contents": [item] })
}
