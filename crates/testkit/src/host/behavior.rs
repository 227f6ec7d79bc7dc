//! How a fake host answers: as it should, or in one of the ways in which hosts go wrong.

use serde_json::{Value, json};

use super::act::{HostAct, answer};
use super::names::READ;
use super::refusal::Refusal;

/// How a fake host treats requests for its files. Other requests it always answers as it should.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub enum HostBehavior {
    /// As it should.
    #[default]
    Proper,
    /// It never answers.
    NeverAnswers,
    /// It answers as it should, and then once more, with an error.
    AnswersTwice,
    /// It answers a request that nobody sent, and the one that was sent never.
    AnswersUnknownId,
    /// It answers with the request's number as a string.
    AnswersTextId,
    /// `"result": {}`.
    EmptyResult,
    /// `"nope"` where the contents or the list belong.
    WrongContents,
    /// An item with both `text` and `blob`.
    BothPayloads,
    /// A `blob` that is no base64.
    BadBase64,
    /// An error of this code, without data.
    ErrorWithoutData(i64),
    /// -32601, although it advertises the method.
    NotImplemented,
    /// One byte more than it says that it gives at most.
    TooLong,
    /// It drops the stream that the request came on. A pipe has only one: what goes to the server ends.
    DropsStream,
    /// It ends the session, as `DELETE` does. A pipe it closes, both ways.
    EndsSession,
}

impl HostBehavior {
    /// What a host with this limit does about a request for its files. `proper` gives the answer as it should be, and costs the
    /// host one request of its rate.
    pub(super) fn act(self, request: &Value, max_size: u64, proper: impl FnOnce() -> Value) -> Vec<HostAct> {
        let id = &request["id"];
        let result = |result: Value| vec![HostAct::Send(answer(id, Ok(result)))];
        let error = |refusal: Refusal| vec![HostAct::Send(answer(id, Err(refusal)))];
        match self {
            Self::Proper => vec![HostAct::Send(proper())],
            Self::NeverAnswers => Vec::new(),
            Self::AnswersTwice => [vec![HostAct::Send(proper())], error(Refusal::bare(-32603))].concat(),
            Self::AnswersUnknownId => renamed(proper(), (id.as_u64().unwrap_or_default() + 1_000_000).into()),
            Self::AnswersTextId => renamed(proper(), id.to_string().into()),
            Self::EmptyResult => result(json!({})),
            Self::WrongContents if request["method"] == READ => result(json!({ "contents": "nope" })),
            Self::WrongContents => result(json!({ "resources": "nope" })),
            Self::BothPayloads => result(item(request, &json!({ "text": "a", "blob": "YQ==" }))),
            Self::BadBase64 => result(item(request, &json!({ "blob": "!!" }))),
            Self::ErrorWithoutData(code) => error(Refusal::bare(code)),
            Self::NotImplemented => error(Refusal::no_method()),
            Self::TooLong => {
                let length = usize::try_from(max_size).unwrap_or(usize::MAX).saturating_add(1);
                result(item(request, &json!({ "text": "x".repeat(length) })))
            }
            Self::DropsStream => vec![HostAct::DropStream],
            Self::EndsSession => vec![HostAct::EndSession],
        }
    }
}

/// The right answer under another id.
fn renamed(mut message: Value, id: Value) -> Vec<HostAct> {
    message["id"] = id;
    vec![HostAct::Send(message)]
}

/// A result of one item with that payload.
fn item(request: &Value, payload: &Value) -> Value {
    let mut item = payload.clone();
    item["uri"] = request["params"]["uri"].clone();
    json!({ "contents": [item] })
}
